import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import { stemsOf, wordsOf } from '../text/words.ts';
import type { Line } from './line.ts';
import { isExample, isCheckable, isDropTarget, NAMED_GROUP_ROLES, SCOPE_ROLES, takesText } from './roles.ts';

/** How strongly a word identifies an element, by where it occurs. 1 is a word in the accessible name. */
const STRENGTH = { name: 1, placeholder: 0.9, description: 0.85, value: 0.55, url: 0.35, implied: 0.8 };
/** Maximum number of inner texts that form the name of an unnamed element. */
const LINES_OF_TEXT = 12;

/** Flattens the snapshot in reading order, and finds the heading and label of each line. */
export function buildLines(nodes: readonly SnapshotNode[], pageUrl: string): readonly Line[] {
  const builder = new LineBuilder(pathOf(pageUrl));
  builder.addAll(nodes, null, null);
  return builder.lines;
}

/**
 * Maximum number of characters of a name or value to split into words. The words in 5 MB of text would take 300 MB of
 * memory.
 */
export const LONGEST_READ = 20_000;

const NO_STEMS: ReadonlySet<string> = new Set();

/** `implied` are the stems in `words` that come from {@link impliedVerbs} and are not in the element's name. */
interface Reading {
  readonly words: ReadonlyMap<string, number>;
  readonly implied: ReadonlySet<string>;
}

/** Splits its text into words on first use. Most of the 100,000 lines of a large page are never compared. */
class LazyLine implements Line {
  readonly node: SnapshotNode;
  readonly index: number;
  readonly parent: Line | null;
  end = 0;
  heading: Line | null;
  label: Line | null;
  readonly #pagePath: string;
  #reading: Reading | undefined;

  constructor(node: SnapshotNode, index: number, pagePath: string, place: Pick<Line, 'parent' | 'heading' | 'label'>) {
    this.node = node;
    this.index = index;
    this.#pagePath = pagePath;
    this.parent = place.parent;
    this.heading = place.heading;
    this.label = place.label;
  }

  get words(): ReadonlyMap<string, number> {
    return (this.#reading ??= this.#read()).words;
  }

  get implied(): ReadonlySet<string> {
    return (this.#reading ??= this.#read()).implied;
  }

  eachStem(visit: (stem: string) => void): void {
    readStems(this.node, this.#pagePath, visit);
    for (const verbs of impliedVerbs(this.node, this.parent?.node)) for (const stem of stemsOf(verbs)) visit(stem);
  }

  #read(): Reading {
    const words = new Map<string, number>();
    readStems(this.node, this.#pagePath, (stem, strength) => {
      if ((words.get(stem) ?? 0) < strength) words.set(stem, strength);
    });
    const verbs = impliedVerbs(this.node, this.parent?.node).flatMap(stemsOf);
    const implied = verbs.filter((stem) => (words.get(stem) ?? 0) < STRENGTH.implied);
    for (const stem of implied) words.set(stem, STRENGTH.implied);
    return { words, implied: implied.length === 0 ? NO_STEMS : new Set(implied) };
  }
}

class LineBuilder {
  readonly lines: LazyLine[] = [];
  readonly #pagePath: string;

  constructor(pagePath: string) {
    this.#pagePath = pagePath;
  }

  /** Adds siblings with their descendants. Returns the heading that applies to the lines after them. */
  addAll(nodes: readonly SnapshotNode[], parent: Line | null, headingBefore: Line | null): Line | null {
    let heading = headingBefore;
    let label: Line | null = null;
    const siblings: LazyLine[] = [];
    for (const node of nodes) {
      const line = this.#add(node, { parent, heading, label });
      siblings.push(line);
      const headingInside = this.addAll(node.children, line, isPageFooter(line) ? null : heading);
      line.end = this.lines.length;
      if (node.role === 'heading') heading = this.#under(line, heading);
      else if (!SCOPE_ROLES.has(node.role)) heading = headingInside;
      if (isText(node)) label = line;
      else if (node.role === 'heading' || (node.ref !== undefined && !isNamedChoice(node))) label = null;
    }
    labelFromBelow(siblings);
    headFromBelow(siblings);
    return heading;
  }

  #add(node: SnapshotNode, place: Pick<Line, 'parent' | 'heading' | 'label'>): LazyLine {
    const line = new LazyLine(node, this.lines.length, this.#pagePath, place);
    this.lines.push(line);
    return line;
  }

  /** Makes a heading a child of the nearest preceding heading with a higher level. */
  #under(line: LazyLine, before: Line | null): Line {
    let above = before;
    while (above && (above.node.level ?? 2) >= (line.node.level ?? 2)) above = above.heading;
    line.heading = above;
    return line;
  }
}

/** Calls `visit` for the stem of each word in a node's name, placeholder, description, value and link URL. */
function readStems(node: SnapshotNode, pagePath: string, visit: (stem: string, strength: number) => void): void {
  const read = (text: string | undefined, strength: number): void => {
    if (text) for (const { stem } of wordsOf(text.slice(0, LONGEST_READ))) visit(stem, strength);
  };
  for (const name of callNames(node)) read(name, STRENGTH.name);
  if (!isExample(node.placeholder ?? '')) read(node.placeholder, STRENGTH.placeholder);
  read(node.description, STRENGTH.description);
  read(node.value, STRENGTH.value);
  const path = node.role === 'link' && node.url ? pathOf(node.url) : '';
  if (path !== pagePath) read(path, STRENGTH.url);
}

