import { expect, it } from 'vitest';
import { quotedTexts, withoutQuotes } from './quotes.ts';

it.each([
  ['click "Save" and \'Store\'', ['Save', 'Store']],
  ['click “Save” or ‘Store’', ['Save', 'Store']],
  ['Klicke auf „Speichern“ und ‚Neu‘', ['Speichern', 'Neu']],
  ['Klicke auf „Speichern" und »Neu«', ['Speichern', 'Neu']],
  ['cliquez sur « Enregistrer » puis ‹Oui›', [' Enregistrer ', 'Oui']],
  ['klicka på ”Spara”', ['Spara']],
  ['「保存」と『新規』を押す', ['保存', '新規']],
  ['点击《保存》', ['保存']],
  ['run `npm test`', ['npm test']],
  ["click 'Don't save'", ["Don't save"]],
  ['click ‘Don’t save’', ['Don’t save']],
  ["the users' list and Ada's name", []],
  ['type "a „b“ c"', ['a „b“ c']],
  ['say “a "b" c”', ['a "b" c']],
  ['type ""', ['']],
  ['an unclosed "quotation', []],
])('finds the quotations in %j: %j', (text, quoted) => {
  expect(quotedTexts(text).map(({ inner }) => inner)).toEqual(quoted);
  for (const { start, end, inner } of quotedTexts(text)) expect(text.slice(start + 1, end - 1)).toBe(inner);
});

it('replaces each quotation with a space', () => {
  expect(withoutQuotes('click "Save all" now')).toBe('click   now');
});
