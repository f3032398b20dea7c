import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import { isSameWord } from '../text/concepts.ts';
import { isStopWord } from '../text/word-classes.ts';
import { wordsOf } from '../text/words.ts';
import { KIND_STEMS } from './kind-stems.ts';
import { type Line, ancestorsOf, closest, isWithin } from './line.ts';
import type { PageIndex } from './page-index.ts';
import { isUnnamedField, takesText } from './roles.ts';
import { columnHeader, headerOfCell, groupsAround, headingsOver, recordOf } from './surroundings.ts';

export interface QueryWord {
  readonly stem: string;
  /** True for names, numbers and quoted words. Synonyms do not match them. */
  readonly isName: boolean;
}

type Stems = ReadonlySet<string>;

/** Minimum strength of a word that names an element. Weaker words are only in its value or URL. */
const NAMING_STRENGTH = 0.8;
/** Minimum strength of a visible word. Weaker words are only in the URL. */
const SEEN_STRENGTH = 0.5;
/** Controls do not describe the other elements in their row. */
const OTHER_CONTROLS: ReadonlySet<string> = new Set([
  'button',
  'menuitem',
  'textbox',
  'searchbox',
  'spinbutton',
  'slider',
  'combobox',
  'checkbox',
  'radio',
  'switch',
]);

/**
 * Decides which words occur on or near an element. Equal words, derived words and synonyms match. Related meanings and
 * similar spellings do not.
 */
export class Evidence {
  readonly #page: PageIndex;
  /** The heading of level 1 if there is only one. It applies to the whole page, including elements before it. */
  readonly #mainHeading: Line | undefined;
  readonly #own = new Map<Line, Stems>();
  readonly #around = new Map<Line, readonly Stems[]>();
  readonly #meanings = new Map<string, Stems>();

  constructor(page: PageIndex) {
    this.#page = page;
    const main = page.lines.filter((line) => line.node.role === 'heading' && isOfPage(line));
    this.#mainHeading = main.length === 1 ? main[0] : undefined;
  }

  /**
   * True if the name, placeholder or description contains the word. An element without these is matched by its label, a
   * cell also by its column header.
   */
  isOwn(line: Line, word: QueryWord): boolean {
    return this.#holds(this.ownStems(line), word);
  }

  /** True if the element contains only a synonym or derived form of the word, such as "Orders" for "buy". */
  isOwnBySynonym(line: Line, word: QueryWord): boolean {
    return !this.ownStems(line).has(word.stem) && this.isOwn(line, word);
  }

  /** Like {@link isOwn}, without implied verbs such as "download" for a link to a file. */
  isCalled(line: Line, word: QueryWord): boolean {
    const called = [...this.ownStems(line)].filter((stem) => !line.implied.has(stem));
    return this.#holds(new Set(called), word);
  }

  /**
   * True if the word occurs near the element: in its record, headings, groups, column header or form, or in the title
   * or main heading of the page.
   */
  isAround(line: Line, word: QueryWord): boolean {
    return this.isNear(line, word) || this.#holds(this.#page.titleWords, word) || this.#isInPageHeading(line, word);
  }

  /** Like {@link isAround}, without the title and main heading of the page. */
  isNear(line: Line, word: QueryWord): boolean {
    return this.#textsAround(line).some((stems) => this.#holds(stems, word));
  }

  #isInPageHeading(line: Line, word: QueryWord): boolean {
    for (const [heading] of headingsOver(line))
      if (isOfPage(heading) && this.#holds(strongStems(heading, SEEN_STRENGTH), word)) return true;
    return this.#mainHeading !== undefined && this.#holds(strongStems(this.#mainHeading, SEEN_STRENGTH), word);
  }

  /** True if a single string on or near the element contains both words. */
  areTogether(line: Line, left: QueryWord, right: QueryWord): boolean {
    return [this.ownStems(line), ...this.#textsAround(line)].some(
      (stems) => this.#holds(stems, left) && this.#holds(stems, right),
    );
  }

  /** True if the word is a common noun for the role of an ancestor, such as "popup" for a dialog. */
  isInside(line: Line, { stem }: QueryWord): boolean {
    for (const { node } of ancestorsOf(line)) if (KIND_STEMS.get(node.role)?.includes(stem)) return true;
    return false;
  }

  ownStems(line: Line): Stems {
    const known = this.#own.get(line);
    if (known) return known;
    const { name, placeholder, description } = line.node;
    const isNameless = name === '' && !placeholder && !description && line.node.ref !== undefined;
    const own = isNameless && line.node.children.some(holdsControl) ? NONE : strongStems(line, NAMING_STRENGTH);
    const isLabelled = (isNameless && own.size === 0) || isUnnamedField(line.node);
    const stems = isLabelled && line.label ? strongStems(line.label, SEEN_STRENGTH) : this.#withColumn(line, own);
    this.#own.set(line, stems);
    return stems;
  }

