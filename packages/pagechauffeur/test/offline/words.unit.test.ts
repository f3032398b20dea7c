import { describe, expect, test } from 'vitest';
import { similarity } from '../../src/offline/text/concepts.ts';
import { foldText, stemsOf } from '../../src/offline/text/words.ts';
import { stem } from '../../src/offline/text/stem.ts';

describe('stems and folded text', () => {
  test('reduces all forms of a word to one stem', () => {
    expect(new Set(['save', 'saves', 'saved', 'saving'].map(stem)).size).toBe(1);
    expect(stem('automatically')).toBe(stem('automatic'));
    expect(stem('categories')).toBe(stem('category'));
    expect(stem('payments')).toBe(stem('pay'));
  });

  test('keeps short words and numbers unchanged', () => {
    expect(['bus', 'is', 'q3'].map(stem)).toEqual(['bus', 'is', 'q3']);
    expect(stemsOf('1,250.00 items')).toEqual(['1250.00', stem('items')]);
  });

  test('treats "log in" and "login" as the same word', () => {
    expect(stemsOf('Log in')).toEqual(stemsOf('login'));
    expect(stemsOf('e-mail')).toEqual(stemsOf('email'));
    expect(stemsOf('shopping cart')).toEqual(stemsOf('cart'));
  });

  test('ignores case, accents and apostrophes', () => {
    expect(foldText('Ärger’s  CAFÉ')).toBe('arger cafe');
  });

  test('keeps names of Object.prototype as words', () => {
    expect(foldText('constructor toString __proto__')).toBe('constructor tostring proto');
    expect(foldText('constructor')).toBe('constructor');
  });

  test('reads icon symbols as words', () => {
    expect(stemsOf('×')).toEqual(stemsOf('close'));
    expect(stemsOf('🗑')).toEqual(stemsOf('delete'));
    expect(stemsOf('+')).toEqual(stemsOf('plus'));
  });
});

describe('similarity()', () => {
  const alike = (left: string, right: string): number => similarity(stem(left), stem(right));

  test('is 1 for forms of one word and 0 for different words', () => {
    expect(alike('order', 'orders')).toBe(1);
    expect(alike('order', 'border')).toBe(0);
  });

  test('is above 0.8 for synonyms', () => {
    expect(alike('basket', 'cart')).toBeGreaterThan(0.8);
    expect(alike('remove', 'delete')).toBeGreaterThan(0.8);
    expect(alike('signin', 'login')).toBeGreaterThan(0.8);
  });

  test('is above 0.5 for "invite" and "invitation", but 0 for "contact" and "contract"', () => {
    expect(alike('invite', 'invitation')).toBeGreaterThan(0.5);
    expect(alike('contact', 'contract')).toBe(0);
  });
});
