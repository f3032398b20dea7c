import { expect, test } from 'vitest';
import { z } from 'zod';
import { NESTINGS, type Nesting, serveNestedPages } from '../support/nested-pages.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

const DEPTH = 5;
const PATH_COUNT = 10;
/** Numbers of kinds in a circle in which each kind stands once right before each kind, itself included. */
const CIRCLE = [...'0323043122421102013341440'].map(Number);

/** Pieces of the circle that begin where the one before ends, so that each kind comes right inside each. */
const PATHS = Array.from({ length: PATH_COUNT }, (_, index) => pathFrom(index * (DEPTH - 1)));

function pathFrom(start: number): readonly Nesting[] {
  return Array.from({ length: DEPTH }, (_, depth) => {
    const kind = NESTINGS[CIRCLE[(start + depth) % CIRCLE.length] ?? -1];
    if (!kind) throw new RangeError(`no kind at depth ${depth}`);
    return kind;
  });
}

useWholeBrowser('nightly');
const browser = useBrowser({ selfHeal: false });

test('covers every kind of nesting at every depth and directly inside every kind', () => {
  for (let depth = 0; depth < DEPTH; depth += 1)
    expect(new Set(PATHS.map((path) => path[depth]))).toEqual(new Set(NESTINGS));
  const pairs = PATHS.flatMap((path) => path.slice(1).map((inner, depth) => `${path[depth]} > ${inner}`));
  expect(new Set(pairs).size).toBe(NESTINGS.length ** 2);
});

test.each(PATHS.map((path) => [path.join(' > '), path] as const))(
  'observes, fills, clicks and extracts inside %s',
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