const FILE = /\.(?:pdf|zip|csv|xlsx?|docx?|pptx?|txt|json|png|jpe?g|gif|mp[34]|dmg|exe|tar|gz)$/i;

/** Returns verbs that users may say for an element regardless of its text, such as "expand" for a collapsed one. */
function impliedVerbs(node: SnapshotNode, parent: SnapshotNode | undefined): readonly string[] {
  const verbs: string[] = [];
  if (node.states.includes('collapsed')) verbs.push('expand');
  if (node.states.includes('expanded')) verbs.push('collapse close');
  if (node.role === 'link') verbs.push('read');
  if (node.role === 'link' && FILE.test(node.url?.replace(/[?#].*$/, '') ?? '')) verbs.push('download');
  if (parent?.role === 'columnheader' || node.role === 'columnheader') verbs.push('sort');
  return verbs;
}

/**
 * Labels unnamed fields with the text that follows, as floating labels need. Applies only to several fields that are
 * each followed by text, if the first has no label: `field, text, field, text`.
 */
function labelFromBelow(siblings: readonly LazyLine[]): void {
  const nameless = siblings.filter(isNamelessField);
  if (nameless.length < 2) return;
  const runs = Map.groupBy(nameless, ({ heading }) => heading);
  for (const fields of runs.values()) {
    const texts = fields.map((field) => siblings[siblings.indexOf(field) + 1]);
    const isBelow = fields.length > 1 && fields[0]?.label === null && texts.every((text) => text && isText(text.node));
    if (isBelow) for (const [index, field] of fields.entries()) field.label = texts[index] ?? null;
  }
}

/** Assigns buttons such as "Close" to the heading that follows, if each heading of a series follows the same button. */
function headFromBelow(siblings: readonly LazyLine[]): void {
  const headings = siblings.filter(({ node }) => node.role === 'heading');
  if (headings.length < 2) return;
  for (const series of Map.groupBy(headings, ({ node, heading }) => `${heading?.index} ${node.level}`).values()) {
    const before = series.map((heading) => siblings[siblings.indexOf(heading) - 1]);
    const name = before[0]?.node.name;
    const areAlike = before.every((line) => line?.node.role === 'button' && line.node.name === name);
    if (series.length > 1 && areAlike)
      for (const [index, line] of before.entries()) if (line) line.heading = series[index] ?? null;
  }
}

function isNamelessField({ node }: Line): boolean {
  return takesText(node) && node.name === '' && !node.placeholder && !node.description;
}

/** Text before several named radio buttons or checkboxes is a caption for all of them. */
function isNamedChoice(node: SnapshotNode): boolean {
  return isCheckable(node) && node.name !== '';
}

/** True for the footer of the page itself, which is not part of the section before it. */
function isPageFooter({ node, parent }: Line): boolean {
  return node.role === 'contentinfo' && parent === null;
}

/** True for text that can label the next element. Excludes group names, which only apply to the group's content. */
function isText(node: SnapshotNode): boolean {
  return node.name !== '' && node.ref === undefined && node.role !== 'heading' && !NAMED_GROUP_ROLES.has(node.role);
}

/** Returns the accessible name. For an unnamed element or heading, returns the texts inside. */
export function callNames(node: SnapshotNode): readonly string[] {
  if (node.name !== '') return [withoutControls(node)];
  if (isDropTarget(node)) return textsIn(node, 1);
  // Text in a frame is part of another document and does not name the frame.
  if (node.role === 'iframe') return [];
  return node.ref !== undefined || NAMED_BY_CONTENT.has(node.role) ? textsIn(node) : [];
}

/**
 * Removes the names of inner controls from the name of a row or option, which browsers compute from all content. A
 * message row "Ada Hello Star" with a button "Star" is "Ada Hello".
 */
function withoutControls(node: SnapshotNode): string {
  if (node.ref === undefined) return node.name;
  const rest = node.children
    .filter(({ ref, name }) => ref !== undefined && name !== '')
    .reduce((name, control) => ` ${name} `.replace(` ${control.name} `, ' ').trim(), node.name);
  return rest === '' ? node.name : rest;
}

const NAMED_BY_CONTENT: ReadonlySet<string> = new Set(['heading', 'columnheader', 'rowheader', 'caption']);

/** Returns the names of the outermost named nodes inside a node, in reading order. */
export function textsIn(node: SnapshotNode, limit: number = LINES_OF_TEXT): readonly string[] {
  const texts: string[] = [];
  const visit = (current: SnapshotNode): void => {
    for (const child of current.children) {
      if (texts.length >= limit) return;
      if (isSymbolControl(child)) continue;
      if (child.name !== '') texts.push(child.name);
      else visit(child);
    }
  };
  visit(node);
  return texts;
}

/** True for a control that shows only a symbol such as "×". The symbol does not describe the item. */
function isSymbolControl({ ref, name, children }: SnapshotNode): boolean {
  return ref !== undefined && name !== '' && !/[\p{L}\p{N}]/u.test(name) && children.length === 0;
}

function pathOf(url: string): string {
  return url
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/[_-]/g, ' ');
}
