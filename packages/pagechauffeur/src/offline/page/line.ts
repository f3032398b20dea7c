import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';

/** A line of the snapshot with its place in the page. */
export interface Line {
  readonly node: SnapshotNode;
  /** Position in reading order. */
  readonly index: number;
  /** One past the position of the last line below it. */
  readonly end: number;
  readonly parent: Line | null;
  /** The heading that this line stands under, if any. */
  readonly heading: Line | null;
  /** The nearest text before it on the same level. */
  readonly label: Line | null;
  /** Stems of what can be done with it without its name saying so. */
  readonly implied: ReadonlySet<string>;
  /** Its own words: how strongly each stem speaks for the line. */
  readonly words: ReadonlyMap<string, number>;
}

/** The address of a link; undefined if only a script gives it a meaning: `javascript:`, `#`, `#!`. */
export function addressOf({ node: { url } }: Line): string | undefined {
  if (url === undefined || /^javascript:/i.test(url)) return undefined;
  const fragment = /#(.*)$/s.exec(url)?.[1];
  return fragment === undefined || /[\p{L}\p{N}]/u.test(fragment) ? url : undefined;
}

/** Whether a line lies below another or is it. */
export function isWithin(line: Line, container: Line): boolean {
  return line.index >= container.index && line.index < container.end;
}

/** The lines that a line is in, innermost first. */
export function* ancestorsOf(line: Line): Generator<Line> {
  for (let ancestor = line.parent; ancestor; ancestor = ancestor.parent) yield ancestor;
}

/** The innermost container of a line whose role is one of these. */
export function closest(line: Line, roles: ReadonlySet<string>): Line | null {
  for (const ancestor of ancestorsOf(line)) if (roles.has(ancestor.node.role)) return ancestor;
  return null;
}
