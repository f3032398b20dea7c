import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';

/** A line of the snapshot and its position on the page. */
export interface Line {
  readonly node: SnapshotNode;
  /** Index in reading order. */
  readonly index: number;
  /** Index after the last descendant. */
  readonly end: number;
  readonly parent: Line | null;
  /** The heading that applies to this line, if any. */
  readonly heading: Line | null;
  /** The text before this line on the same level. */
  readonly label: Line | null;
  /** Stems of verbs for actions of this line that its name does not contain. */
  readonly implied: ReadonlySet<string>;
  /** Stems of the line's own texts, with their strength. */
  readonly words: ReadonlyMap<string, number>;
  /** Visits the stems of `words`, some of them repeatedly, without keeping `words` in memory. */
  eachStem(visit: (stem: string) => void): void;
}

/** Returns the URL of a link; `undefined` if only a script handles the link: `javascript:`, `#`, `#!`. */
export function addressOf({ node: { url } }: Line): string | undefined {
  if (url === undefined || /^javascript:/i.test(url)) return undefined;
  const fragment = /#(.*)$/s.exec(url)?.[1];
  return fragment === undefined || /[\p{L}\p{N}]/u.test(fragment) ? url : undefined;
}

/** True if a line is the container or one of its descendants. */
export function isWithin(line: Line, container: Line): boolean {
  return line.index >= container.index && line.index < container.end;
}

/** Yields the ancestors of a line, innermost first. */
export function* ancestorsOf(line: Line): Generator<Line> {
  for (let ancestor = line.parent; ancestor; ancestor = ancestor.parent) yield ancestor;
}

/** Returns the nearest ancestor with one of these roles. */
export function closest(line: Line, roles: ReadonlySet<string>): Line | null {
  for (const ancestor of ancestorsOf(line)) if (roles.has(ancestor.node.role)) return ancestor;
  return null;
}
