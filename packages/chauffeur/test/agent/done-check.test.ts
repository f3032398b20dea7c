import { describe, expect, it } from 'vitest';
import { DoneCheck, type PageThen } from '../../src/agent/done-check.ts';
import type { CarriedOut } from '../../src/agent/run-calls.ts';
import type { ToolOutcome } from '../../src/tools/tool-outcome.ts';

const QUIET: PageThen = {
  seen: { kind: 'same', text: '' },
  before: 'Cart: 1 mug',
  now: 'Cart: 1 mug',
  lastDeed: undefined,
  isSameStep: false,
  whole: () => Promise.resolve('Cart: 1 mug\n… row "Order 4711"'),
  mask: (text) => text.replaceAll('Ada', '%who%'),
};

function claim(...evidence: string[]): { success: true; message: string; evidence: string[] } {
  return { success: true, message: 'It is done.', evidence };
}

function deed(outcome: Partial<ToolOutcome>): CarriedOut {
  const call = { id: 'a', tool: 'click', input: {} };
  return { call, tool: undefined, isSkipped: false, url: '', outcome: { text: '', ...outcome } };
}

const BORNE_OUT = { objection: undefined, isBorneOut: true };

describe('a claim of success', () => {
  it('is accepted when nothing speaks against it', async () => {
    expect(await new DoneCheck().judge(claim(), QUIET)).toEqual(BORNE_OUT);
    const worked = { ...QUIET, lastDeed: deed({ effect: 'none-observed' }) };
    expect(await new DoneCheck().judge(claim(), worked)).toEqual(BORNE_OUT);
  });

  it('is questioned when the page has changed since it was seen, but for numbers that run, messages that go away and tooltips', async () => {
    const changed: PageThen = { ...QUIET, seen: { kind: 'changes', text: '*' }, now: 'Cart: empty' };
    expect(await new DoneCheck().judge(claim(), changed)).toEqual({
      objection: expect.stringMatching(/^Not accepted yet\. The page has changed since you saw it last\./),
      isBorneOut: true,
    });
    const clock: PageThen = {
      ...QUIET,
      seen: { kind: 'changes', text: '*' },
      before: 'It is 10:09',
      now: 'It is 10:10',
    };
    expect(await new DoneCheck().judge(claim(), clock)).toEqual(BORNE_OUT);
    const toast: PageThen = {
      ...QUIET,
      seen: { kind: 'changes', text: '' },
      before: 'Cart: 1 mug\nstatus "Added"\nbutton "Pay"',
      now: 'Cart: 1 mug\nbutton "Pay"',
    };
    expect(await new DoneCheck().judge(claim(), toast)).toEqual(BORNE_OUT);
    const explained = {
      ...toast,
      before: 'Cart: 1 mug\nbutton "Pay"',
      now: 'Cart: 1 mug\ntooltip "By card"\nbutton "Pay"',
    };
    expect(await new DoneCheck().judge(claim(), explained)).toEqual(BORNE_OUT);
    const explainedLast = { ...toast, now: 'Cart: 1 mug\nbutton "Pay"\ntooltip "By card"' };
    expect(await new DoneCheck().judge(claim(), explainedLast)).toEqual(BORNE_OUT);
    const moved = { ...toast, now: 'button "Pay"\nCart: 1 mug' };
    expect((await new DoneCheck().judge(claim(), moved)).objection).toContain('has changed');
  });

  it('is questioned after a deed that failed, and needs evidence then', async () => {
    const failed: PageThen = { ...QUIET, lastDeed: deed({ isError: true }) };
    expect(await new DoneCheck().judge(claim(), failed)).toEqual({
      objection: expect.stringContaining('The last thing that you did, click, failed.'),
      isBorneOut: false,
    });
    expect(await new DoneCheck().judge(claim('1 mug'), failed)).toMatchObject({ isBorneOut: true });
  });

  it('is questioned in the same step as a deed that did nothing', async () => {
    const idle: PageThen = { ...QUIET, lastDeed: deed({ effect: 'none-observed' }), isSameStep: true };
    expect((await new DoneCheck().judge(claim(), idle)).objection).toContain('changed nothing that was observed');
  });

  it.each([
    ['stands in the page', 'cart: 1 MUG'],
    ['stands in what was read before', 'Total 12'],
    ['is folded away in the page', 'Order 4711'],
    ['names a value by its placeholder', 'Hello %who%'],
    ['names a value itself', 'Hello Ada'],
  ])('is accepted with evidence that %s', async (_where, evidence) => {
    const check = new DoneCheck();
    check.tell('- Hello, Ada! Total: 12');
    expect(await check.judge(claim(evidence), QUIET)).toEqual(BORNE_OUT);
  });

  it('is not borne out by evidence that stands nowhere', async () => {
    expect(await new DoneCheck().judge(claim('1 mug', 'Order confirmed'), QUIET)).toEqual({
      objection: expect.stringContaining('It stands nowhere: "Order confirmed".'),
      isBorneOut: false,
    });
  });
});

it('a claim of failure is believed', async () => {
  const changed: PageThen = { ...QUIET, seen: { kind: 'page', text: 'new' }, now: 'other' };
  const verdict = await new DoneCheck().judge({ success: false, message: 'No such mug.', evidence: ['none'] }, changed);
  expect(verdict).toEqual({ objection: undefined, isBorneOut: false });
});
