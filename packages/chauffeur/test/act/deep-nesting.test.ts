import { expect, test } from 'vitest';
import { z } from 'zod';
import { NESTINGS, type Nesting, serveNestedPages } from '../support/nested-pages.ts';
import { useBrowser } from '../support/use-browser.ts';

const DEPTH = 5;
const PATH_COUNT = 24;
/** Coprime with the number of paths, so that every kind comes at every depth and after every other. */
const STRIDE = 131;

const PATHS = Array.from({ length: PATH_COUNT }, (_, index) => pathWithNumber(index * STRIDE));

/** The path whose kinds are the digits of this number. */
function pathWithNumber(number: number): readonly Nesting[] {
  return Array.from({ length: DEPTH }, (_, digit) => {
    const kind = NESTINGS[Math.floor(number / NESTINGS.length ** digit) % NESTINGS.length];
    if (!kind) throw new RangeError(`no kind at digit ${digit}`);
    return kind;
  });
}

const browser = useBrowser({ selfHeal: false });

test('the paths have every kind at every depth', () => {
  for (let depth = 0; depth < DEPTH; depth += 1)
    expect(new Set(PATHS.map((path) => path[depth]))).toEqual(new Set(NESTINGS));
});

test.each(PATHS.map((path) => [path.join(' > '), path] as const))(
  'sentences find, fill, click and read in %s',
  async (_title, path) => {
    const { driver, page, server } = browser;
    await page.goto(serveNestedPages(server)(path), { waitUntil: 'load' });
    const [field] = await driver.observe('the Field text box');
    const filled = await driver.act('type "five deep" into Field');
    expect(filled).toMatchObject({ success: true, effect: 'changed', actions: [{ selector: field?.selector }] });
    const clicked = await driver.act('click the "Deep" button');
    expect(clicked).toMatchObject({ success: true, effect: 'changed' });
    expect(await driver.extract('the field', z.object({ field: z.string() }))).toEqual({ field: 'five deep' });
    expect((await page.snapshot()).text).toContain('button "Clicked"');
  },
);
