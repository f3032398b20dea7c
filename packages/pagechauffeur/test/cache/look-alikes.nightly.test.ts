import { describe, expect, test } from 'vitest';
import { choose, chooseNothing, useCache } from './cache-bench.ts';
import { rows } from '../support/nightly-rows.ts';

const bench = useCache();
let address = 0;

/** A button that says which one it is only to the test: `data-k` is in no fingerprint. */
function button(k: string, name = 'Delete'): string {
  return `<button data-k="${k}" onclick="(globalThis.hits ??= []).push(this.dataset.k); document.body.append('hit')">${name}</button>`;
}

/** Pages that show the same kind of things, each its own way, beside what they always show. */
const LISTS: Readonly<Record<string, (...items: readonly string[]) => string>> = {
  'items of a list': (...items) => `<ul>${items.map((k) => `<li>Task ${k} ${button(k)}</li>`).join('')}</ul>`,
  'boxes with a text': (...items) => `<div>${items.map((k) => `<div>Task ${k} ${button(k)}</div>`).join('')}</div>`,
  'boxes of equal parts': (...items) =>
    `<div>${items.map((k) => `<div><b>Task ${k}</b> <i>${k < 'C' ? 'Low' : 'High'}</i> ${button(k)}</div>`).join('')}</div>`,
  'boxes of unequal parts': (...items) =>
    `<div>${items.map((k) => `<div><b>Task ${k}</b>${k === 'A' ? '' : '<i>new</i>'}${button(k)}</div>`).join('')}</div>`,
  'boxes with a line between': (...items) =>
    `<div>${items.map((k) => `<div><b>Task ${k}</b>${button(k)}</div>`).join('<hr>')}</div>`,
  'paragraphs of an article': (...items) =>
    `<article><h2>Tasks</h2>${items.map((k) => `<p>Task ${k} ${button(k)}</p>`).join('')}</article>`,
  'boxes deep in boxes': (...items) =>
    `<div>${items.map((k) => `<div><div><div><span>Task ${k}</span></div><div>${button(k)}</div></div></div>`).join('')}</div>`,
  'boxes with an image': (...items) =>
    `<div>${items.map((k) => `<div><img alt="Task ${k}" width="9" height="9">${button(k)}</div>`).join('')}</div>`,
};

interface Scene {
  readonly before: string;
  readonly after: string;
  readonly instruction?: string;
  /** The name of the element that is clicked, the first of it. */
  readonly name?: string;
}

/** What is clicked on the page as it is now, and how often a model, which would find nothing, is asked. */
async function replayed({ before, after, instruction = 'remove it', name = 'Delete' }: Scene): Promise<object> {
  address += 1;
  const path = `/scene-${address}`;
  const page = (part: string): string => `<h1>Work</h1><p>All that is to be done.</p>${part}<p>The end.</p>`;
  await bench.open(page(before), path);
  bench.answer = choose({ role: 'button', name });
  await bench.driver.act(instruction);
  expect(await bench.hits()).toHaveLength(1);
  await bench.open(page(after), path);
  const asked = bench.asked;
  bench.answer = chooseNothing;
  await bench.driver.act(instruction);
  return { hits: await bench.hits(), asked: bench.asked - asked };
}

const DAILY: readonly string[] = [
  'items of a list',
  'boxes of equal parts',
  'boxes of unequal parts',
  'paragraphs of an article',
  'boxes with an image',
];
const isDaily = ([title]: readonly [string, unknown]): boolean => DAILY.includes(title);
const lists = Object.entries(LISTS);
const others = lists.filter((list) => !isDaily(list));

