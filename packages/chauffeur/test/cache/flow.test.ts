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

test('twenty acts over an application need no model the second time, also after it was rearranged', async () => {
  const first = { what: 'crockery', code: 'SAVE-2031', street: 'Elm Street 7', mail: 'ada@example.org' };
  expect(shopFlow).toHaveLength(20);
  expect(await run(false, first)).toEqual({ asked: 20, log: LOG(first) });
  const second = { what: 'cutlery', code: 'GIFT-7788', street: 'Oak Lane 3', mail: 'grace@example.org' };
  expect(await run(false, second)).toEqual({ asked: 0, log: LOG(second) });
  const third = { what: 'bowls', code: 'MINT-1212', street: 'Ash Road 12', mail: 'joan@example.org' };
  expect(await run(true, third)).toEqual({ asked: 0, log: LOG(third) });
  expect(await run(true, first)).toEqual({ asked: 0, log: LOG(first) });

  const files = await readdir(bench.folder);
  const texts = await Promise.all(files.map((file) => readFile(join(bench.folder, file), 'utf8')));
  const written = texts.join('\n');
  const secrets = [first, second, third].flatMap((values) => Object.values(values));
  for (const secret of secrets) expect(written).not.toContain(secret);
});
