import type { FoldedRun, WireNode } from '../../contract.ts';
import { firstRef } from './folded-refs.ts';
import type { FoldPlan } from './fold-plan.ts';
import type { Item } from './repetition.ts';
import type { ListFacts } from '../lines/list-facts.ts';
import { childrenOf, nameIn, propertiesOf } from '../lines/wire-line.ts';

const DIGITS = 6;
const BASE = 36;

/** Returns a digest for each item of a folded run, to notice changes in folded items; `undefined` without such runs. */
export function foldDigests(
  { runs }: FoldPlan,
  { roles, facts }: { readonly roles: readonly string[]; readonly facts: ListFacts },
): readonly FoldedRun[] | undefined {
  const withDigests: FoldedRun[] = [];
  for (const [run, { lines, folded }] of runs) {
    let last = 0;
    const steps = run.map((item) => {
      const ref = firstRefOf(item, lines);
      const step = ref === 0 ? 0 : ref - last;
      last = ref || last;
      return step;
    });
    const digests = run.map((item) => digestOf(item, lines, roles)).join('');
    withDigests.push({ steps, digests, folded, holder: steps.includes(0) ? facts.holderOf(lines) : 0 });
  }
  return withDigests.length > 0 ? withDigests : undefined;
}

function firstRefOf(item: Item, lines: readonly WireNode[]): number {
  for (const part of item) {
    const ref = firstRef(lines, part);
    if (ref !== 0) return ref;
  }
  return 0;
}

function digestOf(item: Item, lines: readonly WireNode[], roles: readonly string[]): string {
  let digest = 0;
  for (const { start, end } of item)
    for (let index = start; index < end; index += 1) digest = withLine(digest, lines[index] ?? '', roles);
  return (digest >>> 1).toString(BASE).padStart(DIGITS, '0');
}

function withLine(digest: number, line: WireNode, roles: readonly string[]): number {
  if (typeof line === 'string') return withText(digest, line);
  let all = withText(withText(digest, roles[line[0]] ?? ''), nameIn(line));
  if (line[3]) {
    const { value = '', placeholder = '', description = '', url = '', states, options } = propertiesOf(line);
    all = withText(withText(withText(withText(all, value), placeholder), description), url);
    if (states) all = withText(all, states.join(' '));
    if (options) all = withText(all, options.join(' '));
  }
  for (const child of childrenOf(line)) all = withLine(all, child, roles);
  return all;
}

// FNV hash. The separator makes the digest change when a word moves from one string to the next.
function withText(digest: number, text: string): number {
  let all = digest;
  const { length } = text;
  for (let index = 0; index < length; index += 1) all = Math.imul(all ^ text.charCodeAt(index), PRIME);
  return Math.imul(all ^ END, PRIME);
}

const PRIME = 16_777_619;
const END = 0x1_0000;
