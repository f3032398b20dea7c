import { ProtocolError } from '../cdp/protocol-error.ts';
import { DriverInvalidArgumentError, DriverPageNotFoundError } from '../errors.ts';
import type { DriverContext } from '../page/context.ts';
import { type ForeignPage, foreignTargetId, hasDialogListener, isForeignPage } from '../page/foreign-page.ts';
import { Page } from '../page/page.ts';
import { describeValue } from '../util/check-argument.ts';
import type { Progress } from '../util/progress.ts';
import type { OpenBrowser } from './connect-browser.ts';

interface Pages {
  readonly context: DriverContext;
  readonly browser: OpenBrowser;
}

/**
 * Returns the driver's page that a call acts on: the active one by default. A page object of another library is matched
 * by its target id.
 */
export async function pageOfCall(
  progress: Progress,
  pages: Pages,
  given: Page | ForeignPage | undefined,
): Promise<Page> {
  if (given === undefined) return activePage(pages.context);
  if (given instanceof Page && pages.context.pages().includes(given)) return given;
  const targetId = await targetIdOf(progress, given);
  const page = pageWithTarget(pages, targetId) ?? (await announcedPage(progress, pages, targetId));
  if (!page) {
    throw new DriverInvalidArgumentError(
      "page must be an open page of this driver's browser. The given page is closed or belongs to another browser. Connect other libraries to driver.connectURL().",
      { argument: 'page' },
    );
  }
  if (!(given instanceof Page)) page.target.hasForeignDialogListener = () => hasDialogListener(given);
  await progress.race(page.target.ready);
  return page;
}

function activePage(context: DriverContext): Page {
  const active = context.activePage();
  if (active) return active;
  throw new DriverPageNotFoundError('No page is open. Open one with `context.newPage()`.');
}

async function targetIdOf(progress: Progress, given: unknown): Promise<string> {
  if (given instanceof Page) return given.targetId();
  if (isForeignPage(given)) return foreignTargetId(progress, given);
  throw new DriverInvalidArgumentError(
    `page must be an open page of this driver, such as context.pages()[0], or one of Playwright, Puppeteer or Patchright in the same browser. Received ${describeValue(given)}.`,
    { argument: 'page' },
  );
}

function pageWithTarget({ context }: Pages, targetId: string): Page | undefined {
  return context.pages().find((page) => page.targetId() === targetId);
}

/** The page may be so new that it is not attached yet. The browser responds only after it has announced the page. */
async function announcedPage(progress: Progress, pages: Pages, targetId: string): Promise<Page | undefined> {
  try {
    await progress.race(pages.browser.connection.browser.send('Target.getTargetInfo', { targetId }));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  return pageWithTarget(pages, targetId);
}
