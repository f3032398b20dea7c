import MiniSearch from 'minisearch';
import type { ModelPageView } from '../../model/model-client.ts';
import { similarity } from '../text/concepts.ts';
import { stemsOf } from '../text/words.ts';
import { buildLines, textsIn } from './build-lines.ts';
import { KIND_STEMS } from './kind-stems.ts';
import { type Line, closest } from './line.ts';
import { isDropPlace, TABLE_ROLES } from './roles.ts';

/** A misspelt word is this much worth. */
const FUZZY_QUALITY = 0.6;
const SHORTEST_FUZZY = 5;
const FUZZINESS = 0.2;

/** Words for kinds of containers are on every page, by the containers' roles. */
const KIND_WORDS: ReadonlySet<string> = new Set([...KIND_STEMS.values()].flat());

/** The words of a page that an instruction's word stands for, and how well. */
export type WordMatches = ReadonlyMap<string, number>;

/** A page's lines, and where each word stands. */
export class PageIndex {
  readonly lines: readonly Line[];
  /** Elements that can be acted on. */
  readonly elements: readonly Line[];
  /** Elements that are only there to drop something on. */
  readonly dropPlaces: readonly Line[];
  readonly title: string;
  readonly titleWords: ReadonlySet<string>;
  readonly #linesByStem = new Map<string, Line[]>();
  readonly #headersByTable = new Map<Line, Line[]>();
  readonly #matches = new Map<string, WordMatches>();
  #spelling: MiniSearch<{ id: string }> | undefined;

  constructor({ nodes, title, url }: Pick<ModelPageView, 'nodes' | 'title' | 'url'>) {
    this.lines = buildLines(nodes, url);
    const withRefs = this.lines.filter(({ node }) => node.ref !== undefined);
    this.dropPlaces = withRefs.filter(({ node }) => isDropPlace(node));
    this.elements = this.dropPlaces.length === 0 ? withRefs : withRefs.filter(({ node }) => !isDropPlace(node));
    this.title = title;
    this.titleWords = new Set(stemsOf(title));
    for (const line of this.lines) this.#note(line);
  }

  /** The lines whose own words have one that this stem stands for. */
  linesWith(stem: string): readonly Line[] {
    const found = new Set<Line>();
    for (const pageStem of this.matches(stem).keys())
      for (const line of this.#linesByStem.get(pageStem) ?? []) found.add(line);
    return [...found];
  }

  /** The page's words that a stem stands for: itself, words of the same meaning, and when there is none a similar spelling. */
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
    for (const { id } of this.#spellingIndex().search(stem)) matches.set(String(id), FUZZY_QUALITY);
    return matches;
  }

  /** The page's words as documents of one word each; built only when a word is not on the page. */
  #spellingIndex(): MiniSearch<{ id: string }> {
    if (this.#spelling) return this.#spelling;
    const index = new MiniSearch<{ id: string }>({
      fields: ['id'],
      tokenize: (text) => [text],
      searchOptions: { fuzzy: FUZZINESS },
    });
    index.addAll([...this.#linesByStem.keys()].filter((id) => id.length >= SHORTEST_FUZZY - 1).map((id) => ({ id })));
    this.#spelling = index;
    return index;
  }

  /** All that a line says, itself or in what is below it. */
  textOf({ node }: Line): string {
    return node.name || textsIn(node).join(' ');
  }

  /** The column headers of the table that a row belongs to. */
  headersOver(row: Line): readonly Line[] {
    const table = closest(row, TABLE_ROLES);
    return (table && this.#headersByTable.get(table)) ?? [];
  }

  #note(line: Line): void {
    for (const stem of line.words.keys()) pushTo(this.#linesByStem, stem, line);
    const table = line.node.role === 'columnheader' ? closest(line, TABLE_ROLES) : null;
    if (table) pushTo(this.#headersByTable, table, line);
  }
}

function pushTo<K>(lists: Map<K, Line[]>, key: K, line: Line): void {
  const list = lists.get(key);
  if (list) list.push(line);
  else lists.set(key, [line]);
}
