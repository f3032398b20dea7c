import { ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

/** The sessions of browsers that run on macOS. */
const browsersOnMac = new WeakSet<Session>();

/** Asks a browser what it runs on, which need not be what this program runs on. */
export async function learnPlatform(browser: Session): Promise<void> {
  if ((await userAgentOf(browser)).includes('Macintosh')) browsersOnMac.add(browser);
}

/** What speaks the protocol without being a whole browser need not know. */
async function userAgentOf(browser: Session): Promise<string> {
  try {
    return (await browser.send('Browser.getVersion')).userAgent;
  } catch (error) {
    if (error instanceof ProtocolError) return '';
    throw error;
  }
}

/** Whether the browser of a session runs on macOS, whose keys have other shortcuts. */
export function isOnMac(session: Session): boolean {
  return browsersOnMac.has(session.browser);
}
