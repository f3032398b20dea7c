import type { ModelCall, ModelPageView, ModelVariable } from '../../model/model-client.ts';
import type { PageIndex } from '../page/page-index.ts';
import type { Ranker } from '../rank/ranker.ts';
import type { Clause } from './clause.ts';
import type { ClausePast, Deed } from './task-history.ts';

/** The input for planning a clause: the current page and the history. */
export interface Situation {
  readonly page: ModelPageView;
  readonly index: PageIndex;
  readonly ranker: Ranker;
  readonly variables: readonly ModelVariable[];
  /** Names of the available tools. */
  readonly tools: ReadonlySet<string>;
  readonly clause: Clause;
  /** Calls made for this clause so far. */
  readonly deeds: readonly Deed[];
  readonly part: number;
  /** Earlier clauses, oldest first. */
  readonly earlier: readonly ClausePast[];
  readonly next: Clause | undefined;
}

/** A call before it gets an id. */
export type PlannedCall = Omit<ModelCall, 'id'>;

/** The next step of a clause. */
export type Plan =
  /** `part`: the clause is not finished after these calls; this many of its parts are. */
  | { readonly kind: 'calls'; readonly calls: readonly PlannedCall[]; readonly part?: number }
  | { readonly kind: 'over'; readonly answer?: string }
  | { readonly kind: 'cannot'; readonly reason: string };

/** Returns a plan that makes these calls. */
export function calls(planned: readonly PlannedCall[], part?: number): Plan {
  return { kind: 'calls', calls: planned, ...(part !== undefined && { part }) };
}

/** Returns a plan with one call, or an error if the tool is not available. */
export function callOf({ tools }: Situation, tool: string, input: PlannedCall['input'], part?: number): Plan {
  return tools.has(tool) ? calls([{ tool, input }], part) : cannot(`it needs the tool ${tool}, which is excluded`);
}

/** Returns a plan that fails with this reason. */
export function cannot(reason: string): Plan {
  return { kind: 'cannot', reason };
}

/** The plan of a finished clause. */
export const OVER: Plan = { kind: 'over' };
