import { isNoteOf, progressNoteOf } from '../../offline/agent/progress-note.ts';
import { DriverPageNotFoundError, DriverTimeoutError } from '../../errors.ts';
import type { Page } from '../../page/page.ts';
import type { NamedElement, ToolContext } from '../../tools/tool-context.ts';
import { failed, type ToolOutcome } from '../../tools/tool-outcome.ts';
import { Progress } from '../../util/progress.ts';
import { isPositional } from '../../replay/instruction-words.ts';
import type { AgentAction } from '../agent-result.ts';
import { MAX_CALLS } from '../run-calls.ts';
import type { Task } from '../task.ts';
import type { AgentEntry } from './agent-entry.ts';
import { dependenceOf } from './page-dependence.ts';
import { focusedPhrase } from './focused-phrase.ts';
import { pageDigest } from './page-digest.ts';
import { inputOfRecorded } from '../../policy/recorded-calls.ts';
import { isSameUrlPattern, type StepReplayResult, replayRecordedStep } from './play-recorded.ts';
import { phraseOfStep, recordedCall, type RecordedStep } from './recorded-step.ts';
import type { RunRecord } from './run-record.ts';

export interface Replayed {
  readonly entry: AgentEntry;
  readonly steps: readonly RecordedStep[];
  readonly actions: readonly AgentAction[];
  /** The page to continue on. */
  readonly page: Page;
  /** Why the replay stopped early. `undefined` if all steps were replayed. */
  readonly unfit?: string;
}

interface ReplayParts {
  readonly task: Task;
  readonly entry: AgentEntry;
  readonly page: Page;
  readonly record: RunRecord;
}

/**
 * Replays an earlier run until a step does not match. Runs at most as many actions as a normal run could, because cache
 * files can be edited.
 */
export async function replayTask(run: Progress, parts: ReplayParts): Promise<Replayed> {
  return new TaskReplay(run, parts).replay();
}

/** Maximum time in ms to wait for a page that the previous step should open. */
const OPENING_TIMEOUT_MS = 2000;

class TaskReplay {
  readonly #run: Progress;
  readonly #task: Task;
  readonly #entry: AgentEntry;
  readonly #record: RunRecord;
  readonly #instruction: string;
  readonly #pages: Page[];
  readonly #steps: RecordedStep[] = [];
  readonly #actions: AgentAction[] = [];
  #current: Page;

  constructor(run: Progress, { task, entry, page, record }: ReplayParts) {
    this.#run = run;
    this.#task = task;
    this.#entry = entry;
    this.#record = record;
    this.#instruction = withoutOwnPositions(task.instruction, entry.steps);
    this.#pages = [page];
    this.#current = page;
  }

