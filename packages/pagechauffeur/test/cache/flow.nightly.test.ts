import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { choose, useCache } from './cache-bench.ts';
import { shopApplication, shopFlow } from './shop-application.ts';

const bench = useCache();

interface Values {
  readonly what: string;
  readonly code: string;
  readonly street: string;
  readonly mail: string;
}

const LOG = (values: Values): string[] => [
  `search ${values.what}`,
  'add Blue mug',
  'add Tea pot',
  'wish Spoon',
  'remove Tea pot',
  `voucher=${values.code}`,
  `street=${values.street}`,
  'city=Bonn',
  'save address',
  `mail=${values.mail}`,
  'save contact',
  'theme Dark',
  'letters true',
  'order',
  'repeat old',
  'hello',
];

/** Runs the flow, and tells what the application did and how often a model was asked. */
async function run(isAnew: boolean, values: Values): Promise<{ asked: number; log: unknown }> {
  await bench.page.goto('about:blank');
  await bench.open(shopApplication(isAnew), '/shop');
  const before = bench.asked;
  for (const [instruction, choice] of shopFlow) {
    bench.answer = choose(choice);
    const names = Object.entries(values).filter(([name]) => instruction.includes(`%${name}%`));
    await bench.driver.act(instruction, { variables: Object.fromEntries(names) });
  }
  return { asked: bench.asked - before, log: await bench.page.evaluate('state.log') };
}

const VALUES: readonly Values[] = [
  { what: 'crockery', code: 'SAVE-2031', street: 'Elm Street 7', mail: 'ada@example.org' },
  { what: 'cutlery', code: 'GIFT-7788', street: 'Oak Lane 3', mail: 'grace@example.org' },
  { what: 'bowls', code: 'MINT-1212', street: 'Ash Road 12', mail: 'joan@example.org' },
];

// [spec: driver-options.cacheDir]
test.each([
  { title: 'asks a model for each of 20 acts in the first run', isAnew: false, values: VALUES[0], asked: 20 },
  { title: 'asks no model in the second run with other variable values', isAnew: false, values: VALUES[1], asked: 0 },
  { title: 'asks no model on a rearranged application', isAnew: true, values: VALUES[2], asked: 0 },
])('shop application: $title', async ({ isAnew, values, asked }) => {
  if (!values) throw new TypeError('there are no values');
  expect(shopFlow).toHaveLength(20);
  expect(await run(isAnew, values)).toEqual({ asked, log: LOG(values) });
});

test('stores no variable value', async () => {
  const files = await readdir(bench.folder);
  expect(files.length).toBeGreaterThan(15);
  const texts = await Promise.all(files.map((file) => readFile(join(bench.folder, file), 'utf8')));
  const written = texts.join('\n');
  for (const secret of VALUES.flatMap((values) => Object.values(values))) expect(written).not.toContain(secret);
});
