import type { OpenDialog } from '../cdp/open-dialog.ts';
import { settlePage } from '../page/action/settle-page.ts';
import { waitForFirstDocument } from '../page/first-document.ts';
import type { Page } from '../page/page.ts';
import { withTimeout } from '../util/with-timeout.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** How long a page that has just opened may take to get its document, in milliseconds. */
const DOCUMENT_TIMEOUT_MS = 5000;

/** Carries out what may open pages, and goes on with the one that opened, as a person would. */
export async function followingPages(context: ToolContext, act: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const before = new Set(context.browser.pages());
  const declined = declinedDialogs(context.page);
  const done = await act().finally(() => context.dialogs.endAction());
  const outcome = declined() ? { ...done, text: `${done.text} ${declinedText(context)}` } : done;
  const opened = context.browser.pages().findLast((page) => !before.has(page) && page.target.isPopup);
  return opened && (await isShown(context, opened)) ? movedTo(context, opened, outcome) : outcome;
}

/** Whether a question of the page's is declined from now on; asking ends the watch. */
function declinedDialogs({ target }: Page): () => boolean {
  const questions: OpenDialog[] = [];
  const stop = target.events.on('dialog', (dialog) => void questions.push(dialog));
  return () => {
    stop();
    return questions.some(({ type, outcome }) => QUESTIONS.has(type) && outcome === 'dismissed');
  };
}

const QUESTIONS: ReadonlySet<string> = new Set(['confirm', 'prompt']);
function declinedText({ hasTool }: ToolContext): string {
  return `A dialog was declined${hasTool('dialog') ? '; to accept it, do acceptDialog first' : ''}.`;
}

/** Waits until a page that has just opened shows its document; false when it closed again, as one for a download does. */
async function isShown({ progress, verbs }: ToolContext, page: Page): Promise<boolean> {
  try {
    await progress.race(page.target.ready);
    // A page whose address the browser refuses stays without a document.
    await progress.race(withTimeout(DOCUMENT_TIMEOUT_MS, waitForFirstDocument(progress, page.target)));
    await settlePage(progress, page.target, verbs.domSettleTimeout);
    return !page.isClosed();
  } catch (error) {
    if (!page.isClosed()) throw error;
    progress.throwIfEnded();
    return false;
  }
}

function movedTo(context: ToolContext, page: Page, outcome: ToolOutcome): ToolOutcome {
  context.usePage(page);
  const note = `You work on page ${context.browser.pages().indexOf(page) + 1} now, which opened`;
  return {
    ...outcome,
    text: `${outcome.text} ${note}${context.hasTool('tabs') ? '; navigate with what: switch leads back' : ''}.`,
  };
}
