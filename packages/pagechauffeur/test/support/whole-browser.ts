import { afterAll, beforeAll } from 'vitest';

/**
 * Has the tests of a file run in the browser that users get, and not in the headless shell that `scripts/test-environment.ts`
 * names; to be called before anything that starts one. The shell does some things in its own way: it makes no world for a
 * frame without a script, has no clipboard, no windows and no `view-source:`.
 */
export function useWholeBrowser(): void {
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