  /** Adds the words in the column header to a cell: "the price of Pears" is a cell in the column "Price". */
  #withColumn(line: Line, own: Stems): Stems {
    const header = headerOfCell(this.#page, line);
    return header ? new Set([...own, ...strongStems(header, SEEN_STRENGTH)]) : own;
  }

  /** True if a heading, group name or column header above the element contains the word. */
  isUnder(line: Line, word: QueryWord): boolean {
    const record = recordOf(line);
    const header = record && columnHeader(this.#page, line, record);
    const over = [
      ...[...headingsOver(line)].map(([heading]) => heading),
      ...groupsAround(line),
      ...(header ? [header] : []),
    ];
    return over.some((other) => this.#holds(strongStems(other, SEEN_STRENGTH), word));
  }

  #textsAround(line: Line): readonly Stems[] {
    const known = this.#around.get(line);
    if (known) return known;
    const record = recordOf(line);
    const header = record && columnHeader(this.#page, line, record);
    const near = [
      ...(record
        ? this.#page.lines.slice(record.index, record.end).filter((other) => describesLine(other, line, record))
        : []),
      ...[...headingsOver(line)].flatMap(([heading]) => (isOfPage(heading) ? [] : [heading])),
      ...groupsAround(line),
      ...this.#fieldsBeside(line),
      ...(line.label && isShort(line.label) && !this.#isBetweenTexts(line) ? [line.label] : []),
      ...(header ? [header] : []),
    ];
    const texts = near.map((other) => strongStems(other, SEEN_STRENGTH));
    this.#around.set(line, texts);
    return texts;
  }

  /**
   * True for a button in a row such as `note × note × note`. Equal buttons alternate with text, so the owner of a
   * button is unclear.
   */
  #isBetweenTexts(line: Line): boolean {
    if (line.node.role !== 'button') return false;
    const row = this.#page.lines.filter(({ parent, heading }) => parent === line.parent && heading === line.heading);
    const isAlike = ({ node }: Line): boolean => node.role === 'button' && node.name === line.node.name;
    const after = row[row.findLastIndex(isAlike) + 1];
    if (row.filter(isAlike).length < 2 || !after || after.node.ref !== undefined) return false;
    return wordsOf(after.node.name).some(({ text, stem }) => !isStopWord(text) && line.label?.words.has(stem));
  }

  /** Returns the text fields in the same small form as a button. */
  #fieldsBeside(line: Line): readonly Line[] {
    const form = line.node.role === 'button' ? closest(line, FORMS) : null;
    if (!form || form.end - form.index > LARGEST_FORM) return [];
    return this.#page.lines.slice(form.index, form.end).filter(({ node }) => takesText(node));
  }

  #holds(stems: Stems, { stem, isName }: QueryWord): boolean {
    if (stems.has(stem)) return true;
    if (isName || stems.size === 0) return false;
    for (const other of this.#meaning(stem)) if (stems.has(other)) return true;
    return false;
  }

  #meaning(stem: string): Stems {
    const known = this.#meanings.get(stem);
    if (known) return known;
    const stems = new Set([...this.#page.matches(stem).keys()].filter((other) => isSameWord(stem, other)));
    this.#meanings.set(stem, stems);
    return stems;
  }
}

const NONE: Stems = new Set();
const FORMS: ReadonlySet<string> = new Set(['form', 'search']);
const LARGEST_FORM = 12;

/**
 * True if the node is or contains an interactive element other than an icon. Text inside such a container does not name
 * it.
 */
function holdsControl({ role, ref, name, children }: SnapshotNode): boolean {
  const isIcon = PICTURED.has(role) && !/[\p{L}\p{N}]/u.test(name) && children.length === 0;
  return (ref !== undefined && !isIcon) || children.some(holdsControl);
}

const PICTURED: ReadonlySet<string> = new Set(['generic', 'img']);

/** Longer text is prose and not a label. */
function isShort({ node }: Line): boolean {
  return node.name.length <= LONGEST_LABEL;
}

const LONGEST_LABEL = 60;

function isOfPage({ node }: Line): boolean {
  return node.level === 1;
}

function strongStems({ words }: Line, least: number): Stems {
  return new Set([...words].flatMap(([stem, strength]) => (strength >= least ? [stem] : [])));
}

/**
 * True if one line in a record describes another line in it. Controls and unnamed lines do not. Lines in a nested list
 * describe only each other.
 */
function describesLine(other: Line, line: Line, record: Line): boolean {
  if (other === line || other.node.name === '' || OTHER_CONTROLS.has(other.node.role)) return false;
  for (const outer of ancestorsOf(other)) {
    if (outer === record) return true;
    if (COLLECTIONS.has(outer.node.role) && !isWithin(line, outer)) return false;
  }
  return true;
}

const COLLECTIONS: ReadonlySet<string> = new Set(['list', 'table', 'grid', 'tree', 'listbox', 'menu']);
