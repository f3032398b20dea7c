import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { type Nesting, sequences, serveNestedPages } from '../support/nested-pages.ts';
import { serve, type TestServer } from '../support/serve.ts';

const KINDS: readonly Nesting[] = ['open', 'closed', 'declared', 'same', 'other'];
const PATHS = [1, 2, 3].flatMap((depth) => sequences(KINDS, depth));

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

test.each(PATHS.map((path) => [path.join(' > '), path] as const))(
  'an element in %s is seen, and its path leads back to it',
  async (_title, path) => {
    const { driver, page } = started;
    await page.goto(nestedUrl(path), { waitUntil: 'load' });
    const found = await driver.observe();
    const deep = found.find(({ description }) => description === 'button "Deep"');
    expect(found.map(({ description }) => description)).toContain('textbox "Field"');
    expect(deep?.selector.match(/iframe/g)?.length ?? 0).toBe(
      path.filter((kind) => kind === 'same' || kind === 'other').length,
    );
    const result = await driver.act({
      selector: deep?.selector ?? '',
      description: 'Deep',
      method: 'click',
      arguments: [],
    });
    expect(result).toMatchObject({ effect: 'changed', actions: [{ selector: deep?.selector }] });
    const { pageText } = await driver.extract();
    expect(pageText).toContain('button "Clicked"');
    expect(pageText).not.toContain('Never seen');
  },
);