describe.each(rows(lists.filter(isDaily), others))('look-alikes in %s', (_title, list) => {
  test('clicks the stored element when a look-alike appears before it', async () => {
    expect(await replayed({ before: list('A'), after: list('B', 'A') })).toEqual({ hits: ['A'], asked: 0 });
  });

  test('clicks the stored element when look-alikes appear after it', async () => {
    expect(await replayed({ before: list('A'), after: list('A', 'B', 'C') })).toEqual({ hits: ['A'], asked: 0 });
  });

  test('clicks nothing when two look-alikes replace the stored element', async () => {
    expect(await replayed({ before: list('A'), after: list('B', 'C') })).toEqual({ hits: [], asked: 1 });
  });

  test('clicks the stored element when its look-alike disappears', async () => {
    expect(await replayed({ before: list('A', 'B'), after: list('A') })).toEqual({ hits: ['A'], asked: 0 });
  });

  test('clicks nothing when only the look-alike is left', async () => {
    expect(await replayed({ before: list('A', 'B'), after: list('B') })).toEqual({ hits: [], asked: 1 });
  });

  test('clicks the stored element when it swaps places with its look-alike', async () => {
    expect(await replayed({ before: list('A', 'B'), after: list('B', 'A') })).toEqual({ hits: ['A'], asked: 0 });
  });

  test('clicks nothing when the look-alike takes the place of the stored element', async () => {
    expect(await replayed({ before: list('A', 'B'), after: list('B', 'C') })).toEqual({ hits: [], asked: 1 });
  });
});

describe('indistinguishable look-alikes', () => {
  test.each([
    ['beside each other', (...items: readonly string[]) => items.map((k) => button(k)).join(' ')],
    ['each in a box', (...items: readonly string[]) => items.map((k) => `<p>${button(k)}</p>`).join('')],
    [
      'each beside a field',
      (...items: readonly string[]) => items.map((k) => `<p><input value="Task ${k}">${button(k)}</p>`).join(''),
    ],
    [
      'each beside the same words',
      (...items: readonly string[]) => items.map((k) => `<p>Task ${button(k)}</p>`).join(''),
    ],
  ])('clicks nothing when one element becomes two, %s', async (_title, list) => {
    expect(await replayed({ before: list('A'), after: list('B', 'A') })).toEqual({ hits: [], asked: 1 });
  });
});

describe('unrelated look-alike', () => {
  const product = (price: string): string => `<section><p>Blue mug</p><p>${price}</p>${button('mug', 'Buy')}</section>`;
  const box = `<div><p>Our offer of this week</p>${button('offer', 'Buy')}</div>`;
  test.each([
    ['after it in a part with a heading', product('€12'), `${product('€12')}<section><h2>Offer</h2>${box}</section>`],
    ['before it in a part with a name', product('€12'), `<aside aria-label="Offer">${box}</aside>${product('€12')}`],
    ['after it in an unnamed part', product('€12'), `${product('€12')}${box}`],
    ['before it in an unnamed part', product('€12'), `${box}${product('€12')}`],
  ])('clicks the stored element despite a look-alike %s', async (_title, before, after) => {
    const scene = { before, after, instruction: 'buy the mug', name: 'Buy' };
    expect(await replayed(scene)).toEqual({ hits: ['mug'], asked: 0 });
  });

  test('picks the element by its id when the surroundings change', async () => {
    const save = (k: string, stamp: string): string =>
      `<p>${stamp} ${button(k, 'Save').replace('<button', `<button id="save-${k}"`)}</p>`;
    const scene = { before: save('letter', 'of noon'), after: save('other', 'of today') + save('letter', 'of one') };
    expect(await replayed({ ...scene, name: 'Save' })).toEqual({ hits: ['letter'], asked: 0 });
  });
});

test('stores the new place of an element after it was distinguished from a look-alike', async () => {
  const list = LISTS['boxes with a text'] ?? String;
  const path = '/again';
  await bench.open(list('A'), path);
  bench.answer = choose({ role: 'button', name: 'Delete' });
  await bench.driver.act('remove it');
  for (const healed of [1, 0]) {
    await bench.open(list('B', 'A'), path);
    const before = bench.lines.length;
    await bench.driver.act('remove it');
    expect(await bench.hits()).toEqual(['A']);
    expect(bench.lines.slice(before).filter(({ message }) => message.startsWith('Healed'))).toHaveLength(healed);
  }
});
