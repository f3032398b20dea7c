import { describe, expect, it } from 'vitest';
import { decodeWireText, type LongTexts } from '../../src/cdp/wire-text.ts';
import { toWireText, toWireTextSince } from '../../src/injected/wire-text.ts';

const LINE = 'e7 link "C:\\temp – 北京 🙂" #3\n';
const LONG = LINE.repeat(400);

function decoded(wire: string | undefined, held?: LongTexts): { value: unknown; texts: LongTexts } {
  return decodeWireText(wire ?? '', held);
}

describe('answer of the injected script', () => {
  it.each([
    ['short strings', { title: 'a "b"\nc', text: LINE }],
    ['long strings', { title: LINE, text: LONG, urls: LONG }],
    ['a list', [LONG, LINE]],
    ['no value', null],
  ])('is decoded to the same value: %s', (_what, value) => {
    expect(decoded(toWireText(value)).value).toEqual(value);
    expect(decoded(toWireTextSince(value, 1, undefined)).value).toEqual(value);
  });
});

const changes: readonly (readonly [what: string, before: string, after: string])[] = [
  ['nothing', LONG, LONG],
  ['the middle', LONG, `${LONG.slice(0, 5000)}new${LONG.slice(5000)}`],
  ['the start', LONG, `new${LONG}`],
  ['the end', LONG, `${LONG}new`],
  ['a part that repeats what is around it', LONG, LONG + LINE],
  ['a part that is removed', LONG, LONG.slice(0, 3000) + LONG.slice(3000 + 10 * LINE.length)],
  ['half of a surrogate pair', `${LONG}🙂${LONG}`, `${LONG}🙃${LONG}`],
];

describe('answer after another one', () => {
  it.each(changes)('contains only what differs: %s', (_what, before, after) => {
    const { texts } = decoded(toWireTextSince({ text: before, urls: LONG }, 1, undefined));
    const wire = toWireTextSince({ text: after, urls: LONG }, 2, 1) ?? '';
    expect(wire.length).toBeLessThan(400);
    expect(decoded(wire, texts).value).toEqual({ text: after, urls: LONG });
  });

  it('is whole if the driver holds another one than the page', () => {
    toWireTextSince({ text: LONG }, 3, undefined);
    expect(decoded(toWireTextSince({ text: `${LONG}new` }, 4, 1)).value).toEqual({ text: `${LONG}new` });
  });

  it('is correct when long strings come and go', () => {
    const answers = [{ text: LONG }, { text: 'short' }, { text: LONG, urls: LONG }, { urls: LINE }, { urls: LONG }];
    let held: LongTexts | undefined;
    for (const [index, answer] of answers.entries()) {
      const { value, texts } = decoded(toWireTextSince(answer, 11 + index, 10 + index), held);
      expect(value).toEqual(answer);
      held = texts;
    }
  });
});
