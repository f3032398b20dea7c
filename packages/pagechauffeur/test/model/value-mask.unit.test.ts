import { describe, expect, test } from 'vitest';
import { maskError } from '../../src/util/mask-error.ts';
import { ValueMask } from '../../src/util/value-mask.ts';

const ODD = 'pa"ss <w&rd>/é +x';

function maskOf(...values: readonly (readonly [string, string])[]): ValueMask {
  const mask = new ValueMask();
  for (const [name, value] of values) mask.learn(name, value);
  return mask;
}

describe('mask() of text', () => {
  const mask = maskOf(
    ['password', 'hunter2'],
    ['odd', ODD],
    ['pin', '4711'],
    ['card', '4111111111111111'],
    ['signs', '$#@!!'],
  );

  test.each([
    ['in plain text', 'the password is hunter2.', 'the password is %password%.'],
    ['within other letters', 'xhunter2y', 'x%password%y'],
    ['in full-width and circled characters', 'ｈｕｎｔｅｒ２, hunter②', '%password%, %password%'],
    ['in another case', 'HUNTER2 and Hunter2', '%password% and %password%'],
    ['in a URL', `?q=${encodeURIComponent(ODD)}&r=1`, '?q=%odd%&r=1'],
    ['in a lower-case URL', `?q=${encodeURIComponent(ODD).toLowerCase()}`, '?q=%odd%'],
    ['in form encoding', new URLSearchParams({ q: ODD }).toString(), 'q=%odd%'],
    ['as JSON', JSON.stringify({ q: ODD }), '{"q":"%odd%"}'],
    ['as HTML', '<b>pa&quot;ss &lt;w&amp;rd>/é +x</b>', '<b>%odd%</b>'],
    ['as Base64', `Basic ${Buffer.from('hunter2').toString('base64')}`, 'Basic %password%=='],
    ['as JSON within JSON', JSON.stringify(JSON.stringify({ q: ODD })), '"{\\"q\\":\\"%odd%\\"}"'],
    ['as Base64 in a URL', `?t=${Buffer.from(ODD).toString('base64url')}`, '?t=%odd%'],
    ['with other white space', 'pa"ss\n  <w&rd>/é +x', '%odd%'],
    ['in the groups of a printed card number', '4111 1111-1111 1111 and 4111.1111.1111.1111', '%card% and %card%'],
    ['of punctuation only', '>$#@!!<', '>%signs%<'],
    ['cut off in the middle', '4111 1111 1111 11… and so on', '%card%… and so on'],
    ['cut off early', 'card 4111 11… and so on', 'card %card%… and so on'],
    ['of 4 digits, if it is a separate word', 'PIN:4711, id47110, 4711', 'PIN:%pin%, id47110, %pin%'],
    ['next to letters whose lower case is longer', 'İİ hunter2 İ', 'İİ %password% İ'],
    ['only if enough of it is there', 'hunter 411111', 'hunter 411111'],
  ])('masks a value %s', (_name, text, masked) => {
    expect(mask.mask(text)).toBe(masked);
  });

  test.each([
    ['in groups of digits', 'the code is 482-913, or 48 29 13', 'the code is %code%, or %code%'],
    ['in cells of a table row', 'row | 4 | 8 | 2 | 9 | 1 | 3 |', 'row | %code% |'],
    ['in groups of thousands', "482'913 and 482’913", '%code% and %code%'],
    ['written backwards', '319284', '%code%'],
    ['of 4 digits in groups', '47 11 and 4-7-1-1', '%pin% and %pin%'],
    ['in hexadecimal', `x${Buffer.from('hunter2').toString('hex')}`, '%password%'],
    ['in percent-encoding', `?q=${Buffer.from('hunter2').toString('hex').replaceAll(/../g, '%$&')}`, '?q=%password%'],
    ['of two characters in a field', 'e1 textbox "Year" = "42"', 'e1 textbox "Year" = "%tan%"'],
    ['of two characters on a line of its own', 'e1 link "42"\n- 42\n- 42 mugs', 'e1 link "42"\n- %tan%\n- 42 mugs'],
    [
      'over six fields',
      [...'482913'].map((digit, index) => `e${index} textbox "Digit ${index}" = "${digit}"`).join('\n'),
      Array.from({ length: 6 }, (_, index) => `e${index} textbox "Digit ${index}" = "%code%"`).join('\n'),
    ],
    [
      'over four fields with labels between',
      '- First\ne1 textbox = "4111"\n- Second\ne2 textbox = "1111"\ne3 textbox = "1111"\ne4 textbox = "1111"',
      '- First\ne1 textbox = "%card%"\n- Second\ne2 textbox = "%card%"\ne3 textbox = "%card%"\ne4 textbox = "%card%"',
    ],
    [
      'in field names',
      'e1 textbox "482"\ne2 textbox "913" required',
      'e1 textbox "%code%"\ne2 textbox "%code%" required',
    ],
    ['of two characters in quotes', 'it says "42" of 42 mugs', 'it says "%tan%" of 42 mugs'],
    ['with zero-width joiners', '4\u200d8\u200d2\u200d9\u200d1\u200d3', '%code%'],
    [
      'with variation selectors',
      'h\ufe0fu\ufe0fn\ufe0ft\ufe0fe\ufe0fr\ufe0f2 and 482\ufe0f-\ufe0f913',
      '%password% and %code%',
    ],
    ['with tag characters', [...'482913'].join('\u{e0041}'), '%code%'],
    ['in hexadecimal, byte by byte', '68 75 6e 74 65 72 32 and 68:75:6E:74:65:72:32', '%password% and %password%'],
    ['in lines of a field', 'e1 textbox = "4\\n8\\n2\\n9\\n1\\n3"', 'e1 textbox = "%code%"'],
    ['over single-cell table rows', 'table\n row | 482\n row | 913', 'table\n row | %code%\n row | %code%'],
    ['over lines', '- 4\n- 8\n- 2\n- 9\n- 1\n- 3\n- 5', `${'- %code%\n'.repeat(6)}- 5`],
    ['over list items', 'list\n listitem "482"\n listitem "913"', 'list\n listitem "%code%"\n listitem "%code%"'],
  ])('masks a value %s', (_name, text, masked) => {
    const short = maskOf(['password', 'hunter2'], ['code', '482913'], ['pin', '4711'], ['card', '4111111111111111']);
    short.learn('tan', '42', { isSensitive: true });
    expect(short.mask(text)).toBe(masked);
  });

  test.each(['hunter2', 'Zanzibar-77', 'pässwört', '482913'])('masks %s in Base64 with any text around it', (value) => {
    const alone = maskOf(['secret', value]);
    for (const around of ['', 'a:', 'ab:', 'ada:', '{"p":"']) {
      for (const coding of ['base64', 'base64url'] as const) {
        const masked = alone.mask(`x ${Buffer.from(`${around}${value}${around}`).toString(coding)} y`);
        expect(masked).toContain('%secret%');
        const rest = masked.replaceAll('%secret%', ' ').split(' ');
        expect(rest.some((code) => Buffer.from(code, coding).toString().includes(value.slice(0, 3)))).toBe(false);
      }
    }
  });

  test.each([
    'a page of 1 2 3 4 5 6 7 8 9',
    'e1 button "4"\ne2 button "8"\ne3 button "2"\ne4 button "9"\ne5 button "1"\ne6 button "3"',
    '- 4\n- 2\n- 7',
    'order 1482-9135, 4 of 711, 47,112.50 on 2031-04-07 at 11:30',
    'e1 textbox "Amount" = "482"\n- a\n- b\n- c\n- d\n- e\ne2 textbox "Year" = "913"',
    '42 mugs, 4.2 kg, 42',
  ])('keeps ordinary text: %j', (text) => {
    const short = maskOf(['code', '482913'], ['pin', '4711']);
    short.learn('tan', '42', { isSensitive: true });
    expect(short.mask(text)).toBe(text);
  });

  test('keeps values of one or two characters', () => {
    expect(maskOf(['n', '42'], ['x', 'no'], ['empty', ''], ['blank', '   ']).mask('42 is no answer')).toBe(
      '42 is no answer',
    );
  });

  test('masks a value that is split over several strings of the data', () => {
    const short = maskOf(['code', '482913'], ['phrase', 'correct horse battery staple']);
    const data = { cells: ['482', '913'], near: ['correct horse', 'battery staple', 'x'], page: 482 };
    expect(short.maskData(data)).toEqual({
      cells: ['%code%', '%code%'],
      near: ['%phrase%', '%phrase%', 'x'],
      page: 482,
    });
    expect(short.maskData(data, new Set(['482913']))).toMatchObject({ cells: ['482', '913'] });
    expect(short.maskData(['482', 'a', '914'])).toEqual(['482', 'a', '914']);
  });

  test('keeps a value that the reader already knows', () => {
    expect(mask.mask('hunter2 and 4711', new Set(['4711']))).toBe('%password% and 4711');
  });

  test('keeps a value that equals the placeholder of a known variable', () => {
    const looksAlike = maskOf(['city', '%city%'], ['town', '%city%'], ['land', '%other%']);
    expect(looksAlike.mask('type %city% and %other%')).toBe('type %city% and %land%');
  });

  test('prefers the longest value at each position', () => {
    expect(maskOf(['short', 'secret'], ['long', 'secret-garden']).mask('secret-garden secret')).toBe('%long% %short%');
  });
});

