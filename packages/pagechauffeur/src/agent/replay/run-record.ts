import { progressNoteOf } from '../../model/offline/agent/progress-note.ts';
import { typedText } from '../../page/action/methods.ts';
import type { Page } from '../../page/page.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ToolContext } from '../../tools/tool-context.ts';
import type { ToolOutcome } from '../../tools/tool-outcome.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import { isRecord } from '../../util/is-record.ts';
import { pageText } from '../../util/placeholders.ts';
import { framePlace } from '../../verb/replay/stored-step.ts';
import { VariableTable } from '../../verb/variables.ts';
import { elementSteps, type NotedStep } from './element-steps.ts';
import { dependenceOf } from './page-dependence.ts';
import { focusedPhrase } from './focused-phrase.ts';
import { pageDigest } from './page-digest.ts';
import { CALLED_AGAIN, type RecordedStep, type StepFacts } from './recorded-step.ts';
import { hasWords, type KnownTexts, whyNotTypedAgain } from './known-texts.ts';
import { readElements, type StepNotes } from './step-notes.ts';

/** Looks at the page only; what it tells may be another thing the next time. */
const READS: ReadonlySet<string> = new Set(['find', 'expand', 'extract', 'screenshot', 'zoom']);
/** The steps of a run from which on a model is to decide anew, and why. */
interface Limit {
  readonly count: number;
  readonly why: string;
}

/** What a run is for. */
interface BegunTask {
  /** As it reads. */
  readonly instruction: string;
  readonly variables: VariableTable;
}

/** A call, as it was when it began. */
interface Begun {
  readonly context: ToolContext;
  readonly input: Readonly<Record<string, unknown>>;
  readonly facts: StepFacts;
}

/** What a run has done, as it can be done again and be written as a script. */
export class RunRecord implements KnownTexts {
  readonly steps: RecordedStep[] = [];
  #instruction: string;
  #isLeftToPages = false;
  readonly #pages: Page[] = [];
  readonly #closed = new Set<Page>();
  readonly #shown = new Set<string>();
  readonly #secrets: string[] = [];
  #limit: Limit | undefined;
  /** Steps with which it is known how far the task had come. */
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

  /** The task begins on this page; `mask` takes values of variables out of texts. */
  begin(page: Page, { instruction, variables }: BegunTask, mask: (text: string) => string): void {
    this.#instruction = instruction;
    this.#variables = variables;
    this.#isLeftToPages = dependenceOf(this, []) !== undefined;
    this.#mask = mask;
    this.#startUrl = mask(pageText(page.url()));
    this.#numberOf(page);
    this.#lastEnd = performance.now();
  }

  /** The address of the page that it began on. */
  get startUrl(): string {
    return this.#startUrl;
  }

  /** What the task says, as it reads. */
  get instruction(): string {
    return this.#instruction;
  }

  /** The variables of the task, with those that were given while it ran. */
  get variables(): VariableTable {
    return this.#variables;
  }

  /** Texts that the model named as evidence that the task was done. */
  get evidence(): readonly string[] {
    return this.#evidence;
  }

