import {
  innerElementsOf,
  type LineElement,
  ownElementOf,
  pageTextsIn,
  parseLine,
  stateSpans,
  withoutSpans,
} from '../snapshot/parse-line.ts';
import type { Observation } from '../snapshot/next-observation.ts';
import { isRecord } from '../util/is-record.ts';
import type { Claim } from './done-tool.ts';
import type { CompletedCall } from './run-calls.ts';

/** A page as sent to the model. */
export interface ShownText {
  /** Heading line with title and URL. */
  readonly heading: string;
  readonly text: string;
}

/** Evidence for and against a claim. */
export interface PageThen {
  /** Parts of the page that the model had not seen at the time of the claim. */
  readonly seen: Observation;
  /** The page in the model's prompt, and the current one. */
  readonly before: ShownText;
  readonly now: ShownText;
  /** The last action before the claim. */
  readonly lastAction: CompletedCall | undefined;
  /** Actions in the same step as the claim. The model has not seen their effects. */
  readonly sameStep: readonly CompletedCall[];
  /** Reads the whole page without folding. Called only if the evidence is not found elsewhere. */
  whole(): Promise<string>;
  /** Replaces variable values with placeholders, as in the text that the model received. */
  readonly mask: (text: string) => string;
}

/** The result of checking a claim. */
export interface Verdict {
  /** Objection for the model, which can then continue or repeat the claim. `undefined` if there is none. */
  readonly objection: string | undefined;
  /** The reasons for the objection, as sentences. */
  readonly reasons?: string;
  /** True if a repeated claim counts as success. */
  readonly isSupported: boolean;
  /** True if the only objection is that the model has not seen the latest changes. */
  readonly isOnlyUnseen?: boolean;
}

/** A tool result. */
interface Reading {
  readonly text: string;
  /** Input of the tool. Evidence that only repeats the input is not accepted. */
  readonly given: string;
}

/**
 * Checks a model's claim that the task is done. Uses the page, the outcome of the last action, and the texts that the
 * model cites as evidence. Calls no model.
 */
export class DoneCheck {
  readonly #shown: string[] = [];
  readonly #readings: Reading[] = [];

  /** Records page text that was in the prompt. */
  noteShown(text: string): void {
    this.#shown.push(text);
  }

  /** Records a tool result and the tool's input. */
  read(text: string, given: string): void {
    this.#readings.push({ text, given });
  }

  /** Checks a claim. A claim that the task has failed is accepted without a check. */
  async judge(claim: Claim, page: PageThen): Promise<Verdict> {
    if (!claim.success) return { objection: undefined, isSupported: false };
    const missing = await this.#missing(claim.evidence, page);
    const isForeseen = missing.length === 0 && claim.evidence.some((text) => isNews(text, page));
    const unseen = isForeseen ? undefined : changeText(page);
    const failure = failureText(page);
    const absent =
      missing.length > 0 ? `Not found: ${missing.map((text) => JSON.stringify(text)).join(', ')}.` : undefined;
    const reasons = [unseen, failure, absent].filter((reason) => reason !== undefined);
    if (reasons.length === 0) return { objection: undefined, isSupported: true };
    const isOnlyUnseen = !failure && !absent;
    const advice = isOnlyUnseen
      ? 'If it shows that the whole task is done, call done again; otherwise continue.'
      : 'If the whole task is done, call done again with evidence from the page or from results; otherwise continue.';
    return {
      reasons: reasons.join(' '),
      objection: `Not accepted yet. ${reasons.join(' ')} See the page below. ${advice}`,
      isSupported: missing.length === 0 && (!failure || claim.evidence.length > 0),
      ...(isOnlyUnseen && { isOnlyUnseen }),
    };
  }

