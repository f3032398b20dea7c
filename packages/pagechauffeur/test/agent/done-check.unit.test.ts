import { describe, expect, it } from 'vitest';
import { DoneCheck, type ClaimContext, type ShownText } from '../../src/agent/done-check.ts';
import type { CompletedCall } from '../../src/agent/run-calls.ts';
import type { ToolOutcome } from '../../src/tools/tool-outcome.ts';

function shop(text: string, title = 'Shop'): ShownText {
  return { heading: `page "${title}" https://shop.example/`, text };
}

const QUIET: ClaimContext = {
  seen: { kind: 'same', text: '' },
  before: shop('Cart: 1 mug'),
  now: shop('Cart: 1 mug'),
  lastAction: undefined,
  sameStep: [],
  whole: () => Promise.resolve('Cart: 1 mug\n… row "Order 4711"'),
  mask: (text) => text.replaceAll('Ada', '%who%'),
};

function claim(...evidence: string[]): { success: true; message: string; evidence: string[] } {
  return { success: true, message: 'It is done.', evidence };
}

function action(outcome: Partial<ToolOutcome>): CompletedCall {
  const call = { id: 'a', tool: 'click', input: {} };
  return { call, calledAs: 'click', tool: undefined, isSkipped: false, url: '', outcome: { text: '', ...outcome } };
}

const BORNE_OUT = { objection: undefined, isSupported: true };

