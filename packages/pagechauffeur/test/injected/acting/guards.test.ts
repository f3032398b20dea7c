import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProgramPage } from '../program-page.ts';

let page: ProgramPage;
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

const VEILED = `<button id="a">First</button><button id="b">Second</button><p id="veil" style="display:none;position:fixed;inset:0">Veil</p>
  <script>window.clicks = []; addEventListener('click', ({ target }) => clicks.push(target.id))</script>`;

async function lowerVeil(): Promise<void> {
  await page.evaluate(`document.getElementById('veil').style.display = 'block'`);
}

describe('input guard of an action', () => {
  test.each([
    ['a settle() call without an action', () => page.settle({ owner: undefined, eventTimeout: 0 })],
    ['disarm() of another action', () => page.call('disarm', page.owner.token + 1000)],
    ['restOtherFrame()', () => page.call('restOtherFrame')],
    ['awaitReady() for another element', () => page.call('awaitReady', { selector: '#b' }, waiting())],
  ])('blocks a misdirected click after %s', async (_what, other) => {
    await page.show(VEILED);
    const { rootPoint } = await page.ready('#a', 'click');
    await other();
    await lowerVeil();
    const [report] = await Promise.all([page.settle({ eventTimeout: 10_000 }), page.pressAt(rootPoint)]);
    expect(report).toMatchObject({ delivered: false, misdirected: '<p#veil>' });
    expect(await page.evaluate('clicks')).toEqual([]);
  });

  test('blocks a misdirected click after an earlier settle() call without an action ends', async () => {
    await page.show(VEILED);
    const world = await page.world();
    // A document that is loading is not quiet.
    const change = setInterval(() => void page.evaluate(`document.body.append('more ')`), 20);
    const reading = world.start('settle', { timeout: 20_000, eventTimeout: 0 });
    const { rootPoint } = await page.ready('#a', 'click');
    await reading.cancel();
    await reading.result;
    clearInterval(change);
    await lowerVeil();
    const [report] = await Promise.all([page.settle({ eventTimeout: 10_000 }), page.pressAt(rootPoint)]);
    expect(report).toMatchObject({ misdirected: '<p#veil>' });
  });

  test('lets a misdirected click through after disarm() of its own action', async () => {
    await page.show(VEILED);
    const { rootPoint } = await page.ready('#a', 'click');
    await page.call('disarm', page.owner.token);
    await lowerVeil();
    await page.pressAt(rootPoint);
    expect(await page.evaluate('clicks')).toEqual(['veil']);
  });

  test('blocks a misdirected click after a nested action with its own guard', async () => {
    await page.show(VEILED);
    const outer = await page.ready('#a', 'click');
    const { owner } = page;
    const inner = await page.ready('#b', 'click', { owner: { token: owner.token + 1, within: [owner.token] } });
    const settling = { owner: { token: owner.token + 1, within: [owner.token] }, eventTimeout: 10_000 };
    const [report] = await Promise.all([page.settle(settling), page.pressAt(inner.rootPoint)]);
    expect(report).toMatchObject({ delivered: true });
    expect(await page.evaluate('clicks')).toEqual(['b']);
    await lowerVeil();
    const [late] = await Promise.all([page.settle({ owner, eventTimeout: 10_000 }), page.pressAt(outer.rootPoint)]);
    expect(late).toMatchObject({ misdirected: '<p#veil>' });
    expect(await page.evaluate('clicks')).toEqual(['b']);
  });

  test('lets clicks through once the next action is prepared', async () => {
    await page.show(VEILED);
    const first = await page.ready('#a', 'click');
    await page.ready('#b', 'focus');
    await page.pressAt(first.rootPoint);
    expect(await page.evaluate('clicks')).toEqual(['a']);
  });
});

test('reports the mutations of an action while other calls read the page', async () => {
  await page.show('<button id="a" onclick="this.after(\'clicked\')">Go</button>');
  const { rootPoint } = await page.ready('#a', 'click');
  const read = { owner: undefined, eventTimeout: 0 };
  const [report] = await Promise.all([
    page.settle({ eventTimeout: 10_000, keepsWatching: true }),
    page.pressAt(rootPoint),
    page.settle(read),
    page.settle(read),
  ]);
  expect(report).toMatchObject({ delivered: true, mutations: 1 });
  expect(await page.settle(read)).toMatchObject({ quiet: true, mutations: 1 });
});

describe('otherFrameEffects()', () => {
  test('counts the mutations since each action began', async () => {
    await page.show('<p id="p">Text</p>');
    const [outer, inner] = [
      { token: 1, within: [] },
      { token: 2, within: [1] },
    ];
    const change = (): Promise<unknown> => page.evaluate(`document.body.append(document.createElement('p'))`);
    await page.call('watchOtherFrame', outer);
    await change();
    await page.call('restOtherFrame');
    await page.call('watchOtherFrame', inner);
    await change();
    expect(await page.call('otherFrameEffects', inner.token)).toMatchObject({ mutations: 1 });
    expect(await page.call('otherFrameEffects', outer.token)).toMatchObject({ mutations: 2 });
  });
});

