import { DriverInvalidArgumentError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { reasonOf } from '../util/error-facts.ts';

interface ForeignSession {
  send(method: 'Target.getTargetInfo'): Promise<{ targetInfo: { targetId: string } }>;
  detach(): Promise<unknown>;
}

/** A page object from Playwright or Patchright. */
interface PageOfContext {
  context(): { newCDPSession(page: never): Promise<ForeignSession> };
}

interface CountsListeners {
  listenerCount(event: 'dialog'): number;
}

/** A page object from Puppeteer. */
interface PageWithSessions {
  createCDPSession(): Promise<ForeignSession>;
}

/**
 * A page object from Playwright, Patchright or Puppeteer. That library must be connected to the driver's browser, for
 * example through `driver.connectURL()`.
 */
export type ForeignPage = PageOfContext | PageWithSessions;

export function isForeignPage(value: unknown): value is ForeignPage {
  return hasMethod(value, 'context') || hasMethod(value, 'createCDPSession');
}

/**
 * Returns the CDP target id of another library's page. Page objects do not expose it, so a temporary CDP session of
 * that library reads it.
 */
export async function foreignTargetId(progress: Progress, page: ForeignPage): Promise<string> {
  progress.log('reading the target id of a page from another library');
  try {
    return await progress.race(readTargetId(page));
  } catch (error) {
    progress.throwIfEnded();
    throw new DriverInvalidArgumentError(
      `Cannot get the CDP target of a page from another library: ${reasonOf(error)}. Pass a page that is open in a Chromium browser.`,
      { argument: 'page', cause: error },
    );
  }
}

async function readTargetId(page: ForeignPage): Promise<string> {
  const session = hasMethod(page, 'createCDPSession')
    ? await (page as PageWithSessions).createCDPSession()
    : await (page as PageOfContext).context().newCDPSession(page as never);
  try {
    const { targetInfo } = await session.send('Target.getTargetInfo');
    return targetInfo.targetId;
  } finally {
    await session.detach();
  }
}

/** True if the other library has a `dialog` listener for the page. Playwright also allows listeners on the context. */
export function hasDialogListener(page: ForeignPage): boolean {
  const context: unknown = hasMethod(page, 'context') ? (page as PageOfContext).context() : undefined;
  return [page, context].some(
    (source) => hasMethod(source, 'listenerCount') && (source as CountsListeners).listenerCount('dialog') > 0,
  );
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
}
