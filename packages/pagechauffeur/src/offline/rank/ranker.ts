import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { Phrase, TargetWord } from '../grammar/phrase.ts';
import type { Line } from '../page/line.ts';
import { similarity } from '../text/concepts.ts';
import type { PageIndex, WordMatches } from '../page/page-index.ts';
import { hasOptions, isUnnamedField, takesText } from '../page/roles.ts';
import { headerOfCell, Surroundings } from '../page/surroundings.ts';
import { type Account, Accountant, type Accounting } from './account.ts';
import { nameFit, quotesFit } from './name-fit.ts';
import { foldText } from '../text/words.ts';
import { textsIn } from '../page/build-lines.ts';

/** An element with its score for a phrase. */
export interface Candidate {
  readonly line: Line;
  /** From 0 to 1. */
  readonly score: number;
  /** Fraction of the phrase that the element and its context match. */
  readonly coverage: number;
  /** Weight of the matched words on the element itself. */
  readonly own: number;
}

/** Returns how well an element's role fits, from 0 (excluded) to 1. */
export type RoleFit = (node: SnapshotNode) => number;

/** Options for ranking. */
export interface RankOptions extends Accounting {
  readonly roleFit: RoleFit;
  /** True if few elements qualify, so that texts near an element may be enough to identify it. */
  readonly isKindKnown: boolean;
  /** True if lines without a ref qualify too. */
  readonly isAnyLine?: boolean;
  /** True if the element is a drop target. */
  readonly isDroppedOn?: boolean;
}

const SHARE = { coverage: 0.7, name: 0.2, role: 0.1 };
/** Factors for words that are near the element instead of on it, or the other way round. */
const MISPLACED = { ownWanted: 0.3, aroundWanted: 0.8, any: 0.92 };
/** Factor for a control whose name lacks the requested verb. */
const HEAD_MISSING = 0.5;
const HEAD_FOUND = 0.5;
/** Minimum weight of a word that can identify an element. */
const TELLING_WEIGHT = 0.28;

/** Roles of options. Their names are nouns; the verb is on the menu or group that contains them. */
const CHOICE_ROLES: ReadonlySet<string> = new Set(['menuitem', 'radio', 'option', 'tab', 'menuitemradio']);

interface WantedWord extends TargetWord {
  readonly matches: WordMatches;
}

/** Ranks elements for phrases. */
export class Ranker {
  readonly page: PageIndex;
  readonly #surroundings: Surroundings;
  readonly #accountant: Accountant;

  constructor(page: PageIndex) {
    this.page = page;
    this.#surroundings = new Surroundings(page);
    this.#accountant = new Accountant(page);
  }

  /** Checks the words of a phrase under the assumption that it refers to this element. */
  account(line: Line, phrase: Phrase, accounting: Accounting): Account {
    return this.#accountant.account(line, phrase, accounting);
  }

  /** Returns the candidates with a score above 0, best first. Equal scores are in reading order. */
  rank(phrase: Phrase, options: RankOptions): readonly Candidate[] {
    const { roleFit, isKindKnown } = options;
    const words = this.#wanted(phrase.words);
    const candidates: Candidate[] = [];
    for (const line of this.#meant(options)) {
      const fit = roleFit(line.node) * kindFit(phrase, line.node);
      if (fit === 0) continue;
      if (!isKindKnown && !phrase.roles && !this.#hasOwnWord(line, words)) continue;
      candidates.push(this.#judge(line, { phrase, words, fit }));
    }
    return candidates
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score || left.line.index - right.line.index);
  }

  #meant({ isAnyLine, isDroppedOn, intent }: RankOptions): readonly Line[] {
    const { lines, elements, dropPlaces } = this.page;
    if (isAnyLine) return lines;
    if (isDroppedOn) return [...dropPlaces, ...elements];
    return elements.filter((line) => {
      const { node, parent } = line;
      // Options of a select are selected, not clicked.
      const isOption = node.role === 'option' && parent?.node.options !== undefined;
      return !isOption && (intent === 'choose' || !isMirrored(line, elements));
    });
  }

  /** Returns how strongly a line or its context contains a word, from 0 to 1. Similar spellings do not count. */
  ownOrAround(stem: string, line: Line): number {
    const alike = [...this.page.matches(stem)].filter(([other]) => similarity(stem, other) > 0);
    const matches = new Map(alike);
    return Math.max(
      bestMatch(matches, line.words),
      bestMatch(matches, this.#surroundings.wordsAround(line)) * MISPLACED.any,
    );
  }

  #wanted(words: readonly TargetWord[]): readonly WantedWord[] {
    return words.map((word) => ({ ...word, matches: this.page.matches(word.stem) }));
  }

