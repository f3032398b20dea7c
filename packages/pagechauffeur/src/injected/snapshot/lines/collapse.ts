import type { WireNode, WireProperties } from '../../contract.ts';
import type { WireLine } from './wire-line.ts';

/** A line before it becomes a `WireNode`. */
export interface Line {
  readonly role: number;
  readonly name: string;
  readonly ref: number;
  readonly properties: WireProperties | 0;
  readonly children: readonly WireNode[];
  /** True if the role takes its name from the content. Children that only repeat the name are omitted. */
  readonly isNamedByContent: boolean;
  /** Keeps children that repeat the name but have a URL. */
  readonly keepsLinkedImages: boolean;
}

/** Receives the children that remain in a line, and all that it had before. */
export type OnShortened = (kept: readonly WireNode[], all: readonly WireNode[]) => void;

/**
 * A single text child becomes the name of an unnamed line. Children that only repeat the line are omitted.
 * `onShortened` is called for each line below that loses some of its children.
 */
export function collapse(line: Line, onShortened: OnShortened): WireNode {
  const children = reportedChildren(line, onShortened);
  const [only] = children;
  if (children.length === 1 && typeof only === 'string' && line.name === '') return wireNode(line, only, []);
  return wireNode(line, line.name, children);
}

/** Omits empty entries at the end of the tuple. */
export function wireNode(
  { role, ref, properties }: Pick<Line, 'role' | 'ref' | 'properties'>,
  name: string,
  children: readonly WireNode[],
): WireLine {
  if (children.length > 0) return [role, name, ref, properties, children];
  if (properties !== 0) return [role, name, ref, properties];
  if (ref !== 0) return [role, name, ref];
  return name === '' ? [role] : [role, name];
}

/** The lines from which shorter ones were made. */
const wholeLines = new WeakMap<WireLine, WireLine>();

/** True if `line` is a collected line, possibly without some of its children. */
export function isSameLine(line: WireNode | undefined, collected: WireNode): boolean {
  return line === collected || (typeof line === 'object' && wholeLines.get(line) === collected);
}

function reportedChildren(line: Line, onShortened: OnShortened): readonly WireNode[] {
  const { name, properties, children, isNamedByContent, keepsLinkedImages } = line;
  if (children.length === 0) return children;
  if (isNamedByContent && name !== '')
    return withoutRepetition(children, { name: comparedName(name), keepsLinkedImages, onShortened });
  const value = properties === 0 ? undefined : properties.value;
  if (name === '' && value === undefined) return children;
  return children.filter((child) => child !== name && child !== value);
}

interface ParentLine extends Pick<Line, 'keepsLinkedImages'> {
  readonly name: ComparedName;
  readonly onShortened: OnShortened;
}

function withoutRepetition(lines: readonly WireNode[], parent: ParentLine): readonly WireNode[] {
  const kept: WireNode[] = [];
  for (const line of lines) {
    const rest =
      typeof line === 'string' ? (parent.name.contains(line) ? null : line) : nodeWithoutRepetition(line, parent);
    if (rest !== null) kept.push(rest);
  }
  return kept;
}

function nodeWithoutRepetition(line: WireLine, parent: ParentLine): WireNode | null {
  const [role, ownName = '', ref = 0, properties = 0, children = []] = line;
  if (ref !== 0 && isSameElement(line, parent.name)) return null;
  if (ref !== 0 || (parent.keepsLinkedImages && properties !== 0 && properties.url !== undefined)) return line;
  const rest = withoutRepetition(children, parent);
  if (rest.length === 0 && parent.name.contains(ownName)) return null;
  if (rest.length === children.length && rest.every((child, index) => child === children[index])) return line;
  parent.onShortened(rest, children);
  const shortened = wireNode({ role, ref, properties }, ownName, rest);
  wholeLines.set(shortened, line);
  return shortened;
}

/**
 * True if the child is a clickable element with the line's name, such as an inner element that has the click listener.
 */
function isSameElement([, ownName = '', , properties, children]: WireLine, name: ComparedName): boolean {
  const states = properties ? properties.states : undefined;
  const isPlain = children === undefined && states?.length === 1 && states[0] === 'clickable';
  return isPlain && plainTextOf(ownName) !== '' && name.equals(ownName);
}

/** True if the text adds nothing to the name except symbols such as arrows and crosses. */
export function repeats(text: string, name: string): boolean {
  return comparedName(name).contains(text);
}

/** A name that is compared with the texts of many children. Ignores symbols and case. */
interface ComparedName {
  readonly contains: (text: string) => boolean;
  readonly equals: (text: string) => boolean;
}

/** Normalizes the name once, when it is first needed. */
function comparedName(name: string): ComparedName {
  let known: string | null = null;
  let letters: string | null = null;
  const plain = (): string => (known ??= plainTextOf(name));
  return {
    contains: (text) => {
      if (name.includes(text) || plain().includes(plainTextOf(text))) return true;
      // Gaps between boxes separate words of the text, but not always those of the name.
      letters ??= lettersOf(name);
      return letters.includes(lettersOf(text));
    },
    equals: (text) => plainTextOf(text) === plain(),
  };
}

function lettersOf(text: string): string {
  return plainTextOf(text).replaceAll(' ', '');
}

function plainTextOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
