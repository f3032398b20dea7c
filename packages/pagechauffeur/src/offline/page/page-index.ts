import { distance } from 'fastest-levenshtein';
import type { ModelPageView } from '../../model/model-client.ts';
import { similarity } from '../text/concepts.ts';
import { makeRoomForWords, stemsOf } from '../text/words.ts';
import { buildLines, textsIn } from './build-lines.ts';
import { KIND_STEMS } from './kind-stems.ts';
import { type Line, closest } from './line.ts';
import { isDropTarget, TABLE_ROLES } from './roles.ts';

const FUZZY_QUALITY = 0.6;
const SHORTEST_FUZZY = 5;
/** Maximum edit distance as a fraction of the word's length. */
const FUZZINESS = 0.2;

/** Nouns for containers such as "dialog", which match on every page. */
const KIND_WORDS: ReadonlySet<string> = new Set([...KIND_STEMS.values()].flat());

/** Words on the page that match a word in the instruction, each with a quality from 0 to 1. */
export type WordMatches = ReadonlyMap<string, number>;

/** The lines of a page, indexed by the stems in them. */
export class PageIndex {
  readonly lines: readonly Line[];
  /** Lines with a ref, except drop targets. */
  readonly elements: readonly Line[];
  /** Elements whose only action is to receive a drop. */
  readonly dropTargets: readonly Line[];
  readonly title: string;
  readonly titleWords: ReadonlySet<string>;
  readonly #linesByStem = new Map<string, Line[]>();
  readonly #headersByTable = new Map<Line, Line[]>();
  readonly #matches = new Map<string, WordMatches>();

  constructor({ nodes, title, url }: Pick<ModelPageView, 'nodes' | 'title' | 'url'>) {
    makeRoomForWords();
    this.lines = buildLines(nodes, url);
    const withRefs = this.lines.filter(({ node }) => node.ref !== undefined);
    this.dropTargets = withRefs.filter(({ node }) => isDropTarget(node));
    this.elements = this.dropTargets.length === 0 ? withRefs : withRefs.filter(({ node }) => !isDropTarget(node));
    this.title = title;
    this.titleWords = new Set(stemsOf(title));
    for (const line of this.lines) this.#note(line);
  }

  linesWith(stem: string): readonly Line[] {
    const found = new Set<Line>();
    for (const pageStem of this.matches(stem).keys())
      for (const line of this.#linesByStem.get(pageStem) ?? []) found.add(line);
    return [...found];
  }

  /**
   * Returns the words on the page that match a stem: the stem itself, words with the same or a related meaning, and
   * words with the same beginning. If there are none, returns words with a similar spelling.
   */
  matches(stem: string): WordMatches {
    const known = this.#matches.get(stem);
    if (known) return known;
    const matches = this.#findMatches(stem);
    this.#matches.set(stem, matches);
    return matches;
  }

  #findMatches(stem: string): WordMatches {
    const matches = new Map<string, number>();
    for (const pageStem of [...this.#linesByStem.keys(), ...this.titleWords, ...KIND_WORDS]) {
      const quality = similarity(stem, pageStem);
      if (quality > 0) matches.set(pageStem, quality);
    }
    if (matches.size > 0 || stem.length < SHORTEST_FUZZY || /\d/.test(stem)) return matches;
    for (const pageStem of this.#spelledLike(stem)) matches.set(pageStem, FUZZY_QUALITY);
    return matches;
  }

  #spelledLike(stem: string): readonly string[] {
    const edits = Math.round(stem.length * FUZZINESS);
    const isSimilar = (pageStem: string): boolean =>
      pageStem.length >= SHORTEST_FUZZY - 1 &&
      Math.abs(pageStem.length - stem.length) <= edits &&
      distance(pageStem, stem) <= edits;
    return [...this.#linesByStem.keys()].filter(isSimilar);
  }

  /** Returns the name, or the text inside for an unnamed line. */
  textOf({ node }: Line): string {
    return node.name || textsIn(node).join(' ');
  }

  headersOver(row: Line): readonly Line[] {
    const table = closest(row, TABLE_ROLES);
    return (table && this.#headersByTable.get(table)) ?? [];
  }

  #note(line: Line): void {
    line.eachStem((stem) => pushTo(this.#linesByStem, stem, line));
    const table = line.node.role === 'columnheader' ? closest(line, TABLE_ROLES) : null;
    if (table) pushTo(this.#headersByTable, table, line);
  }
}

function pushTo<K>(lists: Map<K, Line[]>, key: K, line: Line): void {
  const list = lists.get(key);
  if (!list) lists.set(key, [line]);
  else if (list.at(-1) !== line) list.push(line);
}
