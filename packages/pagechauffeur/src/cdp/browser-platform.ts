import { ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

/** The sessions of browsers that run on macOS. */
const browsersOnMac = new WeakSet<Session>();
/** The sessions of browsers whose windows nobody sees. */
const headlessBrowsers = new WeakSet<Session>();

/**
 * Asks a browser what it runs on, which need not be what this program runs on, and whether it is headless unless the
 * caller knows. Returns its product and version, such as `Chrome/156.0.8078.73`; empty for what speaks the protocol
 * without being a whole browser.
 */
export async function learnPlatform(browser: Session, headless: boolean | undefined): Promise<string> {
  const { userAgent, product } = await versionOf(browser);
  if (userAgent.includes('Macintosh')) browsersOnMac.add(browser);
  if (headless ?? userAgent.includes('HeadlessChrome')) headlessBrowsers.add(browser);
  return product;
}

async function versionOf(browser: Session): Promise<{ readonly userAgent: string; readonly product: string }> {
  try {
    return await browser.send('Browser.getVersion');
  } catch (error) {
    if (error instanceof ProtocolError) return { userAgent: '', product: '' };
    throw error;
  }
}

/** Whether the browser of a session runs on macOS, whose keys have other shortcuts. */
export function isOnMac(session: Session): boolean {
  return browsersOnMac.has(session.browser);
}

/** Whether nobody sees the windows of a session's browser. False where it is not known. */
export function isHeadless(session: Session): boolean {
  return headlessBrowsers.has(session.browser);
}
