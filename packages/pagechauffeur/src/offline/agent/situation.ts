import type { ModelCall, ModelPageView, ModelVariable } from '../../model/model-client.ts';
import type { PageIndex } from '../page/page-index.ts';
import type { Ranker } from '../rank/ranker.ts';
import type { Clause } from './clause.ts';
import type { ClausePast, Deed } from './task-history.ts';

/** What a clause is planned by: the page as it is, and what was done so far. */
export interface Situation {
  readonly page: ModelPageView;
  readonly index: PageIndex;
  readonly ranker: Ranker;
  readonly variables: readonly ModelVariable[];
  /** The names of the tools that may be used. */
  readonly tools: ReadonlySet<string>;
  readonly clause: Clause;
  /** What was done for this clause so far. */
  readonly deeds: readonly Deed[];
  readonly part: number;
  /** The clauses before, oldest first. */
  readonly earlier: readonly ClausePast[];
  readonly next: Clause | undefined;
}

/** A call that is asked for. */
export type PlannedCall = Omit<ModelCall, 'id'>;

/** What is to be done next for a clause. */
export type Plan =
  /** `part`: the clause goes on after these calls, with so many of its parts done. */
  | { readonly kind: 'calls'; readonly calls: readonly PlannedCall[]; readonly part?: number }
  | { readonly kind: 'over'; readonly answer?: string }
  | { readonly kind: 'cannot'; readonly reason: string };

/** Calls to be made. */
export function calls(planned: readonly PlannedCall[], part?: number): Plan {
  return { kind: 'calls', calls: planned, ...(part !== undefined && { part }) };
}

/** One call of a tool, or why not. */
export function callOf({ tools }: Situation, tool: string, input: PlannedCall['input'], part?: number): Plan {
  return tools.has(tool)
    ? calls([{ tool, input }], part)
    : cannot(`it takes the tool ${tool}, which is not to be used`);
}

/** Why a clause cannot be done. */
export function cannot(reason: string): Plan {
  return { kind: 'cannot', reason };
}

/** Nothing is left to do for a clause. */
export const OVER: Plan = { kind: 'over' };
