import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

const folders = (process.env['PATH'] ?? '').split(delimiter);
/** Where Debian has it (what is on the path there is a script that stays beside it), and what Chrome for Testing calls it. */
const shell = [
  '/usr/lib/chromium/chromium-headless-shell',
  ...folders.map((folder) => join(folder, 'chrome-headless-shell')),
].find((path) => existsSync(path));
const isAlwaysWhole = shell === undefined || process.env['TEST_BROWSER'] === 'whole';
let isWhole = isAlwaysWhole;

/**
 * The browser that tests of pages run in: Chromium's headless shell, where there is one. It is the same engine without the
 * windows around its pages, which take two thirds of the processor time of a start and of a navigation. With
 * `TEST_BROWSER=whole` it is the one that users get.
 */
export function testBrowser(): { readonly executablePath?: string } {
  return isWhole || shell === undefined ? {} : { executablePath: shell };
}

/**
 * Has the tests of a file run in the browser that users get; to be called before anything that starts one. The shell does
 * some things in its own way: it makes no world for a frame without a script, has no clipboard and no `view-source:`.
 */
export function useWholeBrowser(): void {
  beforeAll(() => {
    isWhole = true;
  });
  // The process serves other files after this one.
  afterAll(() => {
    isWhole = isAlwaysWhole;
  });
}
