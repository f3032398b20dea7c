import { isRecord } from '../../model/json-schema.ts';
import { quotedList } from '../answer/answer-act.ts';
import type { Clause } from './clause.ts';
import { planClause } from './plan-clause.ts';
import type { PlannedCall, Situation } from './situation.ts';
import { leftOutBy } from './words-ignored.ts';

export interface Misunderstood {
  readonly at: number;
  readonly reason: string;
}

/**
 * Before the first call, finds a clause that is not understood, so that fewer tasks stop halfway. Clauses for later
 * pages cannot be checked yet. Clauses after text entry can, because typing rarely changes the page.
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

/**
 * Returns the reason if the clause forbids an action, or if it excludes something with a word such as "without" that is
 * not in the name of an element.
 */
function beyondGrammar({ words, asked }: Clause, { index }: Situation): string | undefined {
  if (asked.kind === 'avoid') return 'it forbids an action, and offline/lexical can only perform actions';
  if (asked.kind === 'if') return beyondInner(asked.inner, index);
  if (asked.kind === 'until' || asked.kind === 'times') return beyondInner(asked.repeated, index);
  return beyondInner({ words, asked }, index);
}

function beyondInner({ words, asked }: Clause, index: Situation['index']): string | undefined {
  if (asked.kind === 'avoid') return 'it forbids an action, and offline/lexical can only perform actions';
  if (!EXCLUDING_KINDS.has(asked.kind)) return undefined;
  const open = leftOutBy(words).filter((word) => !isOnPage(word, index));
  return open.length > 0 ? `offline/lexical cannot exclude elements, as with ${quotedList(open)}` : undefined;
}

/**
 * Kinds of clauses in which "without" and similar words exclude something. In other kinds, they are part of a claim or
 * value.
 */
const EXCLUDING_KINDS: ReadonlySet<string> = new Set([
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
/** Typing into one of these may open a list of suggestions. */
const SUGGESTING: ReadonlySet<string> = new Set(['combobox', 'searchbox']);

/** True if the call only types, and the field is unlikely to show suggestions. */
function isTypedOnly({ tool, input }: PlannedCall, { index }: Situation): boolean {
  if (!TYPING.has(tool) || !isRecord(input) || input['submit'] === true) return false;
  const node = index.elements.find((line) => line.node.ref === input['ref'])?.node;
  return node !== undefined && !SUGGESTING.has(node.role);
}
