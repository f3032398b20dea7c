import { expect, test } from 'vitest';
import { changeAtRandom, changingDocument } from './reuse.ts';

const changing = changingDocument();

test('equals a whole snapshot after each of 96 random changes', async () => {
  await changing.open(1);
  expect((await changeAtRandom(changing, 96)).found).toBe(null);
});

test('reads less than a third of the elements again after the change of one text', async () => {
  await changing.open(2);
  await changing.evaluate('elementsRead(false)');
  const whole = await changing.evaluate<number>('elementsRead(false)');
  expect(whole).toBeGreaterThan(300);
  await changing.evaluate("run(1, ['text'])");
  await changing.evaluate("change('text')");
  expect(await changing.evaluate<number>('elementsRead(false)')).toBeLessThan(whole / 3);
  expect(await changing.evaluate<number>('elementsRead(false)')).toBeLessThan(whole / 3);
});
