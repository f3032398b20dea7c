import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The environment that names the browser of most tests: Chromium's headless shell, where there is one. It is the same engine
 * without the windows around its pages, which take two thirds of the processor time of a start and of a navigation. With
 * `TEST_BROWSER=whole` all tests run in the one that users get.
 */
export function testEnvironment(): { readonly CHROME_PATH?: string } {
  const { TEST_BROWSER, CHROME_PATH, PATH = '' } = process.env;
  if (TEST_BROWSER === 'whole' || CHROME_PATH !== undefined) return {};
  // Where Debian has it (what is on the path there is a script that stays beside it), and what Chrome for Testing calls it.
  const places = [
    '/usr/lib/chromium/chromium-headless-shell',
    ...PATH.split(delimiter).map((folder) => join(folder, 'chrome-headless-shell')),
  ];
  const shell = places.find((path) => existsSync(path));
  return shell === undefined ? {} : { CHROME_PATH: shell };
}
