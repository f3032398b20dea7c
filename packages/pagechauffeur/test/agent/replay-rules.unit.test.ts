import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { effectFits } from '../../src/agent/replay/play-recorded.ts';
import { dependenceOf } from '../../src/agent/replay/page-dependence.ts';
import { isReplayableAnswer } from '../../src/agent/replay/recorded-answer.ts';
import { hasWords, notReplayableReason } from '../../src/agent/replay/known-texts.ts';
import { Literals, quoted } from '../../src/agent/script/literals.ts';
import type { RecordedElement } from '../../src/agent/replay/recorded-step.ts';
import { CHAUFFEUR, PLAYWRIGHT } from '../../src/agent/script/dialect.ts';
import type { Locating } from '../../src/agent/script/locating.ts';
import { stepCode } from '../../src/agent/script/step-code.ts';
import { TaskComments } from '../../src/agent/script/to-script.ts';

const variables = new Set(['who', 'phone', 'last', 'übrige.alle']);
const PAGE = 'Order A-1001 of Ada Lovelace, 3 mugs, placed';
const hasShown = (text: string): boolean => hasWords(PAGE, text);

describe('notReplayableReason()', () => {
  it.each([
    ['Ada', 'Enter Ada as the name'],
    ['%who%', 'Enter %who% as the name'],
    ['+49 %phone%', 'Enter the phone number +49 %phone%'],
    ['100%', 'Enter 100% as the discount'],
    ['2027-05-03', 'Choose 3 May 2027'],
    ['Thank you so much', 'Write a thank-you note'],
  ])('allows the text %j for the task %j', (text, instruction) => {
    expect(notReplayableReason(text, { instruction, variables, hasShown })).toBeUndefined();
  });

  it.each([
    ['A-1001', 'Enter the number of the order', 'it was read from a page'],
    ['Ada Lovelace', 'Enter the name of who ordered', 'it was read from a page'],
    ['2026-11-21', 'Choose today as the date', 'it depends on the date'],
    ['7', 'Enter how many there are and 4 more', 'it was derived'],
    ['555 0199', 'Enter a phone number', 'numbers that are not in the task'],
  ])('rejects the text %j for the task %j', (text, instruction, why) => {
    expect(notReplayableReason(text, { instruction, variables, hasShown })).toContain(why);
  });
});

describe('isReplayableAnswer()', () => {
  const actions = ['click button "Place order"', '{"text":"%who%"}'];

  it.each([
    ['Buy a mug for %who%', 'The order for %who% was placed.'],
    ['Buy 2 mugs', 'I bought 2 mugs.'],
    ['Buy a mug, then sign out', 'Done. The mug was ordered by the button "Place order".'],
    ['Open the order that was placed last', 'It is open.'],
  ])('accepts for %j the answer %j', (instruction, answer) => {
    expect(isReplayableAnswer(answer, { instruction, variables, actions, hasShown })).toBe(true);
  });

  it.each([
    ['Buy a mug', 'The order A-1001 was placed.'],
    ['Buy a mug', 'It was ordered by Ada Lovelace.'],
    ['Buy a mug', 'The page says "It is on its way".'],
    ['Buy a mug', 'The page says 「on its way」.'],
    ['How many mugs were ordered?', 'Several.'],
    ['Buy a mug and tell me whether it is in stock', 'It is.'],
    ['Open the orders, then read who ordered last', 'A person.'],
  ])('rejects for %j the answer %j', (instruction, answer) => {
    expect(isReplayableAnswer(answer, { instruction, variables, actions, hasShown })).toBe(false);
  });
});

it.each([
  ['navigated', 'none-observed', 'click', false],
  ['changed', 'none-observed', 'click', false],
  ['changed', 'none-observed', 'fill', true],
  ['none-observed', 'changed', 'click', true],
  ['none-observed', 'navigated', 'click', false],
  ['opened', 'changed', 'click', false],
  [undefined, 'changed', 'press', true],
] as const)('effectFits(%s, %s, %s) returns %s', (was, now, method, fits) => {
  expect(effectFits(was, now, method)).toBe(fits);
});

it.each([
  ['Add the cheapest mug', 'cheapest'],
  ['Book a flight before 10:30', 'before 10'],
  ['Unless the box is ticked, tick it', 'unless'],
  ['Delete every message', 'every'],
  ['Open the last order', 'last'],
  ['Lösche alle Nachrichten', 'alle'],
  ['Wait until it is ready, then save', undefined],
  ['Press "Save all" and go on', undefined],
  ['Enter %last% as the name', undefined],
  ['Enter %übrige.alle% as the name', undefined],
  ['Take 50% off the last%', 'last'],
  ['Press „Lösche alle“ and 『delete all』', undefined],
])('finds in the task %j the page-dependent words %j', (instruction, words) => {
  expect(dependenceOf({ instruction, variables }, [])).toBe(words);
});