describe('mask() of escaped text', () => {
  const mask = maskOf(['odd', ODD], ['password', 'hunter2'], ['name', 'Zoë Müller'], ['key', 'ab/cd+ef']);
  const bytes = [...Buffer.from('hunter2')];

  test.each([
    ['ASCII-only JSON', String.raw`{"name":"Zo\u00eb M\u00FCller"}`, '{"name":"%name%"}'],
    ['JSON with escaped slashes', String.raw`{"key":"ab\/cd+ef"}`, '{"key":"%key%"}'],
    ['JSON in JSON in JSON', JSON.stringify(JSON.stringify(JSON.stringify([ODD]))), String.raw`"\"[\\\"%odd%\\\"]\""`],
    ['JavaScript escapes', String.raw`hunt\x65r2 and hunt\u{65}r2`, '%password% and %password%'],
    ['a URL with one encoded byte', 'hunt%65r2', '%password%'],
    ['a URL with all bytes encoded', bytes.map((byte) => `%${byte.toString(16)}`).join(''), '%password%'],
    ['a URL in a URL', `?u=${encodeURIComponent(`?q=${encodeURIComponent(ODD)}`)}`, '?u=%3Fq%3D%odd%'],
    ['decimal entities', bytes.map((byte) => `&#${byte};`).join(''), '%password%'],
    ['hexadecimal entities', 'hunt&#x65;r2', '%password%'],
    ['double-encoded entities', 'pa&amp;quot;ss &amp;lt;w&amp;amp;rd&amp;gt;/é +x', '%odd%'],
    [
      'a URL in HTML in JSON',
      JSON.stringify({ a: `<a href="?q=${encodeURIComponent(ODD)}&amp;r">` }),
      String.raw`{"a":"<a href=\"?q=%odd%&amp;r\">"}`,
    ],
    ['decomposed characters', 'Zoe\u0308 Mu\u0308ller', '%name%'],
    ['Base64 in JSON', String.raw`{"b":"Pz8\/aHVudGVyMg=="}`, String.raw`{"b":"Pz8%password%=="}`],
    ['valid escapes only, and keeps others', '100%25 &nope; \\q %zz', '100%25 &nope; \\q %zz'],
  ])('masks a value in %s', (_name, text, masked) => {
    expect(mask.mask(text)).toBe(masked);
  });
});

