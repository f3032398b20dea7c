import type { InstructionIntent } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { Progress } from '../util/progress.ts';
import type { VariableTable } from '../verb/variables.ts';
import type { VerbContext } from '../verb/verb-context.ts';

/** One `act()` in flight. */
export interface ActCall {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly variables: VariableTable;
  readonly model: ModelConfiguration | undefined;
}

/** A sentence to carry out. */
export interface Sentence {
  /** As the caller wrote it, for results and the cache. */
  readonly written: string;
  /** As it reads: `%%` is a percent sign. For models and rules. */
  readonly text: string;
  /** Paths that may be used though they do not stand in it. */
  readonly files?: readonly string[] | undefined;
}

/** What a sentence is for. */
export function intentOf({ text, files }: Sentence): InstructionIntent {
  return { kind: 'instruction', text, ...(files && { files }) };
}

/** The page as the model that will be asked reads it. */
export async function readPage(
  { progress, context, model }: Pick<ActCall, 'progress' | 'context' | 'model'>,
  wanted: WantedPart = {},
): Promise<Snapshot> {
  const withTree = await context.modelService.readsTree(progress, model);
  const { tokenBudget } = context;
  return takeSnapshot(progress, context.page.target, { withTree, tokenBudget, ...wanted });
}

/** What of a large page is to be shown in any case. */
export interface WantedPart {
  readonly instruction?: string;
  /** A ref that was folded away. */
  readonly expand?: string;
  /** The page before, whose addresses keep their numbers. */
  readonly earlier?: Snapshot;
}
