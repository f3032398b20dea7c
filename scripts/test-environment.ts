import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Selects the browser for most tests: Chromium's headless shell, if installed. It is the same engine without browser
 * windows, which take two thirds of the CPU time of a start and of a navigation. `TEST_BROWSER=whole` uses a full
 * browser for all tests.
 */
export function testEnvironment(): { readonly CHROME_PATH?: string } {
  const { TEST_BROWSER, CHROME_PATH, PATH = '' } = process.env;
  if (TEST_BROWSER === 'whole' || CHROME_PATH !== undefined) return {};
  // Debian's location (its program in PATH is a script), and the name in Chrome for Testing.
  const places = [
    '/usr/lib/chromium/chromium-headless-shell',
    ...PATH.split(delimiter).map((folder) => join(folder, 'chrome-headless-shell')),
  ];
  const shell = places.find((path) => existsSync(path));
  return shell === undefined ? {} : { CHROME_PATH: shell };
}
