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

/** An element that a phrase may refer to. */
export interface Candidate {
  readonly line: Line;
  /** From 0 to 1. */
  readonly score: number;
  /** Fraction of the phrase that occurs on the element or near it. */
  readonly coverage: number;
  /** Total weight of the words that occur on the element itself. */
  readonly own: number;
}

/** Returns how well a role suits the action, from 0 (excluded) to 1. */
export type RoleFit = (node: SnapshotNode) => number;

/** Rules for one ranking, which depend on the intent. */
export interface RankOptions extends Accounting {
  readonly roleFit: RoleFit;
  /** True if the role already excludes most elements, so that nearby words alone can identify one. */
  readonly isKindKnown: boolean;
  /** True if lines without a ref are candidates too. */
  readonly isAnyLine?: boolean;
  /** True to find the drop target of a drag. */
  readonly isDroppedOn?: boolean;
}

const SHARE = { coverage: 0.7, name: 0.2, role: 0.1 };
/**
 * Score factors for a word that is not in the expected location: `ownWanted` if it is only nearby, `aroundWanted` if it
 * is on the element, `any` if it is nearby.
 */
const MISPLACED = { ownWanted: 0.3, aroundWanted: 0.8, any: 0.92 };
/** Score factor for a control whose name lacks the requested verb. */
const HEAD_MISSING = 0.5;
const HEAD_FOUND = 0.5;
/** Minimum weight of a word that can identify an element. */
const DISTINCTIVE_WEIGHT = 0.28;

/** Roles of options. Their names are nouns, and the verb is on the menu or group around them. */
const CHOICE_ROLES: ReadonlySet<string> = new Set(['menuitem', 'radio', 'option', 'tab', 'menuitemradio']);

interface WantedWord extends TargetWord {
  readonly matches: WordMatches;
}

/** Finds the elements that a phrase may refer to, by the words on and near them. */
export class Ranker {
  readonly page: PageIndex;
  readonly #surroundings: Surroundings;
  readonly #accountant: Accountant;

  constructor(page: PageIndex) {
    this.page = page;
    this.#surroundings = new Surroundings(page);
    this.#accountant = new Accountant(page);
  }

  account(line: Line, phrase: Phrase, accounting: Accounting): Account {
    return this.#accountant.account(line, phrase, accounting);
  }

  /** Returns the candidates with a score above 0, best first. Equal scores stay in reading order. */
  rank(phrase: Phrase, options: RankOptions): readonly Candidate[] {
    const { roleFit, isKindKnown } = options;
    const words = this.#wanted(phrase.words);
    const candidates: Candidate[] = [];
    for (const line of this.#eligible(options)) {
      const fit = roleFit(line.node) * kindFit(phrase, line.node);
      if (fit === 0) continue;
      if (!isKindKnown && !phrase.roles && !this.#hasOwnWord(line, words)) continue;
      candidates.push(this.#judge(line, { phrase, words, fit }));
    }
    return candidates
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score || left.line.index - right.line.index);
  }

  #eligible({ isAnyLine, isDroppedOn, intent }: RankOptions): readonly Line[] {
    const { lines, elements, dropTargets } = this.page;
    if (isAnyLine) return lines;
    if (isDroppedOn) return [...dropTargets, ...elements];
    return elements.filter((line) => {
      const { node, parent } = line;
      // Options of a native select cannot be clicked.
      const isOption = node.role === 'option' && parent?.node.options !== undefined;
      return !isOption && (intent === 'choose' || !isMirrored(line, elements));
    });
  }

  /** Returns how strongly a word occurs on or near a line, from 0 to 1. Ignores similar spellings. */
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

  #hasOwnWord(line: Line, words: readonly WantedWord[]): boolean {
    const header = headerOfCell(this.page, line);
    return words.some(
      ({ weight, place, matches }) =>
        weight >= DISTINCTIVE_WEIGHT &&
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

function wordsOn({ node, words, label }: Line): ReadonlyMap<string, number> {
  return label && isUnnamedField(node) ? label.words : words;
}

/** Returns the best product of match quality and word strength, from 0 to 1. */
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
 * True for a native control behind a styled one, as in widget libraries: a select next to a control with the same
 * value, or an unnamed field inside a clickable element.
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

function shownTextOf({ node }: Line): string {
  return node.name || node.value || textsIn(node).join(' ');
}
