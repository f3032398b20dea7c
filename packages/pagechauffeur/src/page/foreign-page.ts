import { DriverInvalidArgumentError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { reasonOf } from '../util/error-facts.ts';

/** What is needed of a DevTools session that another library hands out. */
interface ForeignSession {
  send(method: 'Target.getTargetInfo'): Promise<{ targetInfo: { targetId: string } }>;
  detach(): Promise<unknown>;
}

/** As Playwright and Patchright have it. */
interface PageOfContext {
  context(): { newCDPSession(page: never): Promise<ForeignSession> };
}

/** As the event emitters of these libraries have it. */
interface CountsListeners {
  listenerCount(event: 'dialog'): number;
}

/** As Puppeteer has it. */
interface PageWithSessions {
  createCDPSession(): Promise<ForeignSession>;
}

/** A page of Playwright, Patchright or Puppeteer, connected to the driver's browser by `driver.connectURL()`. */
export type ForeignPage = PageOfContext | PageWithSessions;

/** Whether a value can be asked for its target as pages of other libraries can. */
export function isForeignPage(value: unknown): value is ForeignPage {
  return hasMethod(value, 'context') || hasMethod(value, 'createCDPSession');
}

/** The browser's id of another library's page, told by a session that its library opens and that is closed again. */
export async function foreignTargetId(progress: Progress, page: ForeignPage): Promise<string> {
  progress.log("asking the page's own library for its target");
  try {
    return await progress.race(askForTarget(page));
  } catch (error) {
    progress.throwIfEnded();
    throw new DriverInvalidArgumentError(
      `page is a page of another library which cannot tell its target: ${reasonOf(error)}. It must be open, in a Chromium.`,
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

/** Whether somebody listens to dialogs of another library's page: on the page itself or, as Playwright has it too, on its context. */
export function hasDialogListener(page: ForeignPage): boolean {
  const context: unknown = hasMethod(page, 'context') ? (page as PageOfContext).context() : undefined;
  return [page, context].some(
    (source) => hasMethod(source, 'listenerCount') && (source as CountsListeners).listenerCount('dialog') > 0,
  );
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
}