  #judge(line: Line, { phrase, words, fit }: { phrase: Phrase; words: readonly WantedWord[]; fit: number }): Candidate {
    const { share, own } = this.#coverage(line, words, phrase.roles);
    const coverage = share * quotesFit(line, phrase.quoted);
    const score = SHARE.coverage * coverage + SHARE.name * nameFit(line, words) + SHARE.role * fit;
    return { line, score: coverage === 0 && words.length > 0 ? 0 : score * Math.sqrt(fit), coverage, own };
  }

  #coverage(line: Line, words: readonly WantedWord[], roles: Phrase['roles']): { share: number; own: number } {
    let total = 0;
    let ownFound = 0;
    let found = 0;
    let isHeadMissing = false;
    for (const word of words) {
      const own = bestMatch(word.matches, wordsOn(line));
      const worth = this.#worth(word, own, line);
      total += word.weight;
      ownFound += word.weight * (word.isKind && own < 1 ? 0 : own);
      found += word.weight * (word.isKind && roles?.has(line.node.role) ? 1 : worth);
      if (word.isHead && own < HEAD_FOUND && !(worth > HEAD_FOUND && CHOICE_ROLES.has(line.node.role)))
        isHeadMissing = true;
    }
    return { share: total === 0 ? 1 : (found / total) * (isHeadMissing ? HEAD_MISSING : 1), own: ownFound };
  }

  /** True if the element, or the column header of a cell, contains a word that identifies it. */
  #hasOwnWord(line: Line, words: readonly WantedWord[]): boolean {
    const header = headerOfCell(this.page, line);
    return words.some(
      ({ weight, place, matches }) =>
        weight >= TELLING_WEIGHT &&
        place !== 'around' &&
        (bestMatch(matches, line.words) > 0 || (header !== null && bestMatch(matches, header.words) > 0)),
    );
  }

  #worth(word: WantedWord, own: number, line: Line): number {
    if (own === 1 && word.place !== 'around') return 1;
    const around = bestMatch(word.matches, this.#surroundings.wordsAround(line));
    if (word.place === 'own') return Math.max(own, around * MISPLACED.ownWanted);
    if (word.place === 'around') return Math.max(around, own * MISPLACED.aroundWanted);
    return Math.max(own, around * MISPLACED.any);
  }
}

/** Returns the words of an element, or of its label for an unnamed field. */
function wordsOn({ node, words, label }: Line): ReadonlyMap<string, number> {
  return label && isUnnamedField(node) ? label.words : words;
}

/** Returns the quality of the best match of a word in a line. */
function bestMatch(matches: WordMatches, words: ReadonlyMap<string, number>): number {
  let best = 0;
  if (matches.size <= words.size) {
    for (const [stem, quality] of matches) best = Math.max(best, quality * (words.get(stem) ?? 0));
  } else {
    for (const [stem, strength] of words) best = Math.max(best, strength * (matches.get(stem) ?? 0));
  }
  return best;
}

const OTHER_KIND = 0.35;

function kindFit({ roles }: Phrase, node: SnapshotNode): number {
  if (!roles || roles.has(node.role)) return 1;
  return node.states.includes('clickable') ? (1 + OTHER_KIND) / 2 : OTHER_KIND;
}

/**
 * True if users operate another control instead of this one, as in widget libraries: a native select next to the
 * control that shows its value, or an unnamed field in a clickable element with text.
 */
function isMirrored(line: Line, elements: readonly Line[]): boolean {
  return hasOptions(line.node) ? isShownBeside(line, elements) : isKeyCatcher(line);
}

function isShownBeside(select: Line, elements: readonly Line[]): boolean {
  const shown = foldText(select.node.value ?? '');
  const at = elements.indexOf(select);
  return (
    shown !== '' &&
    [elements[at - 1], elements[at + 1]].some(
      (beside) => beside !== undefined && !hasOptions(beside.node) && foldText(shownTextOf(beside)) === shown,
    )
  );
}

function isKeyCatcher({ node, parent }: Line): boolean {
  const { name, value, placeholder, description } = node;
  const isBlank = takesText(node) && !name && !value && !placeholder && !description;
  return isBlank && parent !== null && parent.node.states.includes('clickable') && textsIn(parent.node).length > 0;
}

/** Returns the visible text of a control: its name, its value or the texts inside. */
function shownTextOf({ node }: Line): string {
  return node.name || node.value || textsIn(node).join(' ');
}
