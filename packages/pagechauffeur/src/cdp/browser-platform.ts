import { ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

const browsersOnMac = new WeakSet<Session>();
const headlessBrowsers = new WeakSet<Session>();

/**
 * Queries the browser's operating system, and whether it is headless if the caller passes `undefined`. Returns product
 * and version, such as `Chrome/156.0.8078.73`, or `''` for CDP servers that are not a full browser.
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

/** On macOS, keyboard shortcuts use Meta instead of Control. */
export function isOnMac(session: Session): boolean {
  return browsersOnMac.has(session.browser);
}

/** True if the browser has no visible windows. False if unknown. */
export function isHeadless(session: Session): boolean {
  return headlessBrowsers.has(session.browser);
}
