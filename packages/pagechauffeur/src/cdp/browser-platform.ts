import { ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

/** Browser sessions on macOS. */
const browsersOnMac = new WeakSet<Session>();
/** Browser sessions without visible windows. */
const headlessBrowsers = new WeakSet<Session>();

/**
 * Asks a browser for its operating system, which may differ from ours, and whether it is headless, unless the caller
 * knows.
 * Returns its product and version, such as `Chrome/156.0.8078.73`. Empty for servers that speak CDP without being a
 * full browser.
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

/** True if the session's browser runs on macOS, where shortcuts differ. */
export function isOnMac(session: Session): boolean {
  return browsersOnMac.has(session.browser);
}

/** True if the session's browser has no visible windows. False if unknown. */
export function isHeadless(session: Session): boolean {
  return headlessBrowsers.has(session.browser);
}