describe('DoneCheck.judge()', () => {
  it('accepts a claim when nothing on the page contradicts it', async () => {
    expect(await new DoneCheck().judge(claim(), QUIET)).toEqual(BORNE_OUT);
    const worked = { ...QUIET, lastAction: action({ effect: 'none-observed' }) };
    expect(await new DoneCheck().judge(claim(), worked)).toEqual(BORNE_OUT);
  });

  it('questions a claim after a page change, but ignores clocks, removed toasts and tooltips', async () => {
    const changed: ClaimContext = { ...QUIET, seen: { kind: 'changes', text: '*' }, now: shop('Cart: empty') };
    expect(await new DoneCheck().judge(claim(), changed)).toMatchObject({
      objection: expect.stringMatching(/^Not accepted yet\. The page has changed since you last saw it\./),
      isSupported: true,
      isOnlyStaleView: true,
    });
    const clock: ClaimContext = {
      ...QUIET,
      seen: { kind: 'changes', text: '*' },
      before: shop('It is 10:09'),
      now: shop('It is 10:10'),
    };
    expect(await new DoneCheck().judge(claim(), clock)).toEqual(BORNE_OUT);
    const toast: ClaimContext = {
      ...QUIET,
      seen: { kind: 'changes', text: '' },
      before: shop('Cart: 1 mug\nstatus "Added"\nbutton "Pay"'),
      now: shop('Cart: 1 mug\nbutton "Pay"'),
    };
    expect(await new DoneCheck().judge(claim(), toast)).toEqual(BORNE_OUT);
    const explained = {
      ...toast,
      before: shop('Cart: 1 mug\nbutton "Pay"'),
      now: shop('Cart: 1 mug\ntooltip "By card"\nbutton "Pay"'),
    };
    expect(await new DoneCheck().judge(claim(), explained)).toEqual(BORNE_OUT);
    const explainedLast = { ...toast, now: shop('Cart: 1 mug\nbutton "Pay"\ntooltip "By card"') };
    expect(await new DoneCheck().judge(claim(), explainedLast)).toEqual(BORNE_OUT);
    const moved = { ...toast, now: shop('button "Pay"\nCart: 1 mug') };
    expect((await new DoneCheck().judge(claim(), moved)).objection).toContain('has changed');
  });

  it('questions a claim after a failed action, and supports it only with evidence', async () => {
    const failed: ClaimContext = { ...QUIET, lastAction: action({ isError: true }) };
    expect(await new DoneCheck().judge(claim(), failed)).toMatchObject({
      objection: expect.stringContaining('Your last action, click, failed.'),
      isSupported: false,
    });
    expect(await new DoneCheck().judge(claim('1 mug'), failed)).toMatchObject({ isSupported: true });
  });

  it('questions a claim in the same step as a click that did not change the page text', async () => {
    const form = 'e1 textbox "Name" = ""\ne2 checkbox "Terms" unchecked\ne3 button "Send"';
    const click = (ref: string, more: Partial<ToolOutcome> = {}): CompletedCall => ({
      ...action({ effect: 'changed', ...more }),
      call: { id: 'b', tool: 'click', input: { ref } },
    });
    const after = (lastAction: CompletedCall, now: string): ClaimContext => {
      const filled = { ...action({ effect: 'changed' }), call: { id: 'a', tool: 'fill', input: { ref: 'e1' } } };
      return { ...QUIET, before: shop(form), now: shop(now), lastAction, sameStep: [filled, lastAction] };
    };
    const sent = form.replace('= ""', '= "Ada"').replace('"Send"', '"Send" focused');
    const wave = await new DoneCheck().judge(claim(), after(click('e3'), sent));
    expect(wave).toMatchObject({ objection: expect.stringContaining('did not change the text of the page') });
    const ticked = form.replace('unchecked', 'checked');
    expect(await new DoneCheck().judge(claim(), after(click('e2'), ticked))).toEqual(BORNE_OUT);
    expect(await new DoneCheck().judge(claim(), after(click('e3', { quoted: 'Sent' }), sent))).toEqual(BORNE_OUT);
  });

  it('accepts a claim when its own action changed one element of a longer row', async () => {
    const row = (state: string): string =>
      `table "Users"\n row | e7 checkbox "Select" ${state} | Ada | e8 button "Role"`;
    const tick = { ...action({ effect: 'changed' }), call: { id: 'a', tool: 'check', input: { ref: 'e7' } } };
    const page: ClaimContext = {
      ...QUIET,
      seen: { kind: 'changes', text: '~' },
      before: shop(row('unchecked')),
      now: shop(row('checked')),
      lastAction: tick,
      sameStep: [tick],
    };
    expect(await new DoneCheck().judge(claim(), page)).toEqual(BORNE_OUT);
    const other = { ...page, now: shop(row('checked').replace('Ada', 'Bob')) };
    expect((await new DoneCheck().judge(claim(), other)).objection).toContain('has changed');
  });

  it('questions a claim in the same step as an action with effect `none-observed`', async () => {
    const lastAction = action({ effect: 'none-observed' });
    const idle: ClaimContext = { ...QUIET, lastAction, sameStep: [lastAction] };
    expect((await new DoneCheck().judge(claim(), idle)).objection).toContain('had no observed effect');
  });

  it.each([
    ['matches page text in another case', 'cart: 1 MUG'],
    ['matches earlier page text without its punctuation', 'Total 12'],
    ['is in a folded part of the page', 'Order 4711'],
    ['contains a variable placeholder', 'Hello %who%'],
    ['contains a variable value', 'Hello Ada'],
    ['matches the page title', 'Page "Shop"'],
    ['differs from page text in spaces and quotes', '“Cart”:  1\u00a0mug'],
    ['is only a symbol', '✓'],
    ['contains a line break', 'Total: 12\nPaid'],
    ['matches part of a tool result', 'count: 3'],
    ['repeats a tool input together with its result', '{"article":"mug","count":3}'],
  ])('accepts evidence that %s', async (_where, evidence) => {
    const check = new DoneCheck();
    check.noteShown('- Hello, Ada! ✓ Total: 12\\nPaid');
    check.read('{"article":"mug","count":3}', '{"article":"mug"}');
    expect(await check.judge(claim(evidence), QUIET)).toEqual(BORNE_OUT);
  });

  it('rejects evidence that a tool result only repeats from the tool input', async () => {
    const check = new DoneCheck();
    check.read('Nothing says "Order confirmed".', '{"words":"Order confirmed"}');
    expect((await check.judge(claim('order confirmed'), QUIET)).objection).toContain('Not found');
  });

  it.each([
    ['a symbol', '✗'],
    ['words', 'Order confirmed'],
  ])('rejects evidence that no page shows: %s', async (_what, evidence) => {
    expect((await new DoneCheck().judge(claim(evidence), QUIET)).objection).toContain('Not found');
  });

  it('rejects a claim when one of two pieces of evidence is missing, and names it', async () => {
    expect(await new DoneCheck().judge(claim('1 mug', 'Order confirmed'), QUIET)).toMatchObject({
      objection: expect.stringContaining('Not found: "Order confirmed".'),
      isSupported: false,
    });
  });
});

it('accepts a claim of failure', async () => {
  const changed: ClaimContext = { ...QUIET, seen: { kind: 'page', text: 'new' }, now: shop('other') };
  const verdict = await new DoneCheck().judge({ success: false, message: 'No such mug.', evidence: ['none'] }, changed);
  expect(verdict).toEqual({ objection: undefined, isSupported: false });
});

