import type { ModelCall, ModelPageView, ModelVariable } from '../../model/model-client.ts';
import type { PageIndex } from '../page/page-index.ts';
import type { Ranker } from '../rank/ranker.ts';
import type { Clause } from './clause.ts';
import type { ClausePast, PastCall } from './task-history.ts';

/** Everything that a plan for one clause depends on. */
export interface Situation {
  readonly page: ModelPageView;
  readonly index: PageIndex;
  readonly ranker: Ranker;
  readonly variables: readonly ModelVariable[];
  readonly tools: ReadonlySet<string>;
  readonly clause: Clause;
  /** Calls for this clause so far. */
  readonly pastCalls: readonly PastCall[];
  readonly part: number;
  /** Oldest first. */
  readonly earlier: readonly ClausePast[];
  readonly next: Clause | undefined;
}

/** The agent loop adds the id. */
export type PlannedCall = Omit<ModelCall, 'id'>;

/** What to do next for a clause: `calls` to make, `over` if it is finished, `cannot` if it fails. */
export type Plan =
  /** `part` is the number of finished parts after these calls. `undefined` if they finish the clause. */
  | { readonly kind: 'calls'; readonly calls: readonly PlannedCall[]; readonly part?: number }
  | { readonly kind: 'over'; readonly answer?: string }
  | { readonly kind: 'cannot'; readonly reason: string };

export function calls(planned: readonly PlannedCall[], part?: number): Plan {
  return { kind: 'calls', calls: planned, ...(part !== undefined && { part }) };
}

/** Plans one call. Fails if the tool is not available. */
export function callOf({ tools }: Situation, tool: string, input: PlannedCall['input'], part?: number): Plan {
  return tools.has(tool) ? calls([{ tool, input }], part) : cannot(`the required tool ${tool} is excluded`);
}

export function cannot(reason: string): Plan {
  return { kind: 'cannot', reason };
}

/** Marks a finished clause that has read nothing. */
export const OVER: Plan = { kind: 'over' };
