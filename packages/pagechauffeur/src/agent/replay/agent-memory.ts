import type { CacheKey } from '../../cache/cache-key.ts';
import type { VerbCache } from '../../cache/verb-cache.ts';
import { DriverError } from '../../errors.ts';
import { settlePage } from '../../actions/settle-page.ts';
import type { Page } from '../../page/page.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import type { Log } from '../../util/log.ts';
import type { Progress } from '../../util/progress.ts';
import { isPageSettled } from '../../replay/is-page-settled.ts';
import { normalizedFrameUrl } from '../../replay/stored-step.ts';
import type { VerbContext } from '../../verb/verb-context.ts';
import type { AgentResult } from '../agent-result.ts';
import type { Task } from '../task.ts';
import { type AgentEntry, type KnownEnding, parseAgentEntry } from './agent-entry.ts';
import { isReplayableAnswer } from './recorded-answer.ts';
import { dependenceOf } from './page-dependence.ts';
import { pageDigest } from './page-digest.ts';
import { phraseOfStep, type RecordedStep } from './recorded-step.ts';
import type { RunRecord } from './run-record.ts';
import { hasWords } from './known-texts.ts';

interface MemoryParts extends Pick<Task, 'verbs'> {
  readonly key: CacheKey;
  readonly entry: AgentEntry | undefined;
  readonly log: Log;
}

/** The cache entry for a task on its start page. */
export class AgentMemory {
  readonly entry: AgentEntry | undefined;
  readonly #cache: VerbCache;
  readonly #key: CacheKey;
  readonly #log: Log;
  readonly #verbs: Task['verbs'];

  constructor(cache: VerbCache, { key, entry, log, verbs }: MemoryParts) {
    this.entry = entry;
    this.#cache = cache;
    this.#key = key;
    this.#log = log;
    this.#verbs = verbs;
  }

  /** Stores a successful run, unless it may contain a secret. */
  async keep(progress: Progress, record: RunRecord, result: Ended): Promise<void> {
    if (!result.success || !result.completed) return;
    const secret = secretIn(record);
    if (secret !== undefined) {
      this.#tell(
        `The cache does not store this task: ${secret}. Pass it as a variable, so that the task can be replayed.`,
      );
      return;
    }
    const { limit } = record;
    const kept = record.steps.slice(0, limit?.count);
    const dependsOnPage = dependenceOf(record, kept) !== undefined;
    const steps = dependsOnPage ? kept : kept.map(withoutShown);
    if (limit)
      this.#tell(
        `The cache stores ${steps.length} of ${record.steps.length} steps of this task: ${limit.why}. The model decides the remaining ones.`,
      );
    if (steps.length === 0) return;
    const ending = limit ? undefined : await this.#endingOf(progress, record, { result, steps, dependsOnPage });
    await this.#write({ steps, ...(ending && { ending }) });
  }

  /** Stores new XPaths for elements that were found elsewhere on the page. */
  async keepMoved(entry: AgentEntry, steps: readonly RecordedStep[]): Promise<void> {
    if (JSON.stringify(steps) !== JSON.stringify(entry.steps)) await this.#write({ ...entry, steps });
  }

  /**
   * Returns the answer to store. Returns `undefined` if a later replay could not repeat it: because it may contain data
   * from a page, or because no page is left to prove it.
   */
  async #endingOf(
    progress: Progress,
    record: RunRecord,
    { result: { message, output }, steps, dependsOnPage }: Kept,
  ): Promise<KnownEnding | undefined> {
    const { endedOn: page, hasExtracted, instruction, variables, hasShown } = record;
    const actions = actionTexts(steps);
    if (
      output !== undefined ||
      hasExtracted ||
      !isReplayableAnswer(message, { instruction, variables, hasShown, actions })
    )
      return undefined;
    if (!page || page.isClosed()) return undefined;
    const verbs = this.#verbs(page);
    const kind = dependsOnPage ? 'exact' : 'words';
    try {
      const evidence = await evidenceOn(progress, { page, mask: verbs.mask, texts: record.evidence });
      const ending = { answer: verbs.mask(message), evidence, url: normalizedFrameUrl(verbs.mask(page.url())) };
      if (!dependsOnPage && evidence.length > 0) return ending;
      return { ...ending, shown: await pageDigest(progress, page, { kind, verbs, instruction: record.instruction }) };
    } catch (error) {
      // The page cannot be read anymore. The run has still succeeded.
      if (!(error instanceof DriverError)) throw error;
      return undefined;
    }
  }

  async #write(entry: AgentEntry): Promise<void> {
    await this.#cache.write(this.#key, entry);
  }

  #tell(message: string): void {
    this.#log.write('cache', 1, message);
  }
}

/** Returns what a recorded answer may mention: the descriptions and inputs of the steps. */
export function actionTexts(steps: readonly RecordedStep[]): readonly string[] {
  return [...steps.map(phraseOfStep), ...steps.map(({ input }) => JSON.stringify(input))];
}

/** Keeps the evidence that is on the last page. The model can also have cited earlier tool results. */
async function evidenceOn(
  progress: Progress,
  { page, mask, texts }: { readonly page: Page; readonly mask: VerbContext['mask']; readonly texts: readonly string[] },
): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const { text } = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  const shown = mask(text);
  return texts.map(mask).filter((words) => hasWords(shown, words));
}

type Ended = Pick<AgentResult, 'success' | 'completed' | 'message' | 'output'>;

interface Kept {
  readonly result: Ended;
  readonly steps: readonly RecordedStep[];
  /** See {@link dependenceOf}. */
  readonly dependsOnPage: boolean;
}

function withoutShown({ shown: _shown, ...step }: RecordedStep): RecordedStep {
  return step;
}

/** Returns the reason not to store a run because it may contain a secret. */
function secretIn({ secrets, hasTypedUnseen }: RunRecord): string | undefined {
  if (secrets.length > 0) return 'the text typed into a password field is not a variable';
  return hasTypedUnseen ? 'the text typed at a coordinate may be a password' : undefined;
}

/**
 * Reads the cache entry for a task. Returns `undefined` if the task cannot be cached: without a cache, with computer
 * use, or if it continues a conversation.
 */
export async function recallTask(progress: Progress, task: Task, page: Page): Promise<AgentMemory | undefined> {
  const { cache, log, domSettleTimeout, mask } = task.verbs(page);
  // Screenshot coordinates are not valid on another screen.
  if (!cache || task.computer || task.earlier.length > 0) return undefined;
  // A page that is still loading may be about to redirect, so its URL is read after it has settled.
  if (!isPageSettled(page.target)) await settlePage(progress, page.target, domSettleTimeout);
  const key: CacheKey = {
    verb: 'agent',
    instruction: mask(task.written),
    url: page.url(),
    variables: task.variables.known.map(({ name }) => name),
    scope: scopeOf(task, mask),
  };
  const entry = await progress.race(cache.read(key, parseAgentEntry));
  return new AgentMemory(cache, { key, entry, log, verbs: (other) => task.verbs(other) });
}

/** Settings that change the steps of a run. They are part of the cache key. */
function scopeOf({ tools, systemPrompt, computer, withScreenshots }: Task, mask: (text: string) => string): object {
  const end = tools.find(({ kind }) => kind === 'end');
  const { output } = (end?.input['properties'] ?? {}) as { output?: unknown };
  const seen = withScreenshots ? 'hybrid' : 'dom';
  return {
    mode: computer ? 'cua' : seen,
    ...(output !== undefined && { output }),
    ...(systemPrompt && { systemPrompt: mask(systemPrompt) }),
  };
}
