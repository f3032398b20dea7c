import { isRecord } from '../../model/json-schema.ts';
import type { Clause } from './clause.ts';
import { planClause } from './plan-clause.ts';
import type { PlannedCall, Situation } from './situation.ts';
import { leftOutBy } from './words-ignored.ts';

/** A clause that is not understood, and the reason. */
export interface Misunderstood {
  readonly at: number;
  readonly reason: string;
}

/**
 * Finds a clause that is not understood before the first one runs, so that no task is left half done. Clauses for later
 * pages cannot be checked in advance. Clauses after text entry can, because typing does not change the page.
 */
export function misunderstoodClause(
  clauses: readonly Clause[],
  situationOf: (clause: Clause) => Situation,
): Misunderstood | undefined {
  for (const [at, clause] of clauses.entries()) {
    const reason = beyondGrammar(clause, situationOf(clause));
    if (reason !== undefined) return { at, reason };
  }
  for (const [at, clause] of clauses.entries()) {
    const plan = planClause(situationOf(clause));
    if (at > 0 && plan.kind === 'cannot') return { at, reason: plan.reason };
    if (plan.kind !== 'calls' || !plan.calls.every((call) => isTypedOnly(call, situationOf(clause)))) return undefined;
  }
  return undefined;
}

/** Returns why no page could make this clause understood: it says what not to do, or it excludes something. */
function beyondGrammar({ words, asked }: Clause, { index }: Situation): string | undefined {
  if (asked.kind === 'avoid') return `offline/lexical only performs actions and cannot prevent one`;
  if (asked.kind === 'if') return beyondInner(asked.inner, index);
  if (asked.kind === 'until' || asked.kind === 'times') return beyondInner(asked.repeated, index);
  return beyondInner({ words, asked }, index);
}

function beyondInner({ words, asked }: Clause, index: Situation['index']): string | undefined {
  if (asked.kind === 'avoid') return `offline/lexical only performs actions and cannot prevent one`;
  if (!LEAVING_OUT.has(asked.kind)) return undefined;
  const open = leftOutBy(words).filter((word) => !isOnPage(word, index));
  return open.length > 0 ? `nothing there mentions ${open.map((word) => JSON.stringify(word)).join(', ')}` : undefined;
}

/** Kinds of clauses in which words such as "without" exclude something. Other kinds may contain a negation. */
const LEAVING_OUT: ReadonlySet<string> = new Set([
  'act',
  'quantity',
  'download',
  'form',
  'search',
  'find',
  'read',
  'newTab',
]);

function isOnPage(word: string, { elements }: Situation['index']): boolean {
  return elements.some(({ node }) => ` ${node.name.toLowerCase()} `.includes(` ${word.toLowerCase()} `));
}

const TYPING: ReadonlySet<string> = new Set(['fill', 'type']);
/** Roles of fields in which typing may bring up suggestions. */
const SUGGESTING: ReadonlySet<string> = new Set(['combobox', 'searchbox']);

/** True if a call only types into a plain field, which changes nothing else on the page. */
function isTypedOnly({ tool, input }: PlannedCall, { index }: Situation): boolean {
  if (!TYPING.has(tool) || !isRecord(input) || input['submit'] === true) return false;
  const node = index.elements.find((line) => line.node.ref === input['ref'])?.node;
  return node !== undefined && !SUGGESTING.has(node.role);
}
