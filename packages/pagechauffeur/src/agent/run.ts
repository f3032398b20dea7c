import { createHash } from 'node:crypto';
import { DriverClosedError, DriverTimeoutError } from '../errors.ts';
import type {
  AnswerPart,
  FinishReason,
  ModelCall,
  ModelCallResult,
  ModelMessage,
  ModelUsage,
  StepAnswer,
} from '../model/model-client.ts';
import { usageSince } from '../model/model-usage.ts';
import { callsOf } from '../model/step-answer.ts';
import { ungrouped } from '../model/tool-groups.ts';
import type { Page } from '../page/page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { formatOutcome, outcomeText } from '../tools/outcome-text.ts';
import type { Progress } from '../util/progress.ts';
import { truncate } from '../util/truncate.ts';
import { markUntrusted } from '../model/untrusted-text.ts';
import { pageHeading } from '../model/prompt.ts';
import { ActionList } from './action-list.ts';
import type { AgentPart } from './agent-callbacks.ts';
import { beginningOf } from './agent-prompt.ts';
import type { AgentAction, Ending, RunOutcome } from './agent-result.ts';
import { callRunner } from './call-runner.ts';
import { COMPUTER_RULES, type ComputerUse } from './computer-use/computer-use.ts';
import type { ScreenMessage } from './computer-use/protocol.ts';
import { Conversation } from './conversation.ts';
import { DIGEST_HEADING, digestOf, readingResults, isReading } from './digest.ts';
import { CompletionCheck, type CompletionVerdict } from './completion-check.ts';
import { LoopDetector } from './loop-detector.ts';
import { PageWatch } from './page-watch.ts';
import { stepSettings, type StepSettings } from './prepare-step.ts';
import { type CallRunner, type CompletedCall, runCalls, toResults } from './run-calls.ts';
import { askForStep, type RequestedStep } from './step-question.ts';
import type { Task } from './task.ts';
import { type WorkPageView, WorkPage } from './work-page.ts';

/**
 * Number of times in a row that the model is reminded to call a tool. If its next response has no tool call either, the
 * run ends.
 */
const MAX_REMINDERS = 2;
/** Maximum length of model text in a log line. */
const MAX_LOGGED_TEXT = 200;

/** Actions that were replayed before the first model call. */
interface ReplayedActions {
  readonly actions: readonly AgentAction[];
  /** Describes the actions to the model. */
  readonly words: string;
  /** The model's own progress note. */
  readonly note: string | undefined;
}

interface EndedStep {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly calls: readonly ModelCall[];
  readonly actions: readonly AgentAction[];
  readonly usageBefore: ModelUsage;
}

/**
 * One run of an agent: a conversation with one model call per step (`#takeStep`). Cache and replay are outside
 * (`replay/replaying.ts`). The domain policy and `onBeforeAction` can refuse a call that acts (`action-gate.ts`). Tools
 * insert variable values and acquire the page lock themselves.
 *
 * These endings have `completed: true`:
 *
 * - the model calls `done`, with the data if the task has an `output` schema, and the claim is accepted, or was
 *   questioned often enough (`completion-check.ts`). `success` is the claimed one, or what the page supports;
 * - a computer-use model calls no tool in two steps in a row, because such models usually end with text
 *   (`success: false`).
 *
 * These have `success: false` and `completed: false`, and a message with the results so far:
 *
 * - a person does not approve a call for which the provider requires a safety check;
 * - 7 of the last 20 steps had the same calls, the same page before and the same page after (`loop-detector.ts`). The
 *   model is advised from the third one on;
 * - another model calls no tool although it was reminded twice;
 * - the budget or `maxSteps` is used up. The model is warned at 75 % of each limit, and before the last step
 *   (`budget-tracker.ts`);
 * - no page is open.
 *
 * If the built-in model calls `done` because it did not understand the task, `completed` is false, too. Errors of the
 * model, of `prepareStep` and of the first read of the page, and the abort signal make `run` throw. The model gets tool
 * errors as results.
 */
