import type { InstructionIntent } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { StepCall } from '../verb/replay-step.ts';

/** One `act()` call in progress. */
export interface ActCall extends StepCall {
  readonly model: ModelConfiguration | undefined;
}

/** Maximum time in ms to wait for the element of a second step. Some pages build a menu only after the click. */
export const OPENING_TIMEOUT_MS = 1000;

/** The instruction of an `act()` call. */
export interface Instruction {
  /** As the caller wrote it, for results and the cache. */
  readonly written: string;
  /** For models and the policy: `%%` is replaced with a percent sign. */
  readonly text: string;
  /** Paths that can be uploaded even if the instruction does not contain them. */
  readonly files?: readonly string[] | undefined;
}

export function intentOf({ text, files }: Instruction): InstructionIntent {
  return { kind: 'instruction', text, ...(files && { files }) };
}

/** Takes a snapshot. Includes the tree of lines only if the call's model reads it. */
export async function readPage(
  { progress, context, model }: Pick<ActCall, 'progress' | 'context' | 'model'>,
  wanted: WantedPart = {},
): Promise<Snapshot> {
  const withTree = await context.modelService.readsTree(progress, model);
  const { tokenBudget } = context;
  // Actions do not need URLs. On pages with many links, the numbers of the URLs are a fifth of all tokens.
  return takeSnapshot(progress, context.page.target, { withTree, withUrls: false, tokenBudget, ...wanted });
}

/** What a snapshot shows of a large page. */
export interface WantedPart {
  /** Items that contain its words are not folded. */
  readonly instruction?: string;
  /** The ref of a folded part to expand. */
  readonly expand?: string;
}
