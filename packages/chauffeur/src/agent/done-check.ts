import type { Observation } from '../snapshot/next-observation.ts';
import type { Claim } from './done-tool.ts';
import type { CarriedOut } from './run-calls.ts';

/** What a claim is compared with. */
export interface PageThen {
  /** What the page shows that the model had not seen when it made the claim. */
  readonly seen: Observation;
  /** The page as the model had seen it, and as it is. */
  readonly before: string;
  readonly now: string;
  /** The last thing that was done before the claim. */
  readonly lastDeed: CarriedOut | undefined;
  /** It was done in the same step, so that the model has not seen what came of it. */
  readonly isSameStep: boolean;
  /** All of the page, with what is folded away; asked for only when something is not found otherwise. */
  whole(): Promise<string>;
  /** A text with placeholders in place of values, as the model was told it. */
  mask(text: string): string;
}

/** What stands against a claim. */
export interface Verdict {
  /** To be told to the model, which may go on or claim it again; undefined when nothing stands against it. */
  readonly objection: string | undefined;
  /** Whether a claim that is made again is borne out. */
  readonly isBorneOut: boolean;
}

/**
 * Holds what a model claims at the end against what was seen: the page as it is now, what came of the last thing done, and the
 * texts that the model names as evidence. No model is asked.
 */
export class DoneCheck {
  readonly #told: string[] = [];

  /** Notes what the model was told of a page, or what a tool has read for it. */
  tell(text: string): void {
    this.#told.push(text);
  }

  /** What stands against a claim; one of failure is believed. */
  async judge(claim: Claim, page: PageThen): Promise<Verdict> {
    if (!claim.success) return { objection: undefined, isBorneOut: false };
    const missing = await this.#missing(claim.evidence, page);
    const unseen = changeText(page);
    const failure = failureText(page);
    const absent =
      missing.length > 0 ? `It stands nowhere: ${missing.map((text) => JSON.stringify(text)).join(', ')}.` : undefined;
    const reasons = [unseen, failure, absent].filter((reason) => reason !== undefined);
    if (reasons.length === 0) return { objection: undefined, isBorneOut: true };
    return {
      objection: `Not accepted yet. ${reasons.join(' ')} See the page below. If all of the task is done, call done again with evidence that stands in the page; else go on.`,
      isBorneOut: missing.length === 0 && (!failure || claim.evidence.length > 0),
    };
  }

  async #missing(evidence: readonly string[], page: PageThen): Promise<readonly string[]> {
    if (evidence.length === 0) return [];
    const texts = [page.now, ...this.#told];
    const notTold = notIn(evidence, texts, page);
    return notTold.length === 0 ? [] : notIn(notTold, [await page.whole()], page);
  }
}

/** Whatever is not among these texts, by letters and digits alone, as they are and as the model was told them. */
function notIn(evidence: readonly string[], texts: readonly string[], page: PageThen): readonly string[] {
  const all = texts.join('\n');
  const [plain, masked] = [bare(all), bare(page.mask(all))];
  return evidence.filter((text) => !plain.includes(bare(text)) && !masked.includes(bare(text)));
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Numbers alone, such as those of a clock, change in pages that are at rest, messages go away by themselves, and what
 * the pointer rests on is explained after a while.
 */
function changeText({ seen, before, now }: PageThen): string | undefined {
  if (seen.kind === 'same' || isLessOf(restingLines(now), restingLines(before))) return undefined;
  return 'The page has changed since you saw it last.';
}

/** Whether all lines of a page stand in another one, in the same order. */
function isLessOf(page: readonly string[], whole: readonly string[]): boolean {
  let place = 0;
  return page.every((line) => {
    place = whole.indexOf(line, place) + 1;
    return place > 0;
  });
}

/** The lines of a page without its tooltips and numbers. */
function restingLines(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => !/^ *tooltip\b/.test(line));
  return lines.map((line) => line.replaceAll(/\d+/g, '0'));
}

function failureText({ lastDeed, isSameStep }: PageThen): string | undefined {
  if (!lastDeed) return undefined;
  const { call, outcome } = lastDeed;
  if (outcome.isError) return `The last thing that you did, ${call.tool}, failed.`;
  if (isSameStep && outcome.effect === 'none-observed')
    return `The last thing that you did, ${call.tool}, changed nothing that was observed.`;
  return undefined;
}
