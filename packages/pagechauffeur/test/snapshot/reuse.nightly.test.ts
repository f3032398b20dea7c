import { expect, test } from 'vitest';
import { changeAtRandom, changingDocument } from './reuse.ts';

const changing = changingDocument();

const STEPS = 5040;
/** Changes per document. */
const STEPS_EACH = 240;
const LEAST_SHARE = 0.02;

test('equals a whole snapshot after each of 5,040 random changes of all kinds', async () => {
  const first = Date.now() % 1_000_000;
  const counts = new Map<string, number>();
  for (let done = 0; done < STEPS; done += STEPS_EACH) {
    const seed = first + done;
    await changing.open(seed);
    const { counts: counted, found } = await changeAtRandom(changing, STEPS_EACH);
    expect(found, `seed ${seed}`).toBe(null);
    for (const [name, count] of counted) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect(all).toBeGreaterThanOrEqual(STEPS);
  for (const [name, count] of counts) expect(count / all, name).toBeGreaterThan(LEAST_SHARE);
}, 1_200_000);

// With this seed, the browser leaves `:focus-within` out of the root while a section with the focus is in full screen.
test('equals a whole snapshot after focus moves into an element in full screen', async () => {
  await changing.open(914_914);
  expect((await changeAtRandom(changing, 240)).found).toBe(null);
}, 60_000);

/** For each signal, changes that it must notice. */
const CHANGES_BY_SIGNAL: Readonly<Record<string, readonly string[]>> = {
  mutations: ['text', 'remove'],
  'style sheets': ['sheet', 'edited rule', 'adopted sheet'],
  media: ['media'],
  address: ['address', 'text'],
  drawings: ['drawing'],
  'full screen': ['full screen'],
  frame: ['backdrop'],
  'position among siblings': ['has', 'class', 'checked', 'insert before'],
  'pointer and focus': ['focus'],
  'form fields': ['value', 'checked', 'selected', 'popover'],
  'form validity': ['value'],
  containers: ['container beside'],
  animations: ['animation', 'finished animation'],
  'shadow roots': ['shadow root'],
  'listeners and frames': ['listener'],
  layout: ['scroll', 'style', 'cover'],
  'referenced elements': ['reference', 'attribute', 'text'],
};

/** Signals for changes that a script cannot make. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['media', 'full screen']);

test('has changes for each signal', async () => {
  await changing.open(1);
  expect(Object.keys(CHANGES_BY_SIGNAL)).toEqual(await changing.evaluate('signalNames()'));
});

test.each(Object.entries(CHANGES_BY_SIGNAL))(
  'finds a difference without the signal "%s"',
  async (signal, names) => {
    for (let seed = 1; seed < 40; seed += 1) {
      // In a frame, full screen also changes what is behind the frame, which another signal notices.
      await changing.open(seed, signal, signal === 'full screen' ? '/inner' : '/');
      if (FROM_OUTSIDE.has(signal)) {
        // The second snapshot keeps what the third one uses.
        for (let count = 0; count < 2; count += 1) await changing.evaluate('difference()');
        await changing.changeFromOutside(seed, names[0]);
        if ((await changing.evaluate('difference()')) !== null) return;
        continue;
      }
      const { found } = await changing.evaluate<{ found: string | null }>(`run(30, ${JSON.stringify(names)})`);
      if (found !== null) return;
    }
    expect.fail('No change showed a difference.');
  },
  300_000,
);
