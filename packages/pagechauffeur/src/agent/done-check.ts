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

export interface ShownText {
  /** Title and URL. */
  readonly heading: string;
  readonly text: string;
}

/** What a claim is checked against. */
export interface ClaimContext {
  /** What changed on the page since the model last saw it. */
  readonly seen: Observation;
  /** The page that the model saw when it called `done`. */
  readonly before: ShownText;
  readonly now: ShownText;
  /** The last action of the run, in any step. */
  readonly lastAction: CompletedCall | undefined;
  /** The actions in the same step as `done`. The model predicted their effects. */
  readonly sameStep: readonly CompletedCall[];
  /** Reads the page without folding. Called only if the evidence is not found elsewhere. */
  whole(): Promise<string>;
  /** Replaces variable values with placeholders. Evidence can contain either. */
  readonly mask: (text: string) => string;
}

export interface Verdict {
  /** Message for the model. `undefined` if the claim is accepted. */
  readonly objection: string | undefined;
  /** The part of `objection` for logs. */
  readonly reasons?: string;
  /** The `success` of a run that ends with this claim in spite of the objection. */
  readonly isSupported: boolean;
  /** True if the only objection is that the page changed after the model last saw it. */
  readonly isOnlyStaleView?: boolean;
}

interface Reading {
  readonly text: string;
  /** Input of the tool. Text that only repeats it is no evidence. */
  readonly given: string;
}

/**
 * Checks a model's claim that the task is done, without a model call. Looks for the cited evidence on the page and in
 * tool results, for changes that the model has not seen, and for an effect of the last action.
 */
export class DoneCheck {
  readonly #shown: string[] = [];
  readonly #readings: Reading[] = [];

  noteShown(text: string): void {
    this.#shown.push(text);
  }

  /** Adds a tool result and the input of the tool, which alone is no evidence. */
  read(text: string, given: string): void {
    this.#readings.push({ text, given });
  }

  /** Checks a claim. `success: false` is accepted without a check. */
  async judge(claim: Claim, page: ClaimContext): Promise<Verdict> {
    if (!claim.success) return { objection: undefined, isSupported: false };
    const missing = await this.#missing(claim.evidence, page);
    const isForeseen = missing.length === 0 && claim.evidence.some((text) => isNewOnPage(text, page));
    const unseen = isForeseen ? undefined : changeText(page);
    const failure = failureText(page);
    const absent =
      missing.length > 0 ? `Not found: ${missing.map((text) => JSON.stringify(text)).join(', ')}.` : undefined;
    const reasons = [unseen, failure, absent].filter((reason) => reason !== undefined);
    if (reasons.length === 0) return { objection: undefined, isSupported: true };
    const isOnlyStaleView = !failure && !absent;
    const advice = isOnlyStaleView
      ? 'If it shows that the whole task is done, call done again; otherwise continue.'
      : 'If the whole task is done, call done again with evidence from the page or from results; otherwise continue.';
    return {
      reasons: reasons.join(' '),
      objection: `Not accepted yet. ${reasons.join(' ')} See the page below. ${advice}`,
      isSupported: missing.length === 0 && (!failure || claim.evidence.length > 0),
      ...(isOnlyStaleView && { isOnlyStaleView }),
    };
  }

  async #missing(evidence: readonly string[], page: ClaimContext): Promise<readonly string[]> {
    if (evidence.length === 0) return [];
    const { heading, text } = page.now;
    const notShown = notIn(evidence, [heading, decoded(heading), text, ...this.#shown], page.mask);
    const notFound = notShown.filter(
      (words) => !this.#readings.some((reading) => isInResult(reading, words, page.mask)),
    );
    return notFound.length === 0 ? [] : notIn(notFound, [await page.whole()], page.mask);
  }
}

type Mask = ClaimContext['mask'];

function isInResult({ text, given }: Reading, words: string, mask: Mask): boolean {
  return notIn([words], [given], mask).length > 0 && notIn([words], [text], mask).length === 0;
}

/** Returns the evidence that is not in `texts`, neither literally nor with masked values. */
function notIn(evidence: readonly string[], texts: readonly string[], mask: Mask): readonly string[] {
  const all = texts.join('\n');
  const [plain, masked] = [new SearchableText(all), new SearchableText(mask(all))];
  return evidence.filter((text) => !plain.has(text) && !masked.has(text));
}

/**
 * Searches text by letters and digits only, because models change spaces, case and quotes. A search string without
 * letters and digits must match literally.
 */
class SearchableText {
  readonly #text: string;
  #bare: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  has(words: string): boolean {
    const normalized = bare(words);
    if (normalized === '') return this.#text.includes(words.trim());
    this.#bare ??= bare(this.#text);
    return this.#bare.includes(normalized);
  }
}

