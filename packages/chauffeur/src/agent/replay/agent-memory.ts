import type { CacheKey } from '../../cache/cache-key.ts';
import type { VerbCache } from '../../cache/verb-cache.ts';
import { settlePage } from '../../page/action/settle-page.ts';
import type { Page } from '../../page/page.ts';
import type { Log } from '../../util/log.ts';
import type { Progress } from '../../util/progress.ts';
import { isAtRest } from '../../verb/replay/page-at-rest.ts';
import type { AgentResult } from '../agent-result.ts';
import type { Task } from '../task.ts';
import { type AgentEntry, parseAgentEntry } from './agent-entry.ts';
import { isOwnAnswer } from './own-answer.ts';
import { phraseOfStep } from './recorded-step.ts';
import type { RunRecord } from './run-record.ts';

/** What the cache knows of a task on the page that it begins on, and is told of it. */
export class AgentMemory {
  /** What was done for the task before; undefined when that is not known. */
  readonly entry: AgentEntry | undefined;
  readonly #cache: VerbCache;
  readonly #key: CacheKey;
  readonly #log: Log;

  constructor(cache: VerbCache, { key, entry, log }: { key: CacheKey; entry: AgentEntry | undefined; log: Log }) {
    this.entry = entry;
    this.#cache = cache;
    this.#key = key;
    this.#log = log;
  }

  /** Keeps what a run has done, when it carried the task out and all of it may be written down. */
  async keep(
    record: RunRecord,
    { success, completed, message, output }: Pick<AgentResult, 'success' | 'completed' | 'message' | 'output'>,
  ): Promise<void> {
    if (!success || !completed) return;
    const secret = secretIn(record);
    if (secret !== undefined) {
      this.#tell(`This task is not kept: ${secret}. Give it as a variable to have the task done again.`);
      return;
    }
    const { limit } = record;
    const steps = record.steps.slice(0, limit?.count);
    if (limit)
      this.#tell(
        `Of this task ${steps.length} of ${record.steps.length} steps are kept: ${limit.why}. A model is asked from there on.`,
      );
    if (steps.length === 0) return;
    const deeds = [...steps.map(phraseOfStep), ...steps.map(({ input }) => JSON.stringify(input))];
    const isAnswered =
      !limit && output === undefined && !record.hasExtracted && isOwnAnswer(message, { ...record, deeds });
    const mask = (text: string): string => this.#cache.mask(text);
    const ending = isAnswered ? { answer: mask(message), evidence: record.evidence.map(mask) } : {};
    await this.#cache.write(this.#key, { steps, ...ending });
  }

  #tell(message: string): void {
    this.#log.write('cache', 1, message);
  }
}

/** Why a run may hold a secret, which is written nowhere. */
function secretIn({ secrets, hasTypedUnseen }: RunRecord): string | undefined {
  if (secrets.length > 0) return 'what was typed into a password field is no variable';
  return hasTypedUnseen ? 'what was typed at a point of a picture may be a password' : undefined;
}

/** What the cache knows of a task; undefined without a cache, and for a task that goes on from what was said before. */
export async function recallTask(progress: Progress, task: Task, page: Page): Promise<AgentMemory | undefined> {
  const { cache, log, domSettleTimeout, mask } = task.verbs(page);
  // Points of a picture say nothing about another time.
  if (!cache || task.computer || task.earlier.length > 0) return undefined;
  // A page that is about to be another one is not asked about yet.
  if (!isAtRest(page.target)) await settlePage(progress, page.target, domSettleTimeout);
  const key: CacheKey = {
    verb: 'agent',
    instruction: mask(task.instruction),
    url: page.url(),
    variables: task.variables.known.map(({ name }) => name),
    scope: scopeOf(task, mask),
  };
  return new AgentMemory(cache, { key, entry: await progress.race(cache.read(key, parseAgentEntry)), log });
}

/** What else decides what is done: how pages are looked at, the data that is wanted, and the user's own rules. */
function scopeOf({ tools, systemPrompt, computer, withPictures }: Task, mask: (text: string) => string): object {
  const end = tools.find(({ kind }) => kind === 'end');
  const { output } = (end?.input['properties'] ?? {}) as { output?: unknown };
  const seen = withPictures ? 'hybrid' : 'dom';
  return {
    mode: computer ? 'cua' : seen,
    ...(output !== undefined && { output }),
    ...(systemPrompt && { systemPrompt: mask(systemPrompt) }),
  };
}