describe('DoneCheck.judge() in the same step as an action', () => {
  const fill = { ...action({ effect: 'changed' }), call: { id: 'a', tool: 'fill', input: { ref: 'e1', text: 'Ada' } } };
  const send = { ...action({ effect: 'changed' }), call: { id: 'b', tool: 'click', input: { ref: 'e2' } } };
  const sent: ClaimContext = {
    ...QUIET,
    seen: { kind: 'changes', text: '~' },
    before: shop('e1 textbox "Name"\ne2 button "Send"\n- Welcome'),
    now: shop('e1 textbox "Name" = "Ada"\ne2 button "Send"\n- Thank you'),
    lastAction: send,
    sameStep: [fill, send],
  };

  it('accepts a claim when the actions changed only their own elements', async () => {
    const now = shop('e1 textbox "Name" = "Ada"\ne2 button "Send"\n- Welcome');
    const filled: ClaimContext = { ...sent, now, lastAction: fill, sameStep: [fill] };
    expect(await new DoneCheck().judge(claim(), filled)).toEqual(BORNE_OUT);
    const other: ClaimContext = { ...filled, sameStep: [send], lastAction: send };
    expect((await new DoneCheck().judge(claim(), other)).objection).toContain('has changed');
  });

  it('accepts evidence that appeared with the actions', async () => {
    expect(await new DoneCheck().judge(claim('thank you'), sent)).toEqual(BORNE_OUT);
    const titled = { ...sent, now: shop(sent.before.text, 'Done') };
    expect(await new DoneCheck().judge(claim('page "Done"'), titled)).toEqual(BORNE_OUT);
  });

  it('accepts a selected option that the button over the list also shows', async () => {
    const before = shop('e1 button "Red"\ne2 combobox = "Red" options "Red", "Dark red"');
    const now = shop('e1 button "Dark red"\ne2 combobox = "Dark red" options "Red", "Dark red"');
    const input = { ref: 'e2', options: ['Dark red'] };
    const chosen = { ...action({ effect: 'changed' }), call: { id: 'a', tool: 'select', input } };
    const page: ClaimContext = { ...sent, before, now, lastAction: chosen, sameStep: [chosen] };
    expect(await new DoneCheck().judge(claim('e2 combobox = "Dark red"'), page)).toEqual(BORNE_OUT);
    const more = { ...page, now: shop(`${now.text}\n- Sold out`) };
    expect((await new DoneCheck().judge(claim('e2 combobox = "Dark red"'), more)).objection).toContain('has changed');
  });

  it.each([
    ['list item', 'list\n listitem\n  - Ada\n- 1 guest', /^$/],
    ['table cell', 'row | Ada | 7', /^$/],
    ['part of a message', '- Ada is no guest', /has changed/],
    ['listbox option', 'listbox\n e9 option "Ada"', /has changed/],
    ['list item beside an invalid field', '- Ada\ne1 textbox "Name" invalid', /has changed/],
    ['list item beside an alert', '- Ada\nalert\n - Not allowed', /has changed/],
  ])('accepts typed text as evidence only on a separate line without errors: %s', async (_what, came, objection) => {
    const page: ClaimContext = { ...sent, now: shop(`e1 textbox "Name"\ne2 button "Send"\n- Welcome\n${came}`) };
    const verdict = await new DoneCheck().judge(claim('Ada'), page);
    expect(verdict.objection ?? '').toMatch(objection);
  });

  it('accepts a pressed button when another one of its group is released', async () => {
    const before = shop('e1 button "All" pressed\ne2 button "Blue"');
    const pressed = { ...action({ effect: 'changed' }), call: { id: 'a', tool: 'click', input: { ref: 'e2' } } };
    const now = shop('e1 button "All"\ne2 button "Blue" pressed');
    const page: ClaimContext = { ...sent, before, now, lastAction: pressed, sameStep: [pressed] };
    expect(await new DoneCheck().judge(claim('button "Blue" pressed'), page)).toEqual(BORNE_OUT);
  });

  it('accepts evidence that the URL contains in percent-encoded form', async () => {
    const now = { heading: 'page "Shop" https://shop.example/?mail=eve%40shop.example&a=%zz', text: sent.now.text };
    expect(await new DoneCheck().judge(claim('eve@shop.example'), { ...sent, now })).toEqual(BORNE_OUT);
  });

  it.each([
    ['missing', []],
    ['text from before the actions', ['button "Send"']],
    ['typed text', ['Ada']],
    ['partly absent from the page', ['Thank you', 'Order 12']],
  ])('questions a claim when its evidence is %s', async (_what, evidence) => {
    expect((await new DoneCheck().judge(claim(...evidence), sent)).objection).toMatch(
      /has changed since you last saw it/,
    );
  });
});