describe('placeholders', () => {
  test('numbers earlier values of a name, but not the latest one', () => {
    const mask = maskOf(['user', 'alice-one'], ['user', 'bob-two'], ['user', 'carol-three']);
    expect(mask.mask('alice-one bob-two carol-three')).toBe('%user-3% %user-2% %user%');
    mask.learn('user', 'alice-one');
    expect(mask.mask('alice-one bob-two carol-three')).toBe('%user% %user-3% %user-2%');
  });

  test('masks a value with the last added variable that has it', () => {
    const mask = maskOf(['user', 'alice-one'], ['login', 'alice-one']);
    expect(mask.mask('alice-one')).toBe('%login%');
  });
});

test('masks strings and numbers at any depth, and keeps XPath selectors', () => {
  const mask = maskOf(['word', 'body'], ['pin', '471100']);
  const data = { words: ['a body', { pin: 471_100, count: 3 }], selector: 'xpath=/html[1]/body[1]/a[1]' };
  expect(mask.maskData(data)).toEqual({
    words: ['a %word%', { pin: '%pin%', count: 3 }],
    selector: 'xpath=/html[1]/body[1]/a[1]',
  });
});

test('masks cyclic data', () => {
  const data: { self?: unknown; word: string } = { word: 'hunter2' };
  data.self = data;
  expect(maskOf(['password', 'hunter2']).maskData(data)).toMatchObject({ word: '%password%' });
});

test('masks message, stack and fields of an error and its cause', () => {
  const cause = Object.assign(new TypeError('field hunter2'), { selectors: ['text=hunter2'] });
  const error = new RangeError('no hunter2', { cause });
  expect(maskError(error, maskOf(['password', 'hunter2']))).toBe(error);
  expect(error.message).toBe('no %password%');
  expect(error.stack).not.toContain('hunter2');
  expect(cause).toMatchObject({ message: 'field %password%', selectors: ['text=%password%'] });
});
