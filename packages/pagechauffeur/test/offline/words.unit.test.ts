import { describe, expect, test } from 'vitest';
import { similarity } from '../../src/offline/text/concepts.ts';
import { foldText, stemsOf } from '../../src/offline/text/words.ts';
import { stem } from '../../src/offline/text/stem.ts';

describe('words', () => {
  test('forms of a word have one stem', () => {
    expect(new Set(['save', 'saves', 'saved', 'saving'].map(stem)).size).toBe(1);
    expect(stem('automatically')).toBe(stem('automatic'));
    expect(stem('categories')).toBe(stem('category'));
    expect(stem('payments')).toBe(stem('pay'));
  });

  test('short words and numbers keep their form', () => {
    expect(['bus', 'is', 'q3'].map(stem)).toEqual(['bus', 'is', 'q3']);
    expect(stemsOf('1,250.00 items')).toEqual(['1250.00', stem('items')]);
  });

  test('what people write as one word or two is one word', () => {
    expect(stemsOf('Log in')).toEqual(stemsOf('login'));
    expect(stemsOf('e-mail')).toEqual(stemsOf('email'));
    expect(stemsOf('shopping cart')).toEqual(stemsOf('cart'));
  });

  test('case, accents and apostrophes do not count', () => {
    expect(foldText('Ärger’s  CAFÉ')).toBe('arger cafe');
  });

  test('words that objects inherit are words', () => {
    expect(foldText('constructor toString __proto__')).toBe('constructor tostring proto');
    expect(foldText('constructor')).toBe('constructor');
  });

  test('signs on icon buttons are words', () => {
    expect(stemsOf('×')).toEqual(stemsOf('close'));
    expect(stemsOf('🗑')).toEqual(stemsOf('delete'));
    expect(stemsOf('+')).toEqual(stemsOf('plus'));
  });
});

describe('similarity', () => {
  const alike = (left: string, right: string): number => similarity(stem(left), stem(right));

  test('is 1 for one word and 0 for two', () => {
    expect(alike('order', 'orders')).toBe(1);
    expect(alike('order', 'border')).toBe(0);
  });

  test('knows words of one meaning', () => {
    expect(alike('basket', 'cart')).toBeGreaterThan(0.8);
    expect(alike('remove', 'delete')).toBeGreaterThan(0.8);
    expect(alike('signin', 'login')).toBeGreaterThan(0.8);
  });

  test('sees a common beginning', () => {
    expect(alike('invite', 'invitation')).toBeGreaterThan(0.5);
    expect(alike('contact', 'contract')).toBe(0);
  });
});