export class Run {
  readonly #task: Task;
  readonly #progress: Progress;
  readonly #conversation: Conversation;
  /** What the model has received of each page. */
  readonly #shownPages: PageWatch;
  /** The page that the agent works on now. */
  readonly #work: WorkPage;
  readonly #completion = new CompletionCheck();
  readonly #loops = new LoopDetector();
  readonly #actions: ActionList;
  /** The user's system prompt. `prepareStep` can change it. */
  #instructions: string | undefined;
  #step = 0;
  #emptyAnswers = 0;
  /** The model's last text, for the message of a run that a limit ends. */
  #lastWords = '';
  #lastId = 0;
  /** Calls of the current step that have an outcome, including refused and skipped ones. */
  #completedCalls: CompletedCall[] = [];
  /** Part of the page's fingerprint: a screenshot can change while the page text stays the same. */
  #screenshotHash = '';

  constructor(progress: Progress, task: Task, page: Page) {
    const { instruction, systemPrompt, earlier, withTree } = task;
    const beginning = beginningOfTask(task, systemPrompt);
    this.#task = task;
    this.#instructions = systemPrompt;
    this.#actions = new ActionList(task.events);
    this.#progress = progress;
    this.#conversation = new Conversation(beginning.system, beginning.task, earlier);
    const { pageTools } = task.host;
    this.#shownPages = new PageWatch({ instruction, withTree, tokenBudget: task.verbs(page).tokenBudget, pageTools });
    const settleTimeout = (other: Page): number => task.verbs(other).domSettleTimeout;
    const { pictures } = task.host;
    const picture = task.withScreenshots ? pictures.take.bind(pictures) : undefined;
    const { browser, toolTimeout: readTimeout } = task;
    this.#work = new WorkPage(page, { browser, watch: this.#shownPages, settleTimeout, readTimeout, picture });
    this.#lastId = lastIdIn(earlier);
  }

  /** Adds actions that were replayed before the run. Call it before `run`. */
  resumeFrom({ actions, words, note }: ReplayedActions): void {
    this.#actions.begin(actions);
    this.#conversation.addWords(words);
    if (note !== undefined) this.#conversation.addAnswer({ text: note, calls: [], original: undefined });
  }

  async run(): Promise<RunOutcome> {
    const ending = await this.#untilEnd();
    // Providers reject a conversation with calls that have no result. `finish` adds the missing results, if any.
    this.#conversation.finish(this.#resultsOf(this.#completedCalls));
    const { history } = this.#conversation;
    const messages = this.#task.computer?.toPlainMessages(history) ?? history;
    return { ...ending, actions: this.#actions.all, messages, usage: this.#task.budgetTracker.usage };
  }

  async #untilEnd(): Promise<Ending> {
    try {
      return (await this.#begin()) ?? (await this.#takeSteps());
    } catch (error) {
      if (!this.#isTimeUp(error)) throw error;
      return this.#stopEarly(`its budget of ${error.timeout} ms was spent`);
    }
  }

  async #begin(): Promise<Ending | undefined> {
    const view = await this.#work.read(this.#progress);
    if (!view) return this.#stopEarly('every page was closed');
    await this.#task.computer?.readScreen(this.#progress, this.#work.page);
    const { page } = this.#work;
    this.#log(`agent ${JSON.stringify(this.#task.instruction)} starts on ${page.url()}`);
    this.#addPage(view);
    return undefined;
  }

  async #takeSteps(): Promise<Ending> {
    const { maxSteps, budgetTracker } = this.#task;
    for (this.#step = 1; this.#step <= maxSteps; this.#step += 1) {
      const ending = await this.#takeStep();
      if (ending) return ending;
      if (budgetTracker.exhausted !== undefined) return this.#stopEarly(budgetTracker.exhausted);
    }
    return this.#stopEarly(`it reached its limit of ${maxSteps} steps (maxSteps)`);
  }

