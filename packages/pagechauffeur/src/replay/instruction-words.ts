import { LIKELY_NAMES, replacePlaceholders } from '../util/placeholders.ts';

/** Words in instructions that do not identify an element. */
const COMMON = new Set(
  (
    'a an the this that these those it its to in into of on onto at by for from with and or as is are be my your all any then ' +
    'click press tap push hit select choose pick open close go show view see find look use enter type fill write put set add ' +
    'remove delete check uncheck tick turn switch toggle hover scroll drag drop upload submit save button link field box row ' +
    'item entry line card list table page section menu option tab'
  ).split(' '),
);

/** Words that select by position or rank. */
const POSITION =
  /^(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|top|topmost|bottom|lowest|highest|newest|latest|oldest|earliest|cheapest|smallest|largest|biggest|nearest|\d+(st|nd|rd|th))$/;

/** Words for parts of a page that usually occur once. */
const LANDMARK =
  /^(nav|navigation|navbar|menu|menubar|header|head|footer|foot|sidebar|aside|banner|dialog|popup|modal|search)$/;

/** Splits text into lower-case words, without placeholders. */
export function wordsOf(text: string): string[] {
  return (
    replacePlaceholders(text, LIKELY_NAMES, () => ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Returns the words that are neither common nor in the name, such as "laptop" in "delete the laptop". */
export function referringWords(instruction: string, name: string): ReadonlySet<string> {
  const own = new Set(wordsOf(name));
  return new Set(wordsOf(instruction).filter((word) => !own.has(word) && !COMMON.has(word)));
}

/** Counts the words that the instruction shares with the name. Common words such as "click" do not count. */
export function namingWords(instruction: string, name: string): number {
  const own = new Set(wordsOf(name).filter((word) => !COMMON.has(word)));
  return new Set(wordsOf(instruction).filter((word) => own.has(word))).size;
}

/** True if the instruction mentions a part of the page, such as "in the header". */
export function mentionsLandmark(instruction: string): boolean {
  return wordsOf(instruction).some((word) => LANDMARK.test(word));
}

/**
 * True if the instruction selects by position, as in "the second order". Words in names on the page do not count, such
 * as "First name".
 */
export function isPositional(instruction: string, texts: readonly string[]): boolean {
  const own = new Set(texts.flatMap(wordsOf));
  return wordsOf(instruction).some((word) => POSITION.test(word) && !own.has(word));
}
