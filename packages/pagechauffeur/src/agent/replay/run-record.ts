import { progressNoteOf } from '../../offline/agent/progress-note.ts';
import { typedText } from '../../actions/methods.ts';
import type { Page } from '../../page/page.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ToolContext } from '../../tools/tool-context.ts';
import type { ToolOutcome } from '../../tools/tool-outcome.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import { isRecord } from '../../util/is-record.ts';
import { pageText } from '../../util/placeholders.ts';
import { normalizedFrameUrl } from '../../replay/stored-step.ts';
import { VariableTable } from '../../policy/variables.ts';
import { elementSteps, type NotedStep } from './element-steps.ts';
import { dependenceOf } from './page-dependence.ts';
import { focusedPhrase } from './focused-phrase.ts';
import { pageDigest } from './page-digest.ts';
import { REPEATED_TOOLS, type RecordedStep, type StepFacts } from './recorded-step.ts';
import { hasWords, type KnownTexts, notReplayableReason } from './known-texts.ts';
import { readElements, type StepNotes } from './step-notes.ts';

/** Tools that only read. They are not replayed. */
const READS: ReadonlySet<string> = new Set(['find', 'expand', 'extract', 'screenshot', 'zoom']);
/** The first `count` steps can be replayed. `why` is the reason why the next one cannot. */
interface Limit {
  readonly count: number;
  readonly why: string;
}

interface RecordedRun {
  /** The instruction, with `%%` replaced by `%`. */
  readonly instruction: string;
  readonly variables: VariableTable;
}

interface StartedCall {
  readonly context: ToolContext;
  readonly input: Readonly<Record<string, unknown>>;
  readonly facts: StepFacts;
}

/** Records what a run does, for replays and scripts. */
export class RunRecord implements KnownTexts {
  readonly steps: RecordedStep[] = [];
  #instruction: string;
  #dependsOnPage = false;
  readonly #pages: Page[] = [];
  readonly #shown = new Set<string>();
  readonly #secrets: string[] = [];
  #limit: Limit | undefined;
  #noted = 0;
  #evidence: readonly string[] = [];
  #startUrl = '';
  #mask: (text: string) => string = (text) => text;
  #variables = new VariableTable();
  #hasExtracted = false;
  #hasTypedUnseen = false;
  #endedOn: Page | undefined;
  #lastEnd = performance.now();

  constructor(instruction: string) {
    this.#instruction = instruction;
  }

  begin(page: Page, { instruction, variables }: RecordedRun, mask: (text: string) => string): void {
    this.#instruction = instruction;
    this.#variables = variables;
    this.#dependsOnPage = dependenceOf(this, []) !== undefined;
    this.#mask = mask;
    this.#startUrl = mask(pageText(page.url()));
    this.#numberOf(page);
    this.#lastEnd = performance.now();
  }

  get startUrl(): string {
    return this.#startUrl;
  }

  get instruction(): string {
    return this.#instruction;
  }

  /** Variables of the task, including those that a handoff added during the run. */
  get variables(): VariableTable {
    return this.#variables;
  }

  /** The evidence that the model cited in `done`. */
  get evidence(): readonly string[] {
    return this.#evidence;
  }

