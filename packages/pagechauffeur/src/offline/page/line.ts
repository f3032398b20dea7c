import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';

/** A snapshot node with its position on the page and the words for matching. */
export interface Line {
  readonly node: SnapshotNode;
  /** In reading order. */
  readonly index: number;
  /** Index after the last descendant. */
  readonly end: number;
  readonly parent: Line | null;
  /** The nearest preceding heading that applies to this line. */
  readonly heading: Line | null;
  /** The text that labels this line: before it on the same level, or after it for floating labels. */
  readonly label: Line | null;
  /**
   * Stems of verbs that users associate with this element although its name lacks them, such as "expand" for a
   * collapsed one.
   */
  readonly implied: ReadonlySet<string>;
  /** Stems in the element's text, each with a strength from 0 to 1 that depends on where it occurs. */
  readonly words: ReadonlyMap<string, number>;
  /** Visits the stems in `words`, possibly repeatedly. Does not store them, which saves memory on large pages. */
  eachStem(visit: (stem: string) => void): void;
}

/** Returns the URL of a line. Ignores URLs that only a script handles: `javascript:`, `#`, `#!`. */
export function addressOf({ node: { url } }: Line): string | undefined {
  if (url === undefined || /^javascript:/i.test(url)) return undefined;
  const fragment = /#(.*)$/s.exec(url)?.[1];
  return fragment === undefined || /[\p{L}\p{N}]/u.test(fragment) ? url : undefined;
}

/** True for the container itself, too. */
export function isWithin(line: Line, container: Line): boolean {
  return line.index >= container.index && line.index < container.end;
}

/** Innermost first. */
export function* ancestorsOf(line: Line): Generator<Line> {
  for (let ancestor = line.parent; ancestor; ancestor = ancestor.parent) yield ancestor;
}

export function closest(line: Line, roles: ReadonlySet<string>): Line | null {
  for (const ancestor of ancestorsOf(line)) if (roles.has(ancestor.node.role)) return ancestor;
  return null;
}
