import { settlePage } from '../actions/settle-page.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** Waits until the page settles after an action on the page as a whole, and returns its outcome. */
export async function settled({ progress, page, verbs }: ToolContext, text: string): Promise<ToolOutcome> {
  await settlePage(progress, page.target, verbs.domSettleTimeout);
  return { text };
}