  /** Returns a tool whose calls are recorded. */
  recording(tool: Tool): Tool {
    return { ...tool, run: (context, input) => this.#runTool(tool, context, input) };
  }

  addReplayed(step: RecordedStep, page: Page): void {
    this.#numberOf(page);
    this.steps.push(step);
    this.#noted = this.steps.length;
    this.#lastEnd = performance.now();
  }

  /** Adds the model's progress note to all steps since the previous note. */
  noteProgress(words: string): void {
    const note = progressNoteOf(words);
    if (note === undefined) return;
    for (const [index, step] of this.steps.entries()) if (index >= this.#noted) this.steps[index] = { ...step, note };
    this.#noted = this.steps.length;
  }

  /** Set if only a part of the run can be replayed. */
  get limit(): Limit | undefined {
    return this.#limit;
  }

  /** Passwords that were typed without a variable. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** True if text was typed at a coordinate. The field may have been a password field. */
  get hasTypedUnseen(): boolean {
    return this.#hasTypedUnseen;
  }

  /** True if `extract` ran. The answer can then contain page data. */
  get hasExtracted(): boolean {
    return this.#hasExtracted;
  }

  /** The page on which the model called `done`. */
  get endedOn(): Page | undefined {
    return this.#endedOn;
  }

  readonly hasShown = (text: string): boolean => [...this.#shown].some((shown) => hasWords(shown, text));

  async #runTool(tool: Tool, context: ToolContext, given: unknown): Promise<ToolOutcome> {
    this.#see(context.shown);
    const input = withoutEmpty(given);
    const facts = await this.#factsOf(tool, input, context);
    // Runs while the tool searches for the element. Input waits for it, see `inputAfter`.
    const settings = tool.kind === 'act' ? readElements(context, input) : Promise.resolve<StepNotes>({});
    settings.catch(ignoreRejection);
    try {
      const outcome = await tool.run({ ...context, inputAfter: settings }, given);
      const notes = await settings;
      if (tool.kind === 'end') this.#noteEnd(outcome, context);
      else if (!outcome.isError && !outcome.isRecorded) {
        const begun = { context, input, facts };
        if (notes.locating && outcome.step)
          this.#addElementSteps(elementSteps(tool.name, outcome, { ...begun, notes }));
        else this.#addCall(tool, outcome, begun);
      }
      return outcome;
    } finally {
      this.#lastEnd = performance.now();
    }
  }

  async #factsOf(tool: Tool, input: StartedCall['input'], { progress, page, verbs }: ToolContext): Promise<StepFacts> {
    const waited = Math.round(performance.now() - this.#lastEnd);
    const facts = { page: this.#numberOf(page), url: normalizedFrameUrl(verbs.mask(page.url())), waited };
    if (!verbs.cache || tool.kind !== 'act') return facts;
    const { instruction } = this;
    const shown = this.#dependsOnPage && (await pageDigest(progress, page, { kind: 'exact', verbs, instruction }));
    const isForFocus = tool.name === 'press' && input['ref'] === undefined;
    const focused = isForFocus ? await focusedPhrase(progress, page, verbs) : undefined;
    return { ...facts, ...(shown && { shown }), ...(focused !== undefined && { focused }) };
  }

  #noteEnd({ data }: ToolOutcome, { page }: ToolContext): void {
    this.#endedOn = page;
    const evidence: unknown = isRecord(data) ? data['evidence'] : [];
    this.#evidence = Array.isArray(evidence) ? evidence.filter((text) => typeof text === 'string') : [];
  }

  #addElementSteps(noted: readonly NotedStep[]): void {
    if (noted.length === 0) this.#endHere('an element of the next step cannot be identified later');
    for (const { step, secret } of noted) {
      if (secret !== undefined) this.#secrets.push(secret);
      const { method, arguments: args = [] } = step.element?.step.action ?? {};
      const text = method === undefined ? undefined : typedText(method, args);
      if (text !== undefined) this.#judgeTyped(text, step);
      this.steps.push(step);
    }
  }

  #addCall({ name }: Tool, outcome: ToolOutcome, { context, input, facts }: StartedCall): void {
    const { text, quoted = '', data, effect } = outcome;
    if (READS.has(name)) {
      this.#shown.add(`${text} ${quoted} ${typeof data === 'object' ? JSON.stringify(data) : ''}`);
      if (name === 'extract') this.#hasExtracted = true;
      return;
    }
    const step: RecordedStep = { tool: name, input, ...facts, ...(effect && { effect }) };
    if (name === 'typeAt') this.#hasTypedUnseen = true;
    if (!REPEATED_TOOLS.has(name)) {
      this.#shown.add(`${text} ${quoted}`);
      this.#endHere(`${name} can return something else next time`);
      this.steps.push(step);
    } else if (name === 'tabs') this.#addTabs(step, outcome, context);
    // Actions wait for their elements, so `wait` with a ref is not recorded.
    else if (name !== 'wait' || input['ref'] === undefined) {
      if (name === 'dialog' && typeof input['text'] === 'string') this.#judgeTyped(input['text'], step);
      this.steps.push(withAddress(step, context));
    }
  }

  /** Records only opened and closed pages. Switching needs no step, because each step stores its page. */
  #addTabs(step: RecordedStep, { closedPage }: ToolOutcome, context: ToolContext): void {
    const { what, number } = step.input;
    if (what === 'open') this.steps.push(withAddress(step, context));
    if (!closedPage) return;
    const page = this.#pages.indexOf(closedPage);
    if (page < 0) this.#endHere(`page ${String(number)} was not a page of this run`);
    this.steps.push({ ...step, input: { what, ...(page >= 0 && { page }) } });
  }

  #judgeTyped(text: string, step: RecordedStep): void {
    const why = this.#mask(text) === text ? notReplayableReason(text, this) : 'it contains the value of a variable';
    if (why !== undefined)
      this.#endHere(
        `the text for ${step.element?.step.action.description ?? step.tool} cannot be replayed because ${why}`,
      );
  }

  #endHere(why: string): void {
    this.#limit ??= { count: this.steps.length, why };
  }

  #see(shown: Snapshot | undefined): void {
    if (shown) this.#shown.add(shown.text);
  }

  #numberOf(page: Page): number {
    const known = this.#pages.indexOf(page);
    return known < 0 ? this.#pages.push(page) - 1 : known;
  }
}

function withoutEmpty(input: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(input)) return {};
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== undefined));
}

/** Replaces a link number such as `#3` with the URL of the link. */
function withAddress(step: RecordedStep, { shown, verbs }: ToolContext): RecordedStep {
  const { url } = step.input;
  const number = typeof url === 'string' ? /^#(\d+)$/.exec(url)?.[1] : undefined;
  if (number === undefined) return step;
  const address = verbs.mask(pageText(shown?.urls[Number(number)] ?? ''));
  return { ...step, input: { ...step.input, url: address }, isFromPage: true };
}
