import { expect, test } from 'vitest';
import type { Fingerprint } from '../injected/contract.ts';
import { ValueMask } from '../util/value-mask.ts';
import { maskedFingerprint } from './stored-step.ts';

const FINGERPRINT = { attributes: {}, title: '', column: '', name: 'Continue' };

test('masks a value that adjacent strings around an element spell together', () => {
  const mask = new ValueMask();
  mask.learn('code', '482913');
  mask.learn('phrase', 'correct horse battery staple');
  const texts = {
    sections: ['482', '913'],
    row: ['Total', ...'482913', 'in\nall'],
    surroundings: [
      ['Hello', 'correct horse', 'battery staple', 'the code is 482913'],
      ['482', 'mugs', '914'],
    ],
  };
  const fingerprint = { ...FINGERPRINT, ...texts } as unknown as Fingerprint;
  expect(maskedFingerprint(fingerprint, (text) => mask.mask(text))).toMatchObject({
    sections: ['%code%', '%code%'],
    row: ['Total', ...Array.from({ length: 6 }, () => '%code%'), 'in\nall'],
    surroundings: [
      ['Hello', '%phrase%', '%phrase%', 'the code is %code%'],
      ['482', 'mugs', '914'],
    ],
  });
});