/**
 * Reduces text to letters and digits. Also removes escaped line breaks and tabs, because pages can contain source code.
 */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\\[nt]|[^\p{L}\p{N}]+/gu, '');
}

/** Decodes percent-encoding. After a form is submitted, the URL in the heading can contain `ada%40example.com`. */
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
 * True if an action of this step made the page show the text. The text must be new, and not only the value or state of
 * the element that was acted on. Text that the model entered must be on a line of its own.
 */
function isNewOnPage(evidence: string, page: ClaimContext): boolean {
  const { before, now, sameStep, mask } = page;
  const others = linesWithout(now.text, refsIn(sameStep)).join('\n');
  const contains = (texts: readonly string[]): boolean => notIn([evidence], texts, mask).length === 0;
  if (!contains([now.heading, decoded(now.heading), others]) || contains([before.heading, before.text])) return false;
  return !contains([sameStep.map(({ call }) => JSON.stringify(call.input)).join('\n')]) || isNewLine(evidence, page);
}

/**
 * True if an element or cell on a new line has exactly this text, such as an added list item. False if the page shows
 * a new error, which can quote the text.
 */
function isNewLine(evidence: string, page: ClaimContext): boolean {
  const { before, now, sameStep, mask } = page;
  const others = addedLines(before, linesWithout(now.text, refsIn(sameStep)));
  return !hasNewError(page) && others.some((line) => hasExactText(line, evidence, mask));
}

function hasNewError({ before, now }: ClaimContext): boolean {
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
const SUGGESTIONS: ReadonlySet<string> = new Set(['menuitem', 'option', 'tooltip']);

/** True if an element or a cell on the line has exactly this text. */
function hasExactText(line: string, words: string, mask: Mask): boolean {
  const parsed = parseLine(line);
  if (SUGGESTIONS.has(ownElementOf(parsed)?.role ?? '')) return false;
  return pageTextsIn(parsed).some((text) => [text, mask(text)].some((one) => bare(one) === bare(words)));
}

/** Returns all strings in the inputs of the calls except `ref`. */
function enteredTexts(done: readonly CompletedCall[]): readonly string[] {
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

/** Removes the lines of these elements. In a table row, removes only the element. */
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
 * Objects if the page changed in a way that the model should see. These changes do not matter: digits, lines that
 * disappeared, tooltips, focus, which item of a group is selected, elements that this step acted on, and lines with the
 * text that it entered.
 */
function changeText(page: ClaimContext): string | undefined {
  const { seen, before, now, sameStep, mask } = page;
  if (sameStep.some(({ outcome }) => outcome.effect === 'navigated'))
    return 'The page has navigated since you last saw it.';
  const refs = refsIn(sameStep);
  const given = enteredTexts(sameStep);
  const isGiven = (line: string): boolean => given.some((text) => hasExactText(line, text, mask));
  const left = stableLines(linesWithout(before.text, refs));
  const shown = stableLines(linesWithout(now.text, refs).filter((line) => !isGiven(line)));
  if (seen.kind === 'same' || (isSubsequence(shown, left) && !hasNewError(page))) return undefined;
  return 'The page has changed since you last saw it.';
}

function isSubsequence(page: readonly string[], whole: readonly string[]): boolean {
  let place = 0;
  return page.every((line) => {
    place = whole.indexOf(line, place) + 1;
    return place > 0;
  });
}

/** Removes what changes without meaning: tooltips, digits, focus, and states that move within a group. */
function stableLines(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => ownElementOf(parseLine(line))?.role !== 'tooltip')
    .map((line) => withoutStates(line, VOLATILE_STATES).replaceAll(/\d+/g, '0'));
}

const FOCUS: ReadonlySet<string> = new Set(['focused', 'text-selected']);
const VOLATILE_STATES: ReadonlySet<string> = new Set([...FOCUS, 'pressed', 'selected', 'current']);

function failureText(page: ClaimContext): string | undefined {
  const { lastAction, sameStep } = page;
  if (!lastAction) return undefined;
  const { call, outcome } = lastAction;
  if (outcome.isError) return `Your last action, ${call.tool}, failed.`;
  if (sameStep.includes(lastAction) && outcome.effect === 'none-observed')
    return `Your last action, ${call.tool}, had no observed effect.`;
  if (sameStep.includes(lastAction) && isClick(lastAction) && outcome.effect === 'changed' && hasSameText(page))
    return `Your last action, ${call.tool}, did not change the text of the page.`;
  return undefined;
}

function isClick({ call }: CompletedCall): boolean {
  return call.tool === 'click';
}

/**
 * True if a click left the page text unchanged. The effect alone is not enough: a ripple on the button also makes it
 * `changed`.
 */
function hasSameText({ before, now, lastAction, sameStep }: ClaimContext): boolean {
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
