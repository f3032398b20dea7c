import { expect, test } from 'vitest';
import { tokensIn } from '../../src/injected/snapshot/folding/token-estimate.ts';
import { Wanted } from '../../src/injected/snapshot/folding/wanted.ts';

const styles = ['Blue', 'Oak', 'Striped', 'Tall'];
const rows = Array.from(
  { length: 400 },
  (_, index) => `Pick ${styles[index % 4]} mug ${index} ${(index * 7) % 50}.50 € Add to cart /product/${index}`,
);
rows[123] = 'Pick Café Müller gift 1,204.00 € Add to cart INV-2031';
rows[124] = 'Pick 青い急須 22.00 € Add to cart';
rows[126] = 'Pick crate 7\u202f350\u00a0€ Add to cart';
rows[125] = 'Learn C++ (2nd ed.) [used] 9.00 €';

test.each([
  ['a quoted name', 'check the box "Pick Oak mug 217"', 217],
  ['a quoted name with punctuation', 'open "c++ (2nd ed.) [used]"', 125],
  ['words in capitals', 'OPEN THE CAFÉ MÜLLER GIFT', 123],
  ['a number', 'add mug 311 to the cart', 311],
  ['a number that other numbers begin with', 'add mug 31 to the cart', 31],
  ['a name without its diacritics', 'order the cafe muller gift', 123],
  ['a number without its separators', 'the one for 1204 euros', 123],
  ['a number with a narrow space as separator', 'the one for 7350 euros', 126],
  ['an invoice number in lower case', 'open invoice inv-2031', 123],
  ['the plural of a word', 'put the gifts into the cart', 123],
  ['a script without spaces', '急須をカートに入れる', 124],
  ['a URL path', 'open product/255', 255],
  ['an ordinal', 'the 371st entry', 370],
  ['a row number', 'tick the box in row 42', 41],
  ['the last entry', 'delete the last entry', 399],
  ['the last of the matching rows', 'add the last striped mug', 398],
])('keeps the one of 400 similar rows that the instruction names by %s', (_what, instruction, place) => {
  const wanted = new Wanted(instruction).among(rows.length, (index) => rows[index] ?? '');
  expect([...wanted]).toContain(place);
  expect(wanted.size).toBeLessThanOrEqual(30);
});

test('keeps no row when the instruction has only words that all rows share', () => {
  expect(new Wanted('add it to the cart').among(rows.length, (index) => rows[index] ?? '').size).toBe(0);
});

test('ranks an item by the best match of a word, wherever it is in the text', () => {
  const items = ['Cancellation policy', 'Cancelled, no cancellation fee', 'Shipped', 'Paid', 'Packed'];
  expect(new Wanted('the cancelled one').ranked(items.length, (index) => items[index] ?? '')).toEqual([1, 0]);
});

// Counted with the o200k_base encoding.
test.each([
  ['row | e9 checkbox "Pick Blue mug 17" unchecked | Blue mug 17 | 34.50 € | 39 left', 28],
  ['The council approved the new bridge after a long debate, and prices of timber fell.', 17],
  ['Die Bundesregierung hat am Donnerstag beschlossen, die Förderung zu verlängern.', 13],
  ['INV-2026-10077 2026-11-21 14:05', 18],
])('tokensIn() estimates the tokens of %j with an error of at most a quarter', (text, tokens) => {
  expect(tokensIn(text)).toBeGreaterThan(tokens * 0.8);
  expect(tokensIn(text)).toBeLessThan(tokens * 1.25);
});

test('finds no word that begins in one item and ends in the next', () => {
  const items = ['Order black', 'bird food', 'Shipped', 'Paid'];
  expect(new Wanted('the blackbird').ranked(items.length, (index) => items[index] ?? '')).toEqual([]);
});

test('numbers the items correctly if one contains a null character', () => {
  const items = ['First\0part', 'Teapot', 'Kettle', 'Mug'];
  expect(new Wanted('the kettle').ranked(items.length, (index) => items[index] ?? '')).toEqual([2]);
});

test('ignores quotation marks around nothing', () => {
  const items = ['Teapot', 'Kettle', 'Mug'];
  expect(new Wanted('open " " the kettle').ranked(items.length, (index) => items[index] ?? '')).toEqual([1]);
});

test.each(['x'.repeat(100_000), `"${'x '.repeat(50_000)}"`])(
  'finds the row that an instruction with a very long word or quote names',
  (long) => {
    const wanted = new Wanted(`add mug 311 to the cart. ${long}`).among(rows.length, (index) => rows[index] ?? '');
    expect([...wanted]).toContain(311);
  },
);