  /** The tool, which from now on tells this record what it did. */
  recording(tool: Tool): Tool {
    return { ...tool, run: (context, input) => this.#runTool(tool, context, input) };
  }

  /** Notes a step that was done again. */
  addReplayed(step: RecordedStep, page: Page): void {
    this.#numberOf(page);
    this.steps.push(step);
    this.#noted = this.steps.length;
    this.#lastEnd = performance.now();
  }

  /** Notes how far the task has come with the steps since the last time, when the model's words say so. */
  noteProgress(words: string): void {
    const note = progressNoteOf(words);
    if (note === undefined) return;
    for (const [index, step] of this.steps.entries()) if (index >= this.#noted) this.steps[index] = { ...step, note };
    this.#noted = this.steps.length;
  }

  /** From which step on the rest cannot be done again; undefined when all of it can. */
  get limit(): Limit | undefined {
    return this.#limit;
  }

  /** Texts that were typed into password fields and are no variable's. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** Whether a text may have been typed into a password field without it being known. */
  get hasTypedUnseen(): boolean {
    return this.#hasTypedUnseen;
  }

  /** Whether data was read off pages, which an answer may tell. */
  get hasExtracted(): boolean {
    return this.#hasExtracted;
  }

  /** The page that the task has ended on, as the model saw it. */
  get endedOn(): Page | undefined {
    return this.#endedOn;
  }

  /** Whether a page, or whoever else was asked, has shown a text. */
  readonly hasShown = (text: string): boolean => [...this.#shown].some((shown) => hasWords(shown, text));

  async #runTool(tool: Tool, context: ToolContext, given: unknown): Promise<ToolOutcome> {
    this.#see(context.shown);
    const input = withoutEmpty(given);
    const facts = await this.#factsOf(tool, input, context);
    // The page answers in the order in which it is asked: the element is looked at before it is made ready.
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

  async #factsOf(tool: Tool, input: Begun['input'], { progress, page, verbs }: ToolContext): Promise<StepFacts> {
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
    if (noted.length === 0) this.#endHere('its element cannot be told from others');
    for (const { step, secret } of noted) {
      if (secret !== undefined) this.#secrets.push(secret);
      const { method, arguments: args = [] } = step.element?.step.action ?? {};
      const text = method === undefined ? undefined : typedText(method, args);
      if (text !== undefined) this.#judgeTyped(text, step);
      this.steps.push(step);
    }
  }

  #addCall({ name }: Tool, { text, quoted = '', data, effect }: ToolOutcome, { context, input, facts }: Begun): void {
    if (READS.has(name)) {
      this.#shown.add(`${text} ${quoted} ${typeof data === 'object' ? JSON.stringify(data) : ''}`);
      if (name === 'extract') this.#hasExtracted = true;
      return;
    }
    const step: RecordedStep = { tool: name, input, ...facts, ...(effect && { effect }) };
    if (name === 'typeAt') this.#hasTypedUnseen = true;
    if (!CALLED_AGAIN.has(name)) {
      this.#shown.add(`${text} ${quoted}`);
      this.#endHere(`${name} may give something else another time`);
      this.steps.push(step);
    } else if (name === 'tabs') this.#addTabs(step, context);
    // An element is waited for before something is done to it, anyway.
    else if (name !== 'wait' || input['ref'] === undefined) {
      if (name === 'dialog' && typeof input['text'] === 'string') this.#judgeTyped(input['text'], step);
      this.steps.push(withAddress(step, context));
    }
  }

  /** Which page is worked on is told with each step; only opening and closing are steps of their own. */
  #addTabs(step: RecordedStep, context: ToolContext): void {
    const { what, number } = step.input;
    if (what === 'open') this.steps.push(withAddress(step, context));
    if (what !== 'close') return;
    const closed = this.#pages.findIndex((page) => page.isClosed() && !this.#closed.has(page));
    const page = this.#pages[closed];
    if (page) this.#closed.add(page);
    else this.#endHere(`page ${String(number)} was no page of this run`);
    this.steps.push({ ...step, input: { what, page: closed } });
  }

  #judgeTyped(text: string, step: RecordedStep): void {
    const why = this.#mask(text) === text ? whyNotTypedAgain(text, this) : 'it has the value of a variable';
    if (why !== undefined)
      this.#endHere(
        `what was typed for ${step.element?.step.action.description ?? step.tool} is not typed again: ${why}`,
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

/** An address that the page showed under a number is written out. */
function withAddress(step: RecordedStep, { shown, verbs }: ToolContext): RecordedStep {
  const { url } = step.input;
  const number = typeof url === 'string' ? /^#(\d+)$/.exec(url)?.[1] : undefined;
  if (number === undefined) return step;
  const address = verbs.mask(pageText(shown?.urls[Number(number)] ?? ''));
  return { ...step, input: { ...step.input, url: address }, isFromPage: true };
}
