import { describe, expect, test } from 'vitest';
import { firstClause } from '../../src/offline/grammar/first-clause.ts';
import { findOrdinal } from '../../src/offline/grammar/ordinal.ts';
import { healingReadings, readInstruction } from '../../src/offline/grammar/read-instruction.ts';
import type { Intent, Reading } from '../../src/offline/grammar/reading.ts';

function reading(instruction: string, intent: Intent): Reading {
  const found = readInstruction(instruction, []).find((one) => one.intent === intent);
  if (!found) throw new TypeError(`${instruction} was not read as ${intent}`);
  return found;
}

/** The words that identify the target, heaviest class only. */
function telling({ target }: Reading): readonly string[] {
  return target.words.filter(({ weight }) => weight >= 0.7).map(({ stem }) => stem);
}

describe('firstClause()', () => {
  test.each([
    ['please click Save', 'click Save'],
    ['Could you please open the menu?', 'open the menu?'],
    ['type hello in the box and press Enter', 'type hello in the box'],
    ['open the cart, then check out', 'open the cart'],
    ['I want to delete the draft.', 'delete the draft'],
    ['read and accept the terms and conditions', 'read and accept the terms and conditions'],
  ])('reduces "%s" to "%s"', (sentence, step) => {
    expect(firstClause(sentence)).toBe(step);
  });
});

describe('value of an instruction', () => {
  test.each([
    ['type hello world into the search box', 'hello world'],
    ['enter %username% in the user name field', '%username%'],
    ["fill the first name with 'Ada'", 'Ada'],
    ['set quantity to 3', '3'],
    ['change the title to "From A to B"', 'From A to B'],
    ['write a comment: Well done!', 'Well done!'],
  ])('reads from "%s" the text "%s"', (sentence, value) => {
    expect(reading(sentence, 'write').value).toBe(value);
  });

  test('reads the search text', () => {
    expect(reading('search for blue mug', 'search').value).toBe('blue mug');
  });

  test.each([
    ['choose Germany from the country dropdown', 'Germany'],
    ["select 'Large' as size", 'Large'],
    ['set the language to Deutsch', 'Deutsch'],
  ])('reads from "%s" the option "%s"', (sentence, value) => {
    expect(reading(sentence, 'choose').value).toBe(value);
  });

  test('does not parse quoted text as grammar', () => {
    expect(reading('click "Log in to the shop"', 'use').target.quoted).toEqual(['login to the shop']);
  });
});

describe('intent of an instruction', () => {
  test.each<[string, Intent]>([
    ['double-click the card', 'doubleClick'],
    ['right click on the file', 'rightClick'],
    ['hover over the menu', 'hover'],
    ['press Enter in the search field', 'press'],
    ['untick the box', 'uncheck'],
    ['turn on dark mode', 'check'],
    ['drag the card to Done', 'drag'],
    ['upload cv.pdf as the attachment', 'upload'],
    ['scroll down', 'scrollPage'],
    ['scroll to the comments', 'scrollTo'],
    ['clear the search field', 'clear'],
  ])('reads "%s" as %s', (sentence, intent) => {
    expect(readInstruction(sentence, []).map((one) => one.intent)).toContain(intent);
  });

  test('reads method, arguments and description of a heal intent, and rejects `nextChunk`', () => {
    const description = 'textbox "First name"';
    expect(healingReadings({ kind: 'heal', method: 'fill', arguments: ['click on: x'], description })).toMatchObject([
      { intent: 'write', value: 'click on: x', target: { quoted: ['firstname'] } },
    ]);
    expect(healingReadings({ kind: 'heal', method: 'nextChunk', arguments: [], description })).toEqual([]);
  });
});

describe('target of an instruction', () => {
  test('marks the verb, or the name of the control, as the head word', () => {
    const head = reading('delete the order of Acme', 'use').target.words.find(({ isHead }) => isHead);
    expect(head?.stem).toBe('delet');
    expect(
      reading('click the Save button', 'use').target.words.some(({ isHead, stem }) => isHead && stem === 'sav'),
    ).toBe(true);
  });

  test('reads "link" as a role', () => {
    expect(reading('click the third link', 'use').target.roles?.has('link')).toBe(true);
  });

  test('places the words after "next to" around the element', () => {
    const around = reading('tick the checkbox next to Initech', 'check').target.words.filter(
      ({ place }) => place === 'around',
    );
    expect(around.map(({ stem }) => stem)).toContain('initech');
  });

  test('places the words of a leading location around the element', () => {
    const words = reading('in the billing address, click Edit', 'use').target.words;
    expect(words.filter(({ place }) => place === 'around').map(({ stem }) => stem)).toContain('bill');
  });

  test('ignores courtesies and function words', () => {
    expect(telling(reading('please go to the pricing page', 'use'))).toEqual(['pric']);
  });

  test('takes the field name from the variable when the instruction has none', () => {
    const readings = readInstruction('type %apiKey%', [{ name: 'apiKey', description: 'secret of the service' }]);
    const write = readings.find(({ intent }) => intent === 'write');
    expect(write?.target.words.map(({ stem }) => stem)).toContain('api');
  });
});

describe('findOrdinal()', () => {
  test.each([
    ['the second row', 2],
    ['the 5th row', 5],
    ['the last item', -1],
    ['the row', undefined],
    ['the song Last Exit', undefined],
  ])('reads "%s" as position %s', (phrase, position) => {
    expect(findOrdinal(phrase)?.position).toBe(position);
  });
});
