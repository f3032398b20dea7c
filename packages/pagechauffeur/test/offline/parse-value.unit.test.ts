import { describe, expect, test } from 'vitest';
import { findDate, moneyIn, parseNumber, parseYesNo } from '../../src/offline/extract/parse-value.ts';

describe('parseNumber()', () => {
  test.each([
    ['$1,250.00', 1250],
    ['1.250,50 €', 1250.5],
    ['12,5 kg', 12.5],
    ['1,240 results', 1240],
    ['−3 °C', -3],
    ["CHF 1'024.99", 1024.99],
    ['12k followers', 12_000],
    ['12 %', 12],
  ])('parses "%s" as %s', (text, number) => {
    expect(parseNumber(text)).toBe(number);
  });

  test('returns undefined for text without a number', () => {
    expect(parseNumber('none')).toBeUndefined();
  });
});

describe('findDate()', () => {
  test.each([
    ['on 2026-05-04', '2026-05-04'],
    ['4 May 2026', '2026-05-04'],
    ['May 4th, 2026', '2026-05-04'],
    ['04.05.2026', '2026-05-04'],
  ])('parses "%s" as %s', (text, iso) => {
    expect(findDate(text)?.iso).toBe(iso);
  });

  test('returns undefined for an ambiguous date', () => {
    expect(findDate('04/05/2026')).toBeUndefined();
  });
});

test('moneyIn() returns amounts with a currency and ignores other numbers', () => {
  expect(moneyIn('300 ml for $18.00')).toEqual(['$18.00']);
  expect(moneyIn('from 20 EUR')).toEqual(['20 EUR']);
  expect(moneyIn('300 ml')).toEqual([]);
});

test('parseYesNo() recognizes several forms of yes and no', () => {
  expect(['Yes', '✓', 'enabled'].map(parseYesNo)).toEqual([true, true, true]);
  expect(['no', '✗', '–'].map(parseYesNo)).toEqual([false, false, false]);
  expect(parseYesNo('perhaps')).toBeUndefined();
});