  async replay(): Promise<Replayed> {
    const unfit = await this.#untilUnfit();
    const page = this.#current.isClosed() ? (this.#task.browser.activePage() ?? this.#current) : this.#current;
    const done = { entry: this.#entry, steps: this.#steps, actions: this.#actions, page };
    return { ...done, ...(unfit !== undefined && { unfit }) };
  }

  async #untilUnfit(): Promise<string | undefined> {
    try {
      const most = this.#task.maxSteps * MAX_CALLS;
      for (const [index, step] of this.#entry.steps.entries()) {
        if (index >= most) return `a run with maxSteps ${this.#task.maxSteps} has at most ${most} actions`;
        const unfit = await this.#play(step);
        if (unfit !== undefined) return unfit;
      }
      return undefined;
    } catch (error) {
      // After a timeout, the result still contains the replayed steps.
      if (!(error instanceof DriverTimeoutError) || error !== this.#run.signal.reason) throw error;
      return 'the time budget of the run is spent';
    }
  }

  /** Replays a step. Returns the reason if it does not match. */
  async #play(step: RecordedStep): Promise<string | undefined> {
    const page = await this.#pageOf(step);
    if (!page || page.isClosed()) return 'the page on which it was recorded is not open';
    this.#current = page;
    const task = this.#task;
    using call = beginCall(this.#run, { task, page, usePage: (other) => void (this.#current = other) });
    const { context } = call;
    const url = context.verbs.mask(page.url());
    const changed = await changedSince(step, context, task);
    if (changed !== undefined) return changed;
    const refusal = await refusalOf(this.#run, { task, context, step });
    if (refusal !== undefined) return refusal;
    const pages = this.#pages;
    const played = await replayRecordedStep(this.#run, { task, context, step, pages, instruction: this.#instruction });
    this.#note(step, played, { page, url });
    if (played.kind === 'unfit') return played.why;
    this.#steps.push(played.step);
    return undefined;
  }

  /** Records a step that ran, even if its effect was not the recorded one. */
  #note(
    step: RecordedStep,
    played: StepReplayResult,
    { page, url }: { readonly page: Page; readonly url: string },
  ): void {
    const done = played.kind === 'done' ? played : played.done;
    if (!done) return;
    const { outcome } = done;
    const { effect } = outcome;
    const kept = played.kind === 'done' || !effect ? done.step : { ...done.step, effect };
    this.#record.addReplayed(kept, page);
    const action = actionOf(step, outcome, url);
    this.#actions.push(action);
    this.#task.events.action(action);
  }

  /**
   * Returns the page of a step. For a new page: the current one if the replay has switched to it, else an open one with
   * a similar URL, else one that opens within 2 s.
   */
  async #pageOf(step: RecordedStep): Promise<Page | undefined> {
    const known = this.#pages[step.page];
    if (known) return known;
    const page = this.#pages.includes(this.#current) ? await this.#otherPage(step) : this.#current;
    if (page) this.#pages.push(page);
    return this.#pages[step.page];
  }

  async #otherPage({ url }: RecordedStep): Promise<Page | undefined> {
    const { browser } = this.#task;
    const { mask } = this.#task.verbs(this.#current);
    const others = browser.pages().filter((page) => !this.#pages.includes(page));
    const open = others.find((page) => isSameUrlPattern(mask(page.url()), url));
    if (open) return open;
    try {
      return await this.#run.race(browser.awaitOpenedPage(Math.min(OPENING_TIMEOUT_MS, this.#run.remaining)));
    } catch (error) {
      this.#run.throwIfEnded();
      if (!(error instanceof DriverPageNotFoundError)) throw error;
      return undefined;
    }
  }
}

/** Returns what changed since the recording, if the step depends on it. */
async function changedSince(
  { tool, input, shown, focused }: RecordedStep,
  { progress, page, verbs }: ToolContext,
  task: Task,
): Promise<string | undefined> {
  const { instruction } = task;
  if (shown !== undefined && (await pageDigest(progress, page, { kind: 'exact', verbs, instruction })) !== shown)
    return `the page content has changed, and the task depends on it ("${dependenceOf(task, []) ?? ''}")`;
  const now = focused === undefined ? undefined : await focusedPhrase(progress, page, verbs);
  return now === focused
    ? undefined
    : `${tool} ${String(input['keys'])} was recorded with the focus on ${focused || 'the page'}, and the focus is on ${now || 'the page'} now`;
}

interface CallOnPage {
  readonly task: Task;
  readonly page: Page;
  readonly usePage: (page: Page) => void;
}

function beginCall(run: Progress, { task, page, usePage }: CallOnPage): Disposable & { readonly context: ToolContext } {
  const { remaining } = run;
  const progress = new Progress({
    operation: 'agent',
    timeout: Math.min(task.toolTimeout || remaining, remaining),
    signals: [run.signal],
    obstacle: () => page.target.obstacle,
  });
  const context = task.host.context({
    progress,
    page,
    shown: undefined,
    element: () => undefined,
    noteShown: nothing,
    expand: nothing,
    usePage,
    runTool: (name) => Promise.resolve(failed(`the tool ${name} was recorded as a separate step`)),
    hasTool: (name) => task.tools.some((other) => other.name === name),
  });
  return { context, [Symbol.dispose]: () => progress[Symbol.dispose]() };
}

function nothing(): void {}

/**
 * Returns why the step may not run: its tool is excluded, or the domain policy or `onBeforeAction` refuses it. The input
 * for the callback describes the element instead of containing a ref.
 */
async function refusalOf(
  run: Progress,
  { task, context, step }: { readonly task: Task; readonly context: ToolContext; readonly step: RecordedStep },
): Promise<string | undefined> {
  const tool = task.tools.find(({ name }) => name === step.tool);
  if (!tool) return `the tool ${step.tool} is excluded`;
  const call = { id: 'cached', tool: step.tool, input: inputForModel(step) };
  return task.gate.refusal(run, {
    call,
    tool,
    page: context.page,
    step: 0,
    shown: undefined,
    element: () => namedElement(step, context),
    mask: (text) => context.verbs.mask(text),
  });
}

function namedElement({ element }: RecordedStep, { page }: ToolContext): NamedElement | undefined {
  if (!element) return undefined;
  const { selector } = element.step.action;
  const { role, name } = element.step.fingerprint;
  return { target: { frame: page.target.frames.main, element: { selector }, label: selector }, role, name };
}

function inputForModel({ tool, input, element }: RecordedStep): object {
  if (!element) return input;
  const { role, name } = element.step.fingerprint;
  const ref = name === '' ? role : `${role} ${JSON.stringify(name)}`;
  return { ref, ...input, ...inputOfRecorded(recordedCall(tool, element)) };
}

function actionOf(step: RecordedStep, { text, effect }: ToolOutcome, url: string): AgentAction {
  return {
    tool: step.tool,
    input: inputForModel(step),
    result: text,
    success: true,
    ...(effect && { effect }),
    url,
    step: 0,
    timestamp: new Date().toISOString(),
  };
}

/** Removes ordinals that are part of an element name, such as "First name". They do not select by position. */
function withoutOwnPositions(instruction: string, steps: readonly RecordedStep[]): string {
  const texts = steps.flatMap(({ element }) => {
    const { name = '', title = '', column = '', sections = [], row = [] } = element?.step.fingerprint ?? {};
    return [name, title, column, ...sections, ...row];
  });
  const words = instruction.split(/(?<=\s)|(?=\s)/);
  return words.filter((word) => !isPositional(word, []) || isPositional(word, texts)).join('');
}

/** Returns the messages for the model that continues after a replay. */
export function replayMessages({ entry, steps, actions, unfit }: Replayed): {
  readonly done: string;
  readonly next: string;
  /** The next step, and why it does not match. Quotes page text, so it needs boundary lines. */
  readonly unfit?: string;
} {
  const done = actions.map(({ result }, index) => `${index + 1}. ${result}`).join('\n');
  const step = entry.steps[steps.length];
  if (unfit === undefined || !step)
    return {
      done,
      next: 'These were all recorded steps. Look at the current page: if the task is done, call done with an answer that matches this page; otherwise complete what is missing.',
    };
  return {
    done,
    next: 'The next recorded step no longer matches. Continue from here, and do not repeat completed steps. The step, and why it does not match:',
    unfit: `${phraseOfStep(step)}: ${unfit}`,
  };
}

/**
 * Returns the model's last progress note, if all steps it covers were replayed. Ignores a note that does not quote the
 * task: cache files can be edited, and the model would take the note for its own words.
 */
export function noteOfReplay({ entry, steps }: Replayed, instruction: string): string | undefined {
  const last = steps.findLastIndex((_, index) => entry.steps[index]?.note !== entry.steps[index + 1]?.note);
  const note = progressNoteOf(entry.steps[last]?.note ?? '');
  return note !== undefined && isNoteOf(note, instruction) ? note : undefined;
}