  async #missing(evidence: readonly string[], page: PageThen): Promise<readonly string[]> {
    if (evidence.length === 0) return [];
    const { heading, text } = page.now;
    const notTold = notIn(evidence, [heading, decoded(heading), text, ...this.#shown], page.mask);
    const notRead = notTold.filter((words) => !this.#readings.some((reading) => says(reading, words, page.mask)));
    return notRead.length === 0 ? [] : notIn(notRead, [await page.whole()], page.mask);
  }
}

type Mask = PageThen['mask'];

function says({ text, given }: Reading, words: string, mask: Mask): boolean {
  return notIn([words], [given], mask).length > 0 && notIn([words], [text], mask).length === 0;
}

/**
 * Returns the evidence that none of these texts contains. Ignores spaces, case and quotes. Compares both the original
 * and the masked text.
 */
function notIn(evidence: readonly string[], texts: readonly string[], mask: Mask): readonly string[] {
  const all = texts.join('\n');
  const [plain, masked] = [new Words(all), new Words(mask(all))];
  return evidence.filter((text) => !plain.has(text) && !masked.has(text));
}

/** Searches text by letters and digits only. A search string without any is searched for as it is. */
class Words {
  readonly #text: string;
  #bare: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  has(words: string): boolean {
    const sought = bare(words);
    if (sought === '') return this.#text.includes(words.trim());
    this.#bare ??= bare(this.#text);
    return this.#bare.includes(sought);
  }
}

/** Reduces text to letters and digits. Also removes escaped line breaks, because pages can contain source code. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\\[nt]|[^\p{L}\p{N}]+/gu, '');
}

/** Decodes percent-encoded characters in a heading. A submitted form can have `ada%40example.com` in its URL. */
function decoded(heading: string): string {
  return heading.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

/**
 * True if the actions of this step made the page show this text. The text must not have been there before, and must not
 * be the state of an element that they acted on. If it is an argument of an action, it counts only on a line of its
 * own.
 */
function isNews(evidence: string, page: PageThen): boolean {
  const { before, now, sameStep, mask } = page;
  const others = linesWithout(now.text, refsIn(sameStep)).join('\n');
  const isSaid = (texts: readonly string[]): boolean => notIn([evidence], texts, mask).length === 0;
  if (!isSaid([now.heading, decoded(now.heading), others]) || isSaid([before.heading, before.text])) return false;
  return !isSaid([sameStep.map(({ call }) => JSON.stringify(call.input)).join('\n')]) || isEntered(evidence, page);
}

/**
 * True if a new line contains only this text, such as an added list item. Not if an error appeared, because its message
 * can repeat the text.
 */
function isEntered(evidence: string, page: PageThen): boolean {
  const { before, now, sameStep, mask } = page;
  const others = addedLines(before, linesWithout(now.text, refsIn(sameStep)));
  return !hasNewError(page) && others.some((line) => saysOnly(line, evidence, mask));
}

/** True if an alert appeared or a field became invalid. */
function hasNewError({ before, now }: PageThen): boolean {
  return addedLines(before, now.text.split('\n')).some((line) =>
    parseLine(line).elements.some(({ role, states }) => ALERTS.has(role) || states.includes('invalid')),
  );
}

function addedLines(before: ShownText, lines: readonly string[]): readonly string[] {
  const known = new Set(before.text.split('\n').map((line) => line.trim()));
  return lines.filter((line) => !known.has(line.trim()));
}

const ALERTS: ReadonlySet<string> = new Set(['alert', 'alertdialog']);
/** Suggestions repeat the typed text, so they prove nothing. */
const OFFERS: ReadonlySet<string> = new Set(['menuitem', 'option', 'tooltip']);

/** True if the line has an element or a cell with exactly this text. Ignores states. */
function saysOnly(line: string, words: string, mask: Mask): boolean {
  const parsed = parseLine(line);
  if (OFFERS.has(ownElementOf(parsed)?.role ?? '')) return false;
  return pageTextsIn(parsed).some((text) => [text, mask(text)].some((one) => bare(one) === bare(words)));
}

/** The arguments of a step's actions: text, options, keys. */
function givenIn(done: readonly CompletedCall[]): readonly string[] {
  return done.flatMap(({ call: { input } }) =>
    isRecord(input) ? Object.entries(input).flatMap(([name, value]) => (name === 'ref' ? [] : stringsIn(value))) : [],
  );
}

function stringsIn(value: unknown): readonly string[] {
  return [value].flat().filter((item) => typeof item === 'string');
}

function refsIn(done: readonly CompletedCall[]): readonly string[] {
  return done.flatMap(({ call: { input }, outcome }) => {
    const ref = isRecord(input) ? input['ref'] : undefined;
    return typeof ref === 'string' && !outcome.isError ? [ref] : [];
  });
}

/** Removes the lines of these elements. From a table row with such an element, removes only the element. */
function linesWithout(text: string, refs: readonly string[]): readonly string[] {
  const lines = text.split('\n');
  if (refs.length === 0) return lines;
  const isActedOn = ({ ref }: LineElement): boolean => refs.includes(ref ?? '');
  return lines.flatMap((line) => {
    const parsed = parseLine(line);
    const own = ownElementOf(parsed);
    if (own && isActedOn(own)) return [];
    const inner = innerElementsOf(parsed).filter(isActedOn);
    return withoutSpans(
      line,
      inner.map(({ span }) => span),
    );
  });
}

/**
 * Says that the page has changed or was loaded. Ignores changes that the model need not see: numbers such as a clock,
 * messages that disappear, tooltips, the state of an element that this step acted on, the selected option on the button
 * of a list, and which item of a group is pressed, selected or current.
 */
function changeText(page: PageThen): string | undefined {
  const { seen, before, now, sameStep, mask } = page;
  if (sameStep.some(({ outcome }) => outcome.effect === 'navigated'))
    return 'The page has loaded since you last saw it.';
  const refs = refsIn(sameStep);
  const given = givenIn(sameStep);
  const isGiven = (line: string): boolean => given.some((text) => saysOnly(line, text, mask));
  const left = restingLines(linesWithout(before.text, refs));
  const shown = restingLines(linesWithout(now.text, refs).filter((line) => !isGiven(line)));
  if (seen.kind === 'same' || (isLessOf(shown, left) && !hasNewError(page))) return undefined;
  return 'The page has changed since you last saw it.';
}

/** True if all lines of the page also occur in the other one, in the same order. */
function isLessOf(page: readonly string[], whole: readonly string[]): boolean {
  let place = 0;
  return page.every((line) => {
    place = whole.indexOf(line, place) + 1;
    return place > 0;
  });
}

/** The lines of a page without tooltips, numbers, focus, and states that only one item of a group can have. */
function restingLines(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => ownElementOf(parseLine(line))?.role !== 'tooltip')
    .map((line) => withoutStates(line, RESTLESS).replaceAll(/\d+/g, '0'));
}

const FOCUS: ReadonlySet<string> = new Set(['focused', 'text-selected']);
const RESTLESS: ReadonlySet<string> = new Set([...FOCUS, 'pressed', 'selected', 'current']);

function failureText(page: PageThen): string | undefined {
  const { lastAction, sameStep } = page;
  if (!lastAction) return undefined;
  const { call, outcome } = lastAction;
  if (outcome.isError) return `Your last action, ${call.tool}, failed.`;
  if (sameStep.includes(lastAction) && outcome.effect === 'none-observed')
    return `Your last action, ${call.tool}, had no observed effect.`;
  if (sameStep.includes(lastAction) && isClick(lastAction) && outcome.effect === 'changed' && showsNothingOf(page))
    return `Your last action, ${call.tool}, did not change the text of the page.`;
  return undefined;
}

function isClick({ call }: CompletedCall): boolean {
  return call.tool === 'click';
}

/**
 * True if a click changed nothing in the page text. Some buttons only show that they were pressed, for example with a
 * ripple.
 */
function showsNothingOf({ before, now, lastAction, sameStep }: PageThen): boolean {
  const others = refsIn(sameStep.filter((call) => call !== lastAction));
  const [left, shown] = [before, now].map(({ text }) =>
    linesWithout(text, others)
      .map((line) => withoutStates(line, FOCUS))
      .join('\n'),
  );
  return before.heading === now.heading && left === shown && (lastAction?.outcome.quoted ?? '') === '';
}

function withoutStates(line: string, states: ReadonlySet<string>): string {
  return withoutSpans(
    line,
    parseLine(line).elements.flatMap((element) => stateSpans(element, states)),
  );
}
