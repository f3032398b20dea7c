import { settlePage } from '../page/action/settle-page.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** The outcome of what was done to a page as a whole, told once the page has come to rest. */
export async function settled({ progress, page, verbs }: ToolContext, text: string): Promise<ToolOutcome> {
  await settlePage(progress, page.target, verbs.domSettleTimeout);
  return { text };
}
