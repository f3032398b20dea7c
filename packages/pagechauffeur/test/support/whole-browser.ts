import { afterAll, beforeAll } from 'vitest';
import { hasAllRows } from './nightly-rows.ts';

/**
 * Has the tests of a file run in the browser that users get, and not in the headless shell that `scripts/test-environment.ts`
 * names; to be called before anything that starts one. The shell does some things in its own way: it makes no world for a
 * frame without a script, has no clipboard, no windows and no `view-source:`. With `nightly`, the tests pass in both, and
 * run in the whole browser only where all rows of tables run.
 */
export function useWholeBrowser(when: 'always' | 'nightly' = 'always'): void {
  if (when === 'nightly' && !hasAllRows) return;
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH === undefined || !/headless[-_]shell(\.exe)?$/.test(CHROME_PATH)) return;
  beforeAll(() => {
    delete process.env['CHROME_PATH'];
  });
  // The process serves other files after this one.
  afterAll(() => {
    process.env['CHROME_PATH'] = CHROME_PATH;
  });
}
