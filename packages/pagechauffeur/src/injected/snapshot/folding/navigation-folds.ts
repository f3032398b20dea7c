import type { WireNode } from '../../contract.ts';
import type { Fold } from './fold-plan.ts';
import { FOLDABLE_LENGTH } from '../lines/list-facts.ts';
import type { Wanted } from './wanted.ts';
import { childrenOf, nameIn, propertiesOf, refIn, type WireLine } from '../lines/wire-line.ts';

export type FoldSummary = Required<Pick<Fold, 'count' | 'noun' | 'names'>>;

/** Landmarks outside the main content: https://www.w3.org/TR/wai-aria-1.2/#landmark_roles. */
const LANDMARKS: ReadonlySet<string> = new Set(['navigation', 'complementary', 'banner', 'contentinfo']);
/** Roles of lines that can be folded. Fields, tables and messages never are. */
const FOLDABLE_ROLES: ReadonlySet<string> = new Set(
  'link button menuitem heading img list listitem generic group separator region menu menubar navigation'.split(' '),
);
/** States of lines that are never folded, such as the current item. */
const KEPT_STATE = /^(current|selected|pressed|expanded|checked|unread|focused|invalid|bold)/;
/** Maximum characters of all names in a fold, and of each name. */
const LONGEST_NAMES = 300;
const LONGEST_NAME = 30;

export function isNavigation(line: WireLine, roles: readonly string[]): boolean {
  return LANDMARKS.has(roles[line[0]] ?? '');
}

interface Keeping {
  readonly roles: readonly string[];
  readonly wanted: Wanted | null;
  /** The ref of an element to expand; 0 if there is none. */
  readonly expand: number;
}

/**
 * Returns the lines that stay visible, with their ancestors: the current item, fields, and matches with the instruction
 * and their neighbors. Returns all lines if `expand` is the ref of one.
 */
export function keptInNavigation(landmark: WireLine, { roles, wanted, expand }: Keeping): ReadonlySet<WireNode> {
  const paths: (readonly WireNode[])[] = [];
  const collect = (line: WireNode, above: readonly WireNode[]): void => {
    const path = [...above, line];
    paths.push(path);
    if (typeof line !== 'string') for (const child of childrenOf(line)) collect(child, path);
  };
  for (const line of childrenOf(landmark)) collect(line, []);
  const isExpanded = expand !== 0 && paths.some((path) => lineRef(path.at(-1)) === expand);
  if (isExpanded) return new Set(paths.flat());
  const indexes = new Set(wanted?.among(paths.length, (index) => textOf(paths[index]?.at(-1))));
  for (const index of [...indexes]) indexes.add(index - 1).add(index + 1);
  return new Set(paths.filter((path, index) => indexes.has(index) || !isFoldable(path.at(-1), roles)).flat());
}

function isFoldable(line: WireNode | undefined, roles: readonly string[]): boolean {
  if (line === undefined || typeof line === 'string') return true;
  const { states = [], value, options, frameId } = propertiesOf(line);
  if (value || options || frameId || states.some((state) => KEPT_STATE.test(state))) return false;
  return FOLDABLE_ROLES.has(roles[line[0]] ?? '');
}

/** Returns the first kept index from `from` on, or `lines.length`. */
export function endOfStretch(lines: readonly WireNode[], from: number, kept: ReadonlySet<WireNode>): number {
  let to = from;
  for (let line = lines[to]; line !== undefined && !kept.has(line); line = lines[to]) to += 1;
  return to;
}

/** Returns `undefined` if fewer than 6 lines have refs, or if more than half have none. */
export function navigationFold(stretch: readonly WireNode[], roles: readonly string[]): FoldSummary | undefined {
  const leaves = stretch.flatMap(leavesOf);
  const links = leaves.filter((line) => lineRef(line) !== 0);
  if (links.length < FOLDABLE_LENGTH || links.length * 2 < leaves.length) return undefined;
  const isOnly = (role: string): boolean => leaves.every((line) => typeof line !== 'string' && roles[line[0]] === role);
  const noun = isOnly('link') ? 'link' : 'line';
  return { count: leaves.length, noun, names: namesOf(links) };
}

function namesOf(links: readonly WireNode[]): string {
  const names: string[] = [];
  let length = 0;
  for (const line of links) {
    const name = textOf(line).trim();
    if (name === '') continue;
    const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
    length += short.length + 2;
    if (length > LONGEST_NAMES) return [...names, '…'].join(', ');
    names.push(short);
  }
  return names.join(', ');
}

function leavesOf(line: WireNode): readonly WireNode[] {
  if (typeof line === 'string') return [line];
  const below = childrenOf(line).flatMap(leavesOf);
  return refIn(line) === 0 && below.length > 0 ? below : [line, ...below];
}

function textOf(line: WireNode | undefined): string {
  if (line === undefined || typeof line === 'string') return line ?? '';
  const { description = '' } = propertiesOf(line);
  return `${nameIn(line)} ${description}`;
}

function lineRef(line: WireNode | undefined): number {
  return line === undefined || typeof line === 'string' ? 0 : refIn(line);
}