  /**
   * Runs one step: warn about limits, call `prepareStep`, ask the model, run its calls, report the step. `step-finish`
   * follows `step-start` unless the step breaks off: because of an error, the time budget, or because no page is open.
   * Such a step is not in the result's `steps`.
   */
  async #takeStep(): Promise<Ending | undefined> {
    const usageBefore = this.#task.budgetTracker.usage;
    const warning = this.#task.budgetTracker.warning(this.#step);
    if (warning !== undefined) this.#advise(warning);
    const settings = await this.#prepare();
    this.#task.events.stepStarted(this.#step - 1);
    const asked = await this.#ask(settings);
    if (!asked) return this.#stopEarly('every page was closed');
    // `isOriginalBound`: the provider rejects `original` once an earlier message has changed.
    const { answer, original, isOriginalBound, finishReason } = asked;
    const calls = callsOf(answer, () => this.#newId());
    if (answer.text !== '') this.#lastWords = this.#task.verbs(this.#work.page).mask(answer.text);
    if (answer.text !== '') this.#log(`step ${this.#step}: ${JSON.stringify(truncate(answer.text, MAX_LOGGED_TEXT))}`);
    this.#conversation.addAnswer({ text: answer.text, calls, original, isOriginalBound });
    const actionsBefore = this.#actions.all.length;
    const ending = calls.length === 0 ? this.#handleEmptyAnswer(answer) : await this.#executeCalls(calls, settings);
    this.#task.noteResponse?.(answer.text);
    this.#endStep({
      text: answer.text,
      finishReason,
      calls,
      actions: this.#actions.all.slice(actionsBefore),
      usageBefore,
    });
    // The built-in model can report that it did not understand the task. Its `done` then completes nothing.
    return ending && answer.isNotUnderstood && !ending.success ? { ...ending, completed: false } : ending;
  }

  /** Returns the settings of the step, which `prepareStep` can change. */
  async #prepare(): Promise<StepSettings> {
    const { history } = this.#conversation;
    const { page } = this.#work;
    const situation = { page, stepNumber: this.#step - 1, instructions: this.#instructions, messages: history };
    const settings = await stepSettings(this.#progress, this.#task, situation);
    const { instructions, messages } = settings;
    if (messages) this.#conversation.replace(history, messages);
    if (instructions !== undefined && instructions !== this.#instructions) {
      this.#instructions = instructions;
      this.#conversation.instruct(beginningOfTask(this.#task, instructions).system);
    }
    return settings;
  }

  #endStep({ text, finishReason, calls, actions, usageBefore }: EndedStep): void {
    const { budgetTracker, events } = this.#task;
    const results = new Map(this.#actions.takeResults().map((result) => [result.toolCallId, result]));
    events.stepEnded({
      step: this.#step,
      text,
      actions,
      finishReason,
      toolCalls: calls.map((call) => {
        const { tool: toolName, input } = calledFor(call);
        return { type: 'tool-call', toolCallId: call.id, toolName, input };
      }),
      toolResults: calls.flatMap(({ id }) => results.get(id) ?? []),
      usage: usageSince(usageBefore, budgetTracker.usage),
      totalUsage: budgetTracker.usage,
    });
  }

  /**
   * Runs the calls of a step:
   *
   * 1. Run them in order. After a failure, a navigation, `done`, a takeover by an operator or 10 calls, the rest is
   *    skipped, except a `done` directly after a navigation (`run-calls.ts`). Computer use has no limit of calls. After
   *    a call, the page settles as far as the next one needs it (`requiredSettle`). Stop if a call ends the run.
   * 2. Read the page. A quiet page without frames is not read again if the step was only `done`.
   * 3. Check a `done` call against the page before and after the step.
   * 4. Add the results to the conversation, and stop if the run is done or no page is open.
   * 5. If the conversation is too long, replace its earlier part with a digest. Add the page, in short form if it only
   *    has to confirm `done` (`#viewToAdd`).
   * 6. Stop a model that repeats itself, or advise it.
   */
  async #executeCalls(calls: readonly ModelCall[], settings: StepSettings): Promise<Ending | undefined> {
    this.#emptyAnswers = 0;
    this.#completedCalls = [];
    const fingerprintBefore = this.#pageFingerprint();
    const shownBefore = this.#shownPages.shown(this.#work.page);
    const completed = await runCalls(calls, this.#runner(settings));
    const fatal = this.#fatalEnding(completed);
    // `run` adds the results of these calls to the conversation.
    if (fatal) return fatal;

    const isFull = this.#conversation.tokens > this.#task.contextTokens;
    // The digest replaces the earlier pages, so the model needs the whole page and not only its changes.
    if (isFull) this.#shownPages.forget();
    const isOnlyDone = completed.every(({ tool }) => tool?.kind === 'end');
    const view = await this.#work.read(this.#progress, { isWithoutActions: isOnlyDone });

    const { calls: judged, ending, isOnlyStaleView } = await this.#judge(completed, view, shownBefore);

    const screen = await this.#addResults(judged, view);
    if (ending) return ending;
    if (!view) return this.#stopEarly('every page was closed');

    if (isFull) this.#conversation.compact(this.#digest());
    const shown = await this.#viewToAdd(view, isOnlyStaleView);
    // The digest has removed the earlier screens, so the current one gets its own message even if the results show it.
    this.#addPage(shown, isFull ? undefined : screen);

    return this.#checkForLoop(completed, fingerprintBefore);
  }

  /**
   * Checks a `done` call. A claim of success that the page does not support is questioned up to 3 times per run: once
   * for `done` alone, twice for `done` with an action in its step. Later claims end the run, with the `success` that
   * the page supports. A claim of `success: false` is accepted immediately.
   */
  async #judge(
    completed: readonly CompletedCall[],
    view: WorkPageView | undefined,
    before: Snapshot | undefined,
  ): Promise<CompletionVerdict> {
    const { page } = this.#work;
    const verdict = await this.#completion.judge(completed, {
      progress: this.#progress,
      verbs: this.#task.verbs(page),
      view,
      before,
      now: this.#shownPages.shown(page),
    });
    for (const item of verdict.calls) if (item.tool?.kind === 'end') this.#record(item);
    return verdict;
  }

  /** Adds the results to the conversation. With computer use, returns the current screen if a page is open. */
  async #addResults(
    calls: readonly CompletedCall[],
    view: WorkPageView | undefined,
  ): Promise<ScreenMessage | undefined> {
    const results = this.#resultsOf(calls);
    const screen = view && (await this.#addScreen(calls, results));
    this.#conversation.addResults(screen?.results ?? results);
    return screen;
  }

  /**
   * Returns the view as it is, unless the model has called `done` and must only see that the page changed. Then returns
   * the changes, or a few lines of a new page. If the model continues instead, the next view shows the whole page.
   */
  async #viewToAdd(view: WorkPageView, isOnlyStaleView = false): Promise<WorkPageView> {
    const { kind } = view.observation ?? {};
    if (!isOnlyStaleView || kind === undefined || kind === 'same') return view;
    if (kind === 'page' && this.#task.computer) return view;
    // This is probably the last request, so the changes are enough. A whole page removes the earlier ones anyway.
    if (kind === 'changes') this.#conversation.removePages();
    const brief = kind === 'page' ? await this.#work.read(this.#progress, { isBrief: true }) : undefined;
    this.#shownPages.forget();
    return brief ?? view;
  }

  #resultsOf(items: readonly CompletedCall[]): ModelCallResult[] {
    const { boundary } = this.#task.verbs(this.#work.page);
    return toResults(items, { boundary, variables: this.#task.variables.known });
  }

  async #addScreen(
    calls: readonly CompletedCall[],
    results: readonly ModelCallResult[],
  ): Promise<ScreenMessage | undefined> {
    const { computer } = this.#task;
    await computer?.readScreen(this.#progress, this.#work.page, calls);
    return computer?.formatResults(calls, results);
  }

  #fatalEnding(completed: readonly CompletedCall[]): Ending | undefined {
    const why = completed.find(({ outcome }) => outcome.endsRun !== undefined)?.outcome.endsRun;
    return why === undefined ? undefined : this.#stopEarly(why);
  }

  /**
   * Returns the model's response about the current page. If that page closes, asks about the next one. Returns
   * `undefined` if no page is open.
   */
  async #ask(settings: StepSettings): Promise<RequestedStep | undefined> {
    for (;;) {
      const { page } = this.#work;
      try {
        return await this.#askAbout(page, settings);
      } catch (error) {
        this.#progress.throwIfEnded();
        if (!(error instanceof DriverClosedError && page.isClosed())) throw error;
      }
      const view = await this.#work.read(this.#progress);
      if (!view) return undefined;
      await this.#task.computer?.readScreen(this.#progress, this.#work.page);
      this.#addPage(view);
    }
  }

  #askAbout(page: Page, settings: StepSettings): Promise<RequestedStep> {
    const shown = this.#shownPages.shown(page);
    if (!shown) throw new TypeError('a request needs a snapshot first');
    const { messages } = this.#conversation;
    const { isTextStreamed } = this.#task.events;
    const onPart = isTextStreamed ? (part: AnswerPart): void => this.#emitText(part) : undefined;
    return askForStep(this.#progress, this.#task, { page, shown, messages, settings, onPart });
  }

  #addPage({ observation, title, note, picture }: WorkPageView, screen?: Pick<ScreenMessage, 'text' | 'images'>): void {
    const { page } = this.#work;
    const { boundary } = this.#task.verbs(page);
    if (note !== undefined)
      this.#conversation.addWords(formatOutcome(note, { boundary, variables: this.#task.variables.known }));
    // The page does not respond. `note` says so.
    if (!observation) return;
    if (picture) this.#screenshotHash = createHash('sha256').update(picture.data).digest('base64url');
    const { kind, text } = observation;
    const heading = pageHeading({ title, url: page.url() });
    this.#completion.noteShown(`${heading}\n${text}`);
    const { computer } = this.#task;
    if (computer) return this.#addScreenMessage(computer, heading, screen ?? computer.screenMessage());
    const seen =
      kind === 'same'
        ? 'No line of the page has changed.'
        : markUntrusted(`${heading}\n${text}`, boundary, this.#task.variables.known);
    this.#conversation.addPage({ text: seen, isWhole: kind === 'page', picture });
  }

  #addScreenMessage(
    computer: ComputerUse,
    heading: string,
    { text, images }: Pick<ScreenMessage, 'text' | 'images'>,
  ): void {
    const { boundary } = this.#task.verbs(this.#work.page);
    const place = computer.newHeading(heading);
    const words = [text, ...(place === undefined ? [] : [markUntrusted(place, boundary, this.#task.variables.known)])];
    const said = words.filter((part) => part !== '').join('\n');
    if (said !== '') this.#conversation.addWords(said, images);
  }

  #runner({ tools }: StepSettings): CallRunner {
    return callRunner({
      tools,
      progress: this.#progress,
      task: this.#task,
      work: this.#work,
      watch: this.#shownPages,
      step: this.#step,
      onEnd: (item) => {
        this.#completedCalls.push(item);
        if (item.tool?.kind !== 'end') this.#record(item);
      },
    });
  }

  #handleEmptyAnswer({ text }: StepAnswer): Ending | undefined {
    this.#emptyAnswers += 1;
    // Computer-use models usually end with text instead of a tool call.
    if (this.#task.computer && this.#emptyAnswers > 1) return { success: false, completed: true, message: text };
    if (this.#emptyAnswers > MAX_REMINDERS)
      return this.#stopEarly(`the model called no tool${text ? `: ${text}` : ''}`);
    this.#conversation.addWords('Call a tool. If the task is done, or cannot be done, call done.');
    return undefined;
  }

  /**
   * Ends the run, or advises the model, if it repeats itself. A reading tool that returns another result each time,
   * such as the progress of a job, is no repetition.
   */
  #checkForLoop(completed: readonly CompletedCall[], fingerprintBefore: string): Ending | undefined {
    const calls = completed.map(({ call: { tool, input }, outcome }) => [
      tool,
      input,
      isReading(tool) ? outcomeText(outcome) : '',
    ]);
    const key = JSON.stringify(calls);
    const verdict = this.#loops.note(key, `${fingerprintBefore} ${this.#pageFingerprint()}`);
    if (verdict.kind === 'stop') return this.#stopEarly(verdict.text);
    if (verdict.kind === 'tell') this.#advise(verdict.text);
    return undefined;
  }

  #advise(words: string): void {
    this.#conversation.addWords(words);
    this.#log(`step ${this.#step}: advised the model: ${words}`);
  }

  #log(line: string): void {
    this.#task.verbs(this.#work.page).log.write('agent', 1, line);
  }

  #pageFingerprint(): string {
    const { page, documentIdentity } = this.#work;
    const { computer } = this.#task;
    return `${documentIdentity.document} ${documentIdentity.address} ${computer?.signature ?? `${this.#shownPages.shown(page)?.text ?? ''} ${this.#screenshotHash}`}`;
  }

  /** Returns the ending for a limit that was reached, with the results so far. */
  #stopEarly(why: string): Ending {
    const gathered = readingResults(this.#actions.all);
    const read = gathered === '' ? '' : `\nRead so far:\n${gathered}`;
    const words =
      this.#lastWords === '' || why.endsWith(this.#lastWords) ? '' : `\nLast message of the agent: ${this.#lastWords}`;
    return {
      success: false,
      completed: false,
      message: `The run ended before the task was done: ${why}.${read}${words}`,
    };
  }

  #digest(): string {
    const { contextTokens, earlier } = this.#task;
    const digest = digestOf({ earlier, actions: this.#actions.all, mostCharacters: contextTokens });
    const { boundary } = this.#task.verbs(this.#work.page);
    return `${DIGEST_HEADING}\n${markUntrusted(digest, boundary, this.#task.variables.known)}`;
  }

  #isTimeUp(error: unknown): error is DriverTimeoutError {
    const reason: unknown = this.#progress.signal.reason;
    return error instanceof DriverTimeoutError && error === reason;
  }

  #record(item: CompletedCall): void {
    this.#actions.note(item, { step: this.#step, verbs: this.#task.verbs(this.#work.page) });
  }

  #emitText(part: AnswerPart): void {
    const step = this.#step;
    if (part.kind === 'call') this.#emit({ type: 'tool-call', step, ...calledFor(part.call) });
    else this.#emit({ type: part.kind, step, text: part.text });
  }

  #emit(part: AgentPart): void {
    this.#task.events.part(part);
  }

  #newId(): string {
    this.#lastId += 1;
    return `call-${this.#lastId}`;
  }
}

/** Tool and input of a call. For a tool group, the tool within the group. */
function calledFor(call: ModelCall): Pick<ModelCall, 'tool' | 'input'> {
  const { tool, input } = ungrouped(call);
  return { tool, input };
}

/** The rules and the task, with the user's system prompt. */
function beginningOfTask(task: Task, systemPrompt: string | undefined): ReturnType<typeof beginningOf> {
  const { instruction, variables, withScreenshots, computer } = task;
  const rules = computer && COMPUTER_RULES;
  return beginningOf({ task: instruction, systemPrompt, variables: variables.known, rules, withScreenshots });
}

/** Returns the highest number among the generated call IDs, so that new IDs are unique in the conversation. */
function lastIdIn(messages: readonly ModelMessage[]): number {
  const ids = messages.flatMap(({ calls = [] }) => calls.map(({ id }) => id));
  return Math.max(0, ...ids.map((id) => Number(/^call-(\d+)$/.exec(id)?.[1] ?? 0)));
}
