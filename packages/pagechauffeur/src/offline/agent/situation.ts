import type { ModelCall, ModelPageView, ModelVariable } from '../../model/model-client.ts';
import type { PageIndex } from '../page/page-index.ts';
import type { Ranker } from '../rank/ranker.ts';
import type { Clause } from './clause.ts';
import type { ClausePast, Deed } from './task-history.ts';

/** Input for planning a clause: the current page and the history. */
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

/** A planned call. */
export type PlannedCall = Omit<ModelCall, 'id'>;

/** The next step of a clause. */
export type Plan =
  /** `part`: the clause continues after these calls, with this many of its parts done. */
  | { readonly kind: 'calls'; readonly calls: readonly PlannedCall[]; readonly part?: number }
  | { readonly kind: 'over'; readonly answer?: string }
  | { readonly kind: 'cannot'; readonly reason: string };

/** A plan that makes these calls. */
export function calls(planned: readonly PlannedCall[], part?: number): Plan {
  return { kind: 'calls', calls: planned, ...(part !== undefined && { part }) };
}

/** A plan with one call, or with the reason if the tool is not available. */
export function callOf({ tools }: Situation, tool: string, input: PlannedCall['input'], part?: number): Plan {
  return tools.has(tool) ? calls([{ tool, input }], part) : cannot(`it needs the tool ${tool}, which is excluded`);
}

/** A plan that fails with this reason. */
export function cannot(reason: string): Plan {
  return { kind: 'cannot', reason };
}

/** The clause is done. */
export const OVER: Plan = { kind: 'over' };