describe('change by keys', () => {
  test('keeps a change by keys open while another action changes a control and settle() runs', async () => {
    await page.show(`<input type="number" id="n" value="1"><select id="s"><option>A<option>B</select>
      <script>window.told = []; addEventListener('change', ({ target }) => told.push(target.id + '=' + target.value))</script>`);
    const number = await page.ready('#n', 'fill');
    const { owner } = page;
    const values = { keyboard: 'other', values: ['42'] } as const;
    const begun = await page.call('beginChange', { token: owner.token, ref: number.element.ref, ...values });
    expect(begun).toMatchObject({ kind: 'keys' });
    const within = { owner: { token: owner.token + 1, within: [owner.token] } };
    const select = await page.ready('#s', 'select', within);
    const other = { token: owner.token + 1, ref: select.element.ref, values: ['B'], keyboard: 'none' } as const;
    expect(await page.call('beginChange', other)).toEqual({ kind: 'set', values: ['B'] });
    expect(await page.call('endChange', other.token, false)).toEqual({ kind: 'stale' });
    await page.settle({ owner: undefined, eventTimeout: 0 });
    expect(await page.call('endChange', owner.token, false)).toEqual({ kind: 'set', values: ['42'] });
    expect(await page.evaluate('told')).toEqual(['s=B', 'n=42']);
  });
});

describe('awaitReady()', () => {
  test.each([
    ['a visible button', '<button id="a">Go</button>', 'click', { kind: 'maybe-ready' }],
    [
      'a button out of view',
      '<p style="height:3000px"></p><button id="a">Go</button>',
      'click',
      { kind: 'maybe-ready' },
    ],
    ['a disabled button', '<button id="a" disabled>Go</button>', 'click', { kind: 'blocked', reason: 'disabled' }],
    ['a missing element', '<p>Text</p>', 'click', { kind: 'none' }],
    ['an element that takes no text', '<p id="a">Text</p>', 'fill', { kind: 'blocked', reason: 'not-editable' }],
    [
      'a field behind a modal dialog',
      '<input id="a"><dialog id="d">Wait</dialog><script>d.showModal()</script>',
      'fill',
      { kind: 'blocked', reason: 'covered', cover: '<dialog#d>' },
    ],
  ] as const)('reports the state of %s without scrolling or moving the focus', async (_what, html, action, answer) => {
    await page.show(html);
    expect(await page.call('awaitReady', { selector: '#a' }, { ...waiting(), action })).toMatchObject(answer);
    expect(await page.evaluate(`[scrollY, document.activeElement.id]`)).toEqual([
      0,
      html.includes('<dialog') ? 'd' : '',
    ]);
  });

  test('waits for a change of the page with `mustChange`', async () => {
    await page.show('<button id="a">Go</button>');
    const options = { ...waiting(), timeout: 20_000, mustChange: true };
    const answer = page.call('awaitReady', { selector: '#a' }, options);
    await page.evaluate(`document.body.append('changed')`);
    expect(await answer).toEqual({ kind: 'maybe-ready' });
  });

  test('returns `none` when it is cancelled', async () => {
    await page.show('<p>Text</p>');
    // From then on it is known that no closed shadow root holds one.
    await page.call('resolve', { selector: '#a' });
    const world = await page.world();
    const call = world.start('awaitReady', { selector: '#a' }, { ...waiting(), timeout: 20_000 });
    await call.cancel();
    expect(await call.result).toEqual({ kind: 'none', matched: '' });
  });
});

function waiting(): { action: 'click'; timeout: number; mustChange: boolean } {
  return { action: 'click', timeout: 50, mustChange: false };
}

test.each([
  ['after settle()', {}],
  ['after settle() with `keepsWatching`', { keepsWatching: true }],
])('keeps late keys out of a field that a keydown handler focuses, %s', async (_what, options) => {
  await page.show(
    `<input id="f"><input id="loot"><script>document.querySelector('#f').onkeydown = () => document.querySelector('#loot').focus()</script>`,
  );
  await page.ready('#f', 'fill', { text: 'Ada' });
  const world = await page.world();
  const settling = {
    ...options,
    owner: page.owner,
    timeout: 2000,
    eventTimeout: 1000,
    frames: 0,
    entry: { text: 'Ada' },
  };
  // The keys are late, so the script has inserted the text without them.
  expect(await world.call('settle', settling)).not.toHaveProperty('entry');
  await page.enter('Ada');
  expect(await page.evaluate(`[document.querySelector('#f').value, document.querySelector('#loot').value]`)).toEqual([
    'Ada',
    '',
  ]);
});
