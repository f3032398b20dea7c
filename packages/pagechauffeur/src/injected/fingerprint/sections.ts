import { foldSpace } from '../aria/text-builder.ts';
import { composedParent } from '../tree/composed-tree.ts';
import { memoised } from '../memo.ts';
import { nameOf } from '../aria/name.ts';
import { attributeOf, childrenOf, localNameOf, previousElementOf, queryAll, textContentOf } from '../native.ts';
import { roleOf } from '../aria/role.ts';
import { isNotRendered } from '../element/visibility.ts';

/** Sections that are identified by their accessible name. */
const NAMED_PARTS: ReadonlySet<string> = new Set(
  (
    'alertdialog article complementary dialog feed figure form grid group list listbox log menu menubar navigation radiogroup region ' +
    'search table tablist tabpanel toolbar tree treegrid'
  ).split(' '),
);
/** Sections that count even without a name. */
const PARTS_IN_FRONT: ReadonlySet<string> = new Set(['alertdialog', 'dialog']);
/** The search for outer sections stops at these, because they do not depend on their ancestors. */
const BOUNDARIES: ReadonlySet<string> = new Set(
  'alertdialog banner complementary contentinfo dialog navigation search'.split(' '),
);
const MAX_SECTIONS = 4;
/** Number of previous siblings to search for a heading. */
const REACH = 60;
/** Longer headings count as text. */
const LONGEST_HEADING = 120;

/** Returns headings and names of the enclosing sections, innermost first. */
export function sectionsOf(element: Element): string[] {
  const sections: string[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  for (let node: Element | null = element; node && sections.length < MAX_SECTIONS; node = composedParent(node)) {
    if (node !== element) add(sections, partName(node));
    if (node !== element && BOUNDARIES.has(roleOf(node))) break;
    for (const { level, text } of headingsBefore(node)) {
      if (level >= lowest) continue;
      lowest = level;
      add(sections, text);
    }
  }
  return sections.slice(0, MAX_SECTIONS);
}

/** Returns the text of the only rendered `h1`, with `#` for numbers; `''` unless there is exactly one. */
export function titleOf(): string {
  const only = onlyTopHeading(document);
  return only
    ? foldSpace(textContentOf(only) ?? '')
        .slice(0, LONGEST_HEADING)
        .replace(/\d+/g, '#')
    : '';
}

// A single `h1` is the page title, which identifies no section.
const onlyTopHeading: (root: Document) => Element | null = memoised((root: Document) => {
  const [only, ...others] = queryAll(root, 'h1').filter((heading) => !isNotRendered(heading));
  return only && others.length === 0 ? only : null;
});

function add(sections: string[], title: string): void {
  const name = withoutCount(title);
  if (name !== '' && !sections.includes(name)) sections.push(name);
}

/** Removes a count in parentheses at the end, as in `Cart (2)`. */
export function withoutCount(name: string): string {
  return name.replace(/\s*\(\d+\)$/, '');
}

const partName: (element: Element) => string = memoised((element: Element) => {
  const role = roleOf(element);
  if (!NAMED_PARTS.has(role)) return '';
  return nameOf(element).slice(0, LONGEST_HEADING) || (PARTS_IN_FRONT.has(role) ? role : '');
});

interface Heading {
  readonly level: number;
  readonly text: string;
}

/** Searches previous siblings, nearest first. Each heading ranks higher than the one before. */
const headingsBefore: (element: Element) => readonly Heading[] = memoised((element: Element) => {
  const headings: Heading[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  let beside = previousElementOf(element);
  for (let count = 0; beside && count < REACH; count += 1, beside = previousElementOf(beside)) {
    const heading = headingOf(beside) ?? headingIn(beside);
    if (!heading || heading.level >= lowest) continue;
    lowest = heading.level;
    headings.push(heading);
  }
  return headings;
});

const headingOf: (element: Element) => Heading | null = memoised((element: Element) => {
  const tag = localNameOf(element);
  if (tag !== 'legend' && tag !== 'summary' && roleOf(element) !== 'heading') return null;
  const text = foldSpace(textContentOf(element) ?? '');
  if (text === '' || text.length > LONGEST_HEADING || isNotRendered(element)) return null;
  if (element === onlyTopHeading(document)) return null;
  return { text, level: /^h[1-6]$/.test(tag) ? Number(tag[1]) : levelOf(element) };
});

function levelOf(element: Element): number {
  const level = Number(attributeOf(element, 'aria-level'));
  return level > 0 ? level : 2;
}

// A heading may be wrapped: alone, or followed by a subtitle in a `header` or `hgroup`.
function headingIn(element: Element): Heading | null {
  const children = childrenOf(element);
  const [first] = children;
  if (!first || children.length > 3) return null;
  const heading = headingOf(first) ?? (children.length === 1 ? headingOf(childrenOf(first)[0] ?? first) : null);
  if (!heading) return null;
  const isHeader = /^(header|hgroup)$/.test(localNameOf(element));
  return isHeader || foldSpace(textContentOf(element) ?? '') === heading.text ? heading : null;
}
