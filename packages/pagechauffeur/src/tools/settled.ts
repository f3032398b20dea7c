import { settlePage } from '../actions/settle-page.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** Waits until the page settles, then returns an outcome without an effect. */
export async function settled({ progress, page, verbs }: ToolContext, text: string): Promise<ToolOutcome> {
  await settlePage(progress, page.target, verbs.domSettleTimeout);
  return { text };
}
