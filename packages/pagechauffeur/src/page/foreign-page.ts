import { DriverInvalidArgumentError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { reasonOf } from '../util/error-facts.ts';

/** The used part of another library's CDP session. */
interface ForeignSession {
  send(method: 'Target.getTargetInfo'): Promise<{ targetInfo: { targetId: string } }>;
  detach(): Promise<unknown>;
}

/** As in Playwright and Patchright. */
interface PageOfContext {
  context(): { newCDPSession(page: never): Promise<ForeignSession> };
}

/** As in the event emitters of these libraries. */
interface CountsListeners {
  listenerCount(event: 'dialog'): number;
}

/** As in Puppeteer. */
interface PageWithSessions {
  createCDPSession(): Promise<ForeignSession>;
}

/** A page of Playwright, Patchright or Puppeteer, connected to the driver's browser through `driver.connectURL()`. */
export type ForeignPage = PageOfContext | PageWithSessions;

/** True if a value has the methods of such a page. */
export function isForeignPage(value: unknown): value is ForeignPage {
  return hasMethod(value, 'context') || hasMethod(value, 'createCDPSession');
}

/** Target id of another library's page, read through a temporary CDP session of that library. */
export async function foreignTargetId(progress: Progress, page: ForeignPage): Promise<string> {
  progress.log("asking the page's own library for its target");
  try {
    return await progress.race(askForTarget(page));
  } catch (error) {
    progress.throwIfEnded();
    throw new DriverInvalidArgumentError(
      `Cannot get the CDP target of a page of another library: ${reasonOf(error)}. The page must be open in a Chromium browser.`,
      { argument: 'page', cause: error },
    );
  }
}

async function askForTarget(page: ForeignPage): Promise<string> {
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

/** True if someone listens to dialogs of another library's page, on the page or on its context as in Playwright. */
export function hasDialogListener(page: ForeignPage): boolean {
  const context: unknown = hasMethod(page, 'context') ? (page as PageOfContext).context() : undefined;
  return [page, context].some(
    (source) => hasMethod(source, 'listenerCount') && (source as CountsListeners).listenerCount('dialog') > 0,
  );
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
}
