import type { OpenDialog } from '../cdp/open-dialog.ts';
import { settlePage } from '../actions/settle-page.ts';
import { waitForFirstDocument } from '../page/first-document.ts';
import type { Page } from '../page/page.ts';
import { withTimeout } from '../util/with-timeout.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** Maximum time in ms for a popup to get its document. */
const DOCUMENT_TIMEOUT_MS = 5000;

/** Runs an action. If it opens a popup, switches to it. Also reports a dismissed `confirm` or `prompt`. */
export async function followingPages(context: ToolContext, act: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const before = new Set(context.browser.pages());
  const declined = declinedDialogs(context.page);
  const done = await act().finally(() => context.dialogs.endAction());
  const outcome = declined() ? { ...done, text: `${done.text} ${declinedText(context)}` } : done;
  const opened = context.browser.pages().findLast((page) => !before.has(page) && page.target.isPopup);
  return opened && (await isShown(context, opened)) ? movedTo(context, opened, outcome) : outcome;
}

/** Returns a function that stops listening and returns true if a `confirm` or `prompt` was dismissed. */
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
  return `A dialog was declined${hasTool('dialog') ? '; to accept it, call acceptDialog first' : ''}.`;
}

/** Waits until a popup has settled. Returns false if it has closed, as popups for downloads do. */
async function isShown({ progress, verbs }: ToolContext, page: Page): Promise<boolean> {
  try {
    await progress.race(page.target.ready);
    // A blocked URL never gets a document.
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
  const note = `You now work on page ${context.browser.pages().indexOf(page) + 1}, which opened`;
  return {
    ...outcome,
    text: `${outcome.text} ${note}${context.hasTool('tabs') ? '; navigate with what: switch goes back' : ''}.`,
  };
}