describe('script code', () => {
  const literals = new Literals(['who', 'first-name', '2fa', 'straße.nr', 'e4'], () => undefined);

  it.each([
    ['Save', "'Save'"],
    ['it\'s "so" \\ \n', "'it\\'s \"so\" \\\\ \\n'"],
    ['%who%', 'variables.who'],
    ['%first-name%', "variables['first-name']"],
    ['Dear %who%, `${you}` \\', '`Dear ${variables.who}, \\`\\${you}\\` \\\\`'],
    ['Dear %who%,\n\tso long \n', '`Dear ${variables.who},\\n\\tso long \\n`'],
    ['100%other%', "'100%other%'"],
    ['100%%who%', '`100%${variables.who}`'],
    ['%other%who%', '`%other${variables.who}`'],
    ['%2fa%', "variables['2fa']"],
    ['%straße.nr%', "variables['straße.nr']"],
    ['%e4%f6', '`${variables.e4}f6`'],
    ['%E4%F6 100%', "'%E4%F6 100%'"],
  ])('writes the text %j as %s', (text, code) => {
    expect(literals.text(text)).toBe(code);
  });

  it('quotes any text as a literal of the same value', () => {
    for (const text of ["a'b", 'a"b', 'a\\b', "\\'", '\\"', 'a\nb', '\u2028', '</script>'])
      expect(runInNewContext(quoted(text))).toBe(text);
  });

  it('quotes an origin with special characters in both dialects', () => {
    const origin = "http://a'+alert(1)+'b`${c}.test";
    const code = { locator: 'field', text: 'text' };
    expect(runInNewContext(`[${CHAUFFEUR.bind(code, [origin]).text}]`, { text: '' })).toEqual([
      '',
      { origins: [origin] },
    ]);
    const [, pattern = ''] = /\[(.*)\]\)\)$/.exec(PLAYWRIGHT.bind(code, [origin]).locator) ?? [];
    expect((runInNewContext(pattern) as RegExp).test(origin)).toBe(true);
  });

  it('writes each part of the task before the first step that it describes', () => {
    const comments = new TaskComments(
      'Log in with %user% and %password%, open the second order. Download its invoice, then log out.',
    );
    const before = (own: string, around = ''): readonly string[] => comments.before({ own, around });
    expect(before('click Welcome')).toEqual(['// Log in with %user% and %password%']);
    expect(before('fill User %user%')).toEqual([]);
    expect(before('fill Password %password%', 'download')).toEqual([]);
    expect(before('click Invoice')).toEqual(['// open the second order', '// Download its invoice']);
    expect(comments.rest()).toEqual(['// log out']);
  });

  it.each([
    [
      'Send it to Robin Marsh, Quay 4, Portugal, and pay with %card%',
      ['Send it to Robin Marsh, Quay 4, Portugal', 'pay with %card%'],
    ],
    ['Write "Lanterns, and books" into the note', ['Write "Lanterns, and books" into the note']],
  ])('splits the task into one comment per instruction: %s', (task, parts) => {
    expect(new TaskComments(task).rest()).toEqual(parts.map((part) => `// ${part}`));
  });

  it.each<[string, Partial<Locating>, { readonly name?: string; readonly sections?: readonly string[] }, string]>([
    [
      'has a name',
      { by: 'role', value: 'button', name: 'Save' },
      { name: 'Save' },
      `getByRole('button', { name: 'Save', exact: true }).click();`,
    ],
    [
      'is located by its URL',
      { by: 'selector', value: 'a[href="/cart"]' },
      { name: 'Cart 2' },
      `locator('a[href="/cart"]').click(); // button "Cart 2"`,
    ],
    [
      'has no name',
      { by: 'role', value: 'button', nth: 0 },
      { name: '', sections: ['Editor'] },
      `getByRole('button').first().click(); // button in "Editor"`,
    ],
    [
      'is one of several',
      { by: 'role', value: 'button', name: 'add', nth: 2 },
      { name: 'add', sections: ['Tags\n*/'] },
      `nth(2).click(); // button "add" in "Tags\\n*/"`,
    ],
  ])('identifies an element by its locator or by a comment when it %s', (_what, locating, facts, code) => {
    const fingerprint = { role: 'button', xpath: '/html[1]', sections: [], row: [], attributes: {}, ...facts };
    const step = { action: { selector: '', description: '', method: 'click', arguments: [] }, fingerprint };
    const element = { step, locating: { frames: [], ...locating } } as unknown as RecordedElement;
    const recorded = { tool: 'click', input: {}, page: 0, url: '', waited: 0, element };
    const [line] = stepCode(recorded, { dialect: CHAUFFEUR, literals, page: 'page', pageName: () => 'page' });
    expect(line?.endsWith(code), line).toBe(true);
  });

  it('writes no new comment until another part of the task matches better', () => {
    const comments = new TaskComments('Put the kettle and the sand mug into the cart, then remove the kettle');
    const before = (own: string, around = ''): readonly string[] => comments.before({ own, around });
    expect(before('click Add to cart', 'Gooseneck kettle')).toHaveLength(1);
    expect(before('click Add to cart', 'Harbour mug, sand')).toEqual([]);
    expect(before('click Remove Gooseneck kettle')).toEqual(['// remove the kettle']);
  });
});
