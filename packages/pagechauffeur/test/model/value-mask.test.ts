import { describe, expect, test } from 'vitest';
import { maskError } from '../../src/util/mask-error.ts';
import { ValueMask } from '../../src/util/value-mask.ts';

const ODD = 'pa"ss <w&rd>/é +x';

function maskOf(...values: readonly (readonly [string, string])[]): ValueMask {
  const mask = new ValueMask();
  for (const [name, value] of values) mask.learn(name, value);
  return mask;
}

describe('a value in a text', () => {
  const mask = maskOf(
    ['password', 'hunter2'],
    ['odd', ODD],
    ['pin', '4711'],
    ['card', '4111111111111111'],
    ['signs', '$#@!!'],
  );

  test.each([
    ['in plain', 'the password is hunter2.', 'the password is %password%.'],
    ['within other letters', 'xhunter2y', 'x%password%y'],
    ['in other case', 'HUNTER2 and Hunter2', '%password% and %password%'],
    ['in an address', `?q=${encodeURIComponent(ODD)}&r=1`, '?q=%odd%&r=1'],
    ['in an address, in lower case', `?q=${encodeURIComponent(ODD).toLowerCase()}`, '?q=%odd%'],
    ['as a form sends it', new URLSearchParams({ q: ODD }).toString(), 'q=%odd%'],
    ['as JSON', JSON.stringify({ q: ODD }), '{"q":"%odd%"}'],
    ['as HTML', '<b>pa&quot;ss &lt;w&amp;rd>/é +x</b>', '<b>%odd%</b>'],
    ['as Base64', `Basic ${Buffer.from('hunter2').toString('base64')}`, 'Basic %password%=='],
    ['as JSON within JSON', JSON.stringify(JSON.stringify({ q: ODD })), '"{\\"q\\":\\"%odd%\\"}"'],
    ['as Base64 in an address', `?t=${Buffer.from(ODD).toString('base64url')}`, '?t=%odd%'],
    ['with other spaces', 'pa"ss\n  <w&rd>/é +x', '%odd%'],
    ['as a card is printed', '4111 1111-1111 1111 and 4111.1111.1111.1111', '%card% and %card%'],
    ['of signs alone', '>$#@!!<', '>%signs%<'],
    ['cut off in its midst', '4111 1111 1111 11… and so on', '%card%… and so on'],
    ['short, as a word of its own', 'PIN:4711, id47110, 4711', 'PIN:%pin%, id47110, %pin%'],
    ['next to letters whose lower case is longer', 'İİ hunter2 İ', 'İİ %password% İ'],
    ['in part', 'hunter 411111', 'hunter 411111'],
  ])('%s is masked as far as it gives the value away', (_name, text, masked) => {
    expect(mask.mask(text)).toBe(masked);
  });

  test('is left where it says nothing: of one or two characters', () => {
    expect(maskOf(['n', '42'], ['x', 'no'], ['empty', ''], ['blank', '   ']).mask('42 is no answer')).toBe(
      '42 is no answer',
    );
  });

  test('is left when whoever is told the text knows it', () => {
    expect(mask.mask('hunter2 and 4711', new Set(['4711']))).toBe('%password% and 4711');
  });

  test('is left when it reads like the placeholder of a variable', () => {
    const looksAlike = maskOf(['city', '%city%'], ['town', '%city%'], ['land', '%other%']);
    expect(looksAlike.mask('type %city% and %other%')).toBe('type %city% and %land%');
  });

  test('is the longest of those that begin at a place', () => {
    expect(maskOf(['short', 'secret'], ['long', 'secret-garden']).mask('secret-garden secret')).toBe('%long% %short%');
  });
});

describe('placeholders', () => {
  test('are the plain ones for the latest value of each name', () => {
    const mask = maskOf(['user', 'alice-one'], ['user', 'bob-two'], ['user', 'carol-three']);
    expect(mask.mask('alice-one bob-two carol-three')).toBe('%user-3% %user-2% %user%');
    mask.learn('user', 'alice-one');
    expect(mask.mask('alice-one bob-two carol-three')).toBe('%user% %user-3% %user-2%');
  });

  test('are those of the latest name of a value', () => {
    const mask = maskOf(['user', 'alice-one'], ['login', 'alice-one']);
    expect(mask.mask('alice-one')).toBe('%login%');
  });
});

test('data is masked at any depth, with numbers, and paths to elements stay', () => {
  const mask = maskOf(['word', 'body'], ['pin', '471100']);
  const data = { words: ['a body', { pin: 471_100, count: 3 }], selector: 'xpath=/html[1]/body[1]/a[1]' };
  expect(mask.maskData(data)).toEqual({
    words: ['a %word%', { pin: '%pin%', count: 3 }],
    selector: 'xpath=/html[1]/body[1]/a[1]',
  });
});

test('data that holds itself is no trouble', () => {
  const data: { self?: unknown; word: string } = { word: 'hunter2' };
  data.self = data;
  expect(maskOf(['password', 'hunter2']).maskData(data)).toMatchObject({ word: '%password%' });
});

test('an error and its causes are masked in all that they say', () => {
  const cause = Object.assign(new TypeError('field hunter2'), { selectors: ['text=hunter2'] });
  const error = new RangeError('no hunter2', { cause });
  expect(maskError(error, maskOf(['password', 'hunter2']))).toBe(error);
  expect(error.message).toBe('no %password%');
  expect(error.stack).not.toContain('hunter2');
  expect(cause).toMatchObject({ message: 'field %password%', selectors: ['text=%password%'] });
});
