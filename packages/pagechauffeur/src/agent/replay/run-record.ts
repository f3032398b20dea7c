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
import { framePlace } from '../../replay/stored-step.ts';
import { VariableTable } from '../../policy/variables.ts';
import { elementSteps, type NotedStep } from './element-steps.ts';
import { dependenceOf } from './page-dependence.ts';
import { focusedPhrase } from './focused-phrase.ts';
import { pageDigest } from './page-digest.ts';
import { CALLED_AGAIN, type RecordedStep, type StepFacts } from './recorded-step.ts';
import { hasWords, type KnownTexts, whyNotTypedAgain } from './known-texts.ts';
import { readElements, type StepNotes } from './step-notes.ts';

/** Tools that only read. Their results can differ in the next run. */
const READS: ReadonlySet<string> = new Set(['find', 'expand', 'extract', 'screenshot', 'zoom']);
/** The number of steps that can be replayed, and the reason why the next one cannot. */
interface Limit {
  readonly count: number;
  readonly why: string;
}

/** The task of a run. */
interface RecordedRun {
  /** The instruction, with `%%` replaced by a percent sign. */
  readonly instruction: string;
  readonly variables: VariableTable;
}

/** State of a call at its start. */
interface StartedCall {
  readonly context: ToolContext;
  readonly input: Readonly<Record<string, unknown>>;
  readonly facts: StepFacts;
}

/** Records a run for replay and scripts. */
export class RunRecord implements KnownTexts {
  readonly steps: RecordedStep[] = [];
  #instruction: string;
  #isLeftToPages = false;
  readonly #pages: Page[] = [];
  readonly #closed = new Set<Page>();
  readonly #shown = new Set<string>();
  readonly #secrets: string[] = [];
  #limit: Limit | undefined;
  /** Number of steps with a progress note. */
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

  /** Starts recording on this page. `mask` replaces variable values in text. */
  begin(page: Page, { instruction, variables }: RecordedRun, mask: (text: string) => string): void {
    this.#instruction = instruction;
    this.#variables = variables;
    this.#isLeftToPages = dependenceOf(this, []) !== undefined;
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

  /** Variables of the task, including ones added while it ran. */
  get variables(): VariableTable {
    return this.#variables;
  }

  /** Texts that the model cited as evidence of completion. */
  get evidence(): readonly string[] {
    return this.#evidence;
  }

  /** Wraps a tool so that its calls are recorded. */
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

  /** The step from which on the run cannot be replayed. `undefined` if all of it can. */
  get limit(): Limit | undefined {
    return this.#limit;
  }

  /** Text that was typed into password fields and is not a variable. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** True if text was typed at a coordinate, where the field may have been a password field. */
  get hasTypedUnseen(): boolean {
    return this.#hasTypedUnseen;
  }

  /** True if data was extracted, because the answer can contain it. */
  get hasExtracted(): boolean {
    return this.#hasExtracted;
  }

  /** The page on which the task ended, in the state that the model saw. */
  get endedOn(): Page | undefined {
    return this.#endedOn;
  }

  /** True if a page or another source has shown the text. */
  readonly hasShown = (text: string): boolean => [...this.#shown].some((shown) => hasWords(shown, text));

  async #runTool(tool: Tool, context: ToolContext, given: unknown): Promise<ToolOutcome> {
    this.#see(context.shown);
    const input = withoutEmpty(given);
    const facts = await this.#factsOf(tool, input, context);
    // The page handles calls in order, so it reads the element before the action changes it.
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
    const facts = { page: this.#numberOf(page), url: framePlace(verbs.mask(page.url())), waited };
    if (!verbs.cache || tool.kind !== 'act') return facts;
    const { instruction } = this;
    const shown = this.#isLeftToPages && (await pageDigest(progress, page, { kind: 'exact', verbs, instruction }));
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
    if (noted.length === 0) this.#endHere('its element cannot be distinguished from others');
    for (const { step, secret } of noted) {
      if (secret !== undefined) this.#secrets.push(secret);
      const { method, arguments: args = [] } = step.element?.step.action ?? {};
      const text = method === undefined ? undefined : typedText(method, args);
      if (text !== undefined) this.#judgeTyped(text, step);
      this.steps.push(step);
    }
  }

  #addCall(
    { name }: Tool,
    { text, quoted = '', data, effect }: ToolOutcome,
    { context, input, facts }: StartedCall,
  ): void {
    if (READS.has(name)) {
      this.#shown.add(`${text} ${quoted} ${typeof data === 'object' ? JSON.stringify(data) : ''}`);
      if (name === 'extract') this.#hasExtracted = true;
      return;
    }
    const step: RecordedStep = { tool: name, input, ...facts, ...(effect && { effect }) };
    if (name === 'typeAt') this.#hasTypedUnseen = true;
    if (!CALLED_AGAIN.has(name)) {
      this.#shown.add(`${text} ${quoted}`);
      this.#endHere(`${name} can return something else next time`);
      this.steps.push(step);
    } else if (name === 'tabs') this.#addTabs(step, context);
    // Actions wait for their element in any case, so a wait for an element is not recorded.
    else if (name !== 'wait' || input['ref'] === undefined) {
      if (name === 'dialog' && typeof input['text'] === 'string') this.#judgeTyped(input['text'], step);
      this.steps.push(withAddress(step, context));
    }
  }

  /** Records only pages that open or close. Switching needs no step, because each step stores its page. */
  #addTabs(step: RecordedStep, context: ToolContext): void {
    const { what, number } = step.input;
    if (what === 'open') this.steps.push(withAddress(step, context));
    if (what !== 'close') return;
    const closed = this.#pages.findIndex((page) => page.isClosed() && !this.#closed.has(page));
    const page = this.#pages[closed];
    if (page) this.#closed.add(page);
    else this.#endHere(`page ${String(number)} was not a page of this run`);
    this.steps.push({ ...step, input: { what, page: closed } });
  }

  #judgeTyped(text: string, step: RecordedStep): void {
    const why = this.#mask(text) === text ? whyNotTypedAgain(text, this) : 'it contains the value of a variable';
    if (why !== undefined)
      this.#endHere(`the text for ${step.element?.step.action.description ?? step.tool} is not typed again: ${why}`);
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

/** Replaces the number of a link in the input with its URL. */
function withAddress(step: RecordedStep, { shown, verbs }: ToolContext): RecordedStep {
  const { url } = step.input;
  const number = typeof url === 'string' ? /^#(\d+)$/.exec(url)?.[1] : undefined;
  if (number === undefined) return step;
  const address = verbs.mask(pageText(shown?.urls[Number(number)] ?? ''));
  return { ...step, input: { ...step.input, url: address }, isFromPage: true };
}
