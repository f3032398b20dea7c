import type { Page } from '../../page/page.ts';
import type { NamedElement, ToolContext } from '../../tools/tool-context.ts';
import type { ToolOutcome } from '../../tools/tool-outcome.ts';
import { Progress } from '../../util/progress.ts';
import { isPositional } from '../../verb/replay/instruction-words.ts';
import type { AgentAction } from '../agent-result.ts';
import type { Task } from '../task.ts';
import type { AgentEntry } from './agent-entry.ts';
import { type PlayedAgain, playRecorded } from './play-recorded.ts';
import { phraseOfStep, type RecordedStep } from './recorded-step.ts';
import type { RunRecord } from './run-record.ts';

/** What of an earlier run was done again. */
export interface Replayed {
  readonly entry: AgentEntry;
  readonly steps: readonly RecordedStep[];
  readonly actions: readonly AgentAction[];
  /** The page that the run has come to. */
  readonly page: Page;
  /** Why the rest was not done again; undefined when all was. */
  readonly unfit?: string;
}

interface Replay {
  readonly task: Task;
  readonly entry: AgentEntry;
  readonly page: Page;
  /** Is told every step that was done again. */
  readonly record: RunRecord;
}

/** Does again what an earlier run did, step by step, up to the first that does not fit. */
export async function replayTask(run: Progress, { task, entry, page, record }: Replay): Promise<Replayed> {
  const instruction = withoutOwnPositions(task.instruction, entry.steps);
  const pages: Page[] = [page];
  const steps: RecordedStep[] = [];
  const actions: AgentAction[] = [];
  let current = page;
  const replayed = (unfit?: string): Replayed => ({
    entry,
    steps,
    actions,
    page: current.isClosed() ? (task.browser.activePage() ?? current) : current,
    ...(unfit !== undefined && { unfit }),
  });
  for (const step of entry.steps) {
    const place = pageOf(step, { pages, current });
    if (!place || place.isClosed()) return replayed('no page has opened for it');
    current = place;
    const url = place.url();
    using call = beginCall(run, { task, page: place, usePage: (other) => void (current = other) });
    const { context } = call;
    const refusal = await refusalOf(run, { task, context, step });
    if (refusal !== undefined) return replayed(refusal);
    const played = await playRecorded(run, { task, context, step, pages, instruction });
    if (played.outcome) {
      const action = actionOf(step, played.outcome, url);
      actions.push(action);
      task.events.action(action);
    }
    noteIn(record, { played, step, page: place });
    if (played.kind === 'unfit') return replayed(played.why);
    steps.push(played.step);
  }
  return replayed();
}

/** The page that a step was done on: one of the run so far, or the one that it has just come to. */
function pageOf(step: RecordedStep, { pages, current }: { pages: Page[]; current: Page }): Page | undefined {
  const known = pages[step.page];
  if (known || pages.includes(current)) return known;
  pages.push(current);
  return pages[step.page];
}

interface CallOnPage {
  readonly task: Task;
  readonly page: Page;
  readonly usePage: (page: Page) => void;
}

function beginCall(run: Progress, { task, page, usePage }: CallOnPage): Disposable & { readonly context: ToolContext } {
  const progress = new Progress({
    operation: 'agent',
    timeout: Math.min(task.toolTimeout, run.remaining),
    signals: [run.signal],
    obstacle: () => page.target.obstacle,
  });
  const context = task.host.context({
    progress,
    page,
    shown: undefined,
    element: () => undefined,
    noteTold: nothing,
    expand: nothing,
    usePage,
  });
  return { context, [Symbol.dispose]: () => progress[Symbol.dispose]() };
}

// Nobody looks at the page during a replay.
function nothing(): void {}

/** Why whoever gave the task does not want a step done; they are told its element in words in place of a ref. */
async function refusalOf(
  run: Progress,
  { task, context, step }: { readonly task: Task; readonly context: ToolContext; readonly step: RecordedStep },
): Promise<string | undefined> {
  const tool = task.tools.find(({ name }) => name === step.tool);
  if (!tool) return `the tool ${step.tool} is not to be used`;
  const call = { id: 'cached', tool: step.tool, input: toldInput(step) };
  return task.gate.refusal(run, {
    call,
    tool,
    page: context.page,
    step: 0,
    shown: undefined,
    element: () => namedElement(step, context),
  });
}

function namedElement({ element }: RecordedStep, { page }: ToolContext): NamedElement | undefined {
  if (!element) return undefined;
  const { selector } = element.step.action;
  const { role, name } = element.step.fingerprint;
  return { target: { frame: page.target.frames.main, element: { selector }, label: selector }, role, name };
}

function toldInput({ input, element }: RecordedStep): object {
  if (!element) return input;
  const { role, name } = element.step.fingerprint;
  return { ref: name === '' ? role : `${role} ${JSON.stringify(name)}`, ...input };
}

function actionOf(step: RecordedStep, { text, effect }: ToolOutcome, url: string): AgentAction {
  return {
    tool: step.tool,
    input: toldInput(step),
    result: text,
    success: true,
    ...(effect && { effect }),
    url,
    step: 0,
    timestamp: new Date().toISOString(),
  };
}

/** What was done counts for a script even when the page did not answer as it did then. */
function noteIn(
  record: RunRecord,
  { played, step, page }: { readonly played: PlayedAgain; readonly step: RecordedStep; readonly page: Page },
): void {
  if (played.kind === 'done') record.addReplayed(played.step, page);
  else if (played.outcome)
    record.addReplayed({ ...step, ...(played.outcome.effect && { effect: played.outcome.effect }) }, page);
}

/** The task without words such as "first" that are part of what its elements are called: "First name" counts nothing. */
function withoutOwnPositions(instruction: string, steps: readonly RecordedStep[]): string {
  const texts = steps.flatMap(({ element }) => {
    const { name = '', title = '', column = '', sections = [], row = [] } = element?.step.fingerprint ?? {};
    return [name, title, column, ...sections, ...row];
  });
  const words = instruction.split(/(?<=\s)|(?=\s)/);
  return words.filter((word) => !isPositional(word, []) || isPositional(word, texts)).join('');
}

/** What a model is told that goes on where a replay ended. */
export function wordsOfReplay({ entry, steps, actions, unfit }: Replayed): {
  readonly done: string;
  readonly next: string;
} {
  const done = actions.map(({ result }, index) => `${index + 1}. ${result}`).join('\n');
  const step = entry.steps[steps.length];
  if (unfit === undefined || !step)
    return {
      done,
      next: 'That was all that was done then. Look at what the page shows now: when the task is done, call done with an answer that is true now; else do what is missing.',
    };
  return {
    done,
    next: `What came next then, ${phraseOfStep(step)}, does not fit any more: ${unfit}. Go on from here, and do not do again what is done.`,
  };
}
