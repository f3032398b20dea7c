import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { type Nesting, serveNestedPages } from '../support/nested-pages.ts';
import { serve, type TestServer } from '../support/serve.ts';

const KINDS: readonly Nesting[] = ['open', 'closed', 'declared', 'same', 'other'];
const DEPTH = 5;
const PATH_COUNT = 24;
/** Coprime with the number of paths, so that every kind comes at every depth and after every other. */
const STRIDE = 131;

const PATHS = Array.from({ length: PATH_COUNT }, (_, index) => pathWithNumber(index * STRIDE));

/** The path whose kinds are the digits of this number. */
function pathWithNumber(number: number): readonly Nesting[] {
  return Array.from({ length: DEPTH }, (_, digit) => {
    const kind = KINDS[Math.floor(number / KINDS.length ** digit) % KINDS.length];
    if (!kind) throw new RangeError(`no kind at digit ${digit}`);
    return kind;
  });
}

let server: TestServer;
let started: TestDriver;
let nestedUrl: (path: readonly Nesting[]) => string;

beforeAll(async () => {
  server = await serve();
  nestedUrl = serveNestedPages(server);
  started = await startDriver({ selfHeal: false });
});

afterAll(async () => {
  await started?.driver.close();
  await server?.close();
});

test('the paths have every kind at every depth', () => {
  for (let depth = 0; depth < DEPTH; depth += 1)
    expect(new Set(PATHS.map((path) => path[depth]))).toEqual(new Set(KINDS));
});

test.each(PATHS.map((path) => [path.join(' > '), path] as const))(
  'sentences find, fill, click and read in %s',
  async (_title, path) => {
    const { driver, page } = started;
    await page.goto(nestedUrl(path), { waitUntil: 'load' });
    const [field] = await driver.observe('the Field text box');
    const filled = await driver.act('type "five deep" into Field');
    expect(filled).toMatchObject({ success: true, effect: 'changed', actions: [{ selector: field?.selector }] });
    const clicked = await driver.act('click the "Deep" button');
    expect(clicked).toMatchObject({ success: true, effect: 'changed' });
    expect(await driver.extract('the field', z.object({ field: z.string() }))).toEqual({ field: 'five deep' });
    expect((await page.snapshot()).text).toContain('button "Clicked"');
  },
);
