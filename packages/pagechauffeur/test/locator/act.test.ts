import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  DriverAbortError,
  DriverClickError,
  DriverElementNotFoundError,
  DriverElementNotVisibleError,
  DriverInvalidArgumentError,
  DriverLocatorError,
  DriverTimeoutError,
  type Page,
} from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const test = useBrowser({ defaultTimeout: 15_000 });
let page: Page;

/** How long a call may wait in vain. */
const SHORT = { timeout: 300 };

beforeAll(() => {
  ({ page } = test);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Loads a page with this body; what its elements are sent is noted in `seen`. */
async function show(body: string): Promise<void> {
  const recorder = `<script>window.seen = []; for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick', 'mousemove', 'touchstart', 'input', 'change', 'keydown', 'focusin'])
    addEventListener(type, (event) => window.seen.push(event.type + ' ' + event.target.id), true);</script>`;
  test.server.page('/shown', `<!doctype html><title>shown</title>${recorder}${body}`);
  await page.goto(`${test.server.origin}/shown`, { waitUntil: 'load' });
}

/**
 * Lets a click come when the page is waited for already, and the browser's word that it was taken before its word that
 * the page's address has changed, with all that the page tells after that.
 */
function delayNewsOfAddress(): void {
  const { session } = page.target;
  const send = session.sendRaw.bind(session);
  const emit = session.events.emit.bind(session.events);
  const receive = session.receive.bind(session);
  const delayed: (() => void)[] = [];
  vi.spyOn(session, 'sendRaw').mockImplementation(async (method, ...rest) => {
    if (method.startsWith('Input.')) await setTimeout(50);
    return send(method, ...rest);
  });
  vi.spyOn(session.events, 'emit').mockImplementation((event, params) => {
    if (event === 'Page.navigatedWithinDocument')
      void setTimeout(50).then(() => delayed.splice(0).forEach((pass) => pass()));
    else if (delayed.length === 0) return emit(event, params);
    delayed.push(() => emit(event, params));
  });
  vi.spyOn(session, 'receive').mockImplementation((reply, whole) => {
    const isReceipt = JSON.stringify(reply.result) === '{}';
    if (isReceipt || delayed.length === 0) receive(reply, whole);
    else delayed.push(() => receive(reply, whole));
  });
}

async function seen(...types: string[]): Promise<string[]> {
  const events = (await page.evaluate('window.seen')) as string[];
  return events.filter((event) => types.includes(event.split(' ')[0] ?? ''));
}

describe('locator methods', () => {
  beforeEach(() =>
    show(`<button id="b">B</button><input id="i" value="old"><input id="d" type="date"><input id="r" type="range" max="10"><input id="c" type="checkbox">
      <textarea id="t"></textarea><p id="e" contenteditable>edit</p><select id="s"><option value="fr">France</option><option>Germany</option></select>
      <select id="m" multiple><option>a</option><option>b</option><option>c</option></select><input id="f" type="file" multiple>
      <div id="scroller" style="height: 50px; overflow: auto"><p style="height: 500px">tall</p></div>`),
  );

  it('click(), dblclick(), hover() and tap() dispatch the DOM events of a user', async () => {
    const button = page.locator('#b');
    await button.click();
    expect(await seen('click')).toEqual(['click b']);
    await button.dblclick();
    expect(await seen('click', 'dblclick')).toEqual(['click b', 'click b', 'click b', 'dblclick b']);
    await button.click({ button: 'right' });
    await button.click({ button: 'middle' });
    expect(await seen('contextmenu', 'auxclick')).toEqual(['contextmenu b', 'auxclick b', 'auxclick b']);
    await page.locator('#t').hover();
    expect(await seen('mousemove')).toContain('mousemove t');
    await button.tap();
    expect(await seen('touchstart')).toEqual(['touchstart b']);
    await expect(button.click({ button: 'side' as never })).rejects.toThrow(DriverInvalidArgumentError);
    await expect(button.click({ force: 'yes' as never })).rejects.toThrow(
      /force must be a boolean. Received the string "yes"/,
    );
  });

  it('fill() replaces, type() appends, clear() empties and press() sends keys', async () => {
    const field = page.locator('#i');
    await field.fill('new');
    await field.type('er');
    expect(await field.inputValue()).toBe('newer');
    await field.press('Backspace');
    expect(await field.inputValue()).toBe('newe');
    await field.clear();
    expect(await field.inputValue()).toBe('');
    await page.locator('#t').fill('two\nlines');
    await page.locator('#e').fill('changed');
    expect([await page.locator('#t').inputValue(), await page.locator('#e').textContent()]).toEqual([
      'two\nlines',
      'changed',
    ]);
    expect((await seen('input')).length).toBeGreaterThan(0);
    await expect(field.fill(5 as never)).rejects.toThrow(/value must be a string. Received the number 5/);
    await expect(field.press('Foo')).rejects.toThrow(/Unknown key "Foo"/);
  });

  it('fill() sets date and range inputs and reports a value that the input rejects', async () => {
    await page.locator('#d').fill('2024-02-29');
    await page.locator('#r').fill('7');
    expect([await page.locator('#d').inputValue(), await page.locator('#r').inputValue()]).toEqual(['2024-02-29', '7']);
    await expect(page.locator('#d').fill('soon')).rejects.toThrow(DriverInvalidArgumentError);
    await expect(page.locator('#d').fill('soon')).rejects.toThrow(/<input#d> does not accept "soon"\. /);
    expect(await page.locator('#d').inputValue()).toBe('2024-02-29');
  });

  it('check() and uncheck() click only when the state differs', async () => {
    const box = page.locator('#c');
    await box.check();
    await box.check();
    expect(await box.isChecked()).toBe(true);
    expect(await seen('click')).toEqual(['click c']);
    await box.uncheck();
    await box.uncheck();
    expect(await box.isChecked()).toBe(false);
    expect(await seen('click')).toEqual(['click c', 'click c']);
  });

  it.each([
    ['stays off', '<input type="checkbox" id="x" onclick="event.preventDefault()">', true, /<input#x> .*still off/],
    [
      'stays on',
      '<input type="checkbox" id="x" checked onclick="event.preventDefault()">',
      false,
      /still on: the page/,
    ],
    ['is a checked radio button', '<input type="radio" id="x" checked>', false, /another one in its group/],
  ])('setChecked() rejects when the control %s', async (_which, html, wanted, message) => {
    await page.setContent(html);
    const failure = await failureOf(page.locator('#x').setChecked(wanted));
    expect(failure).toBeInstanceOf(DriverLocatorError);
    expect(failure).toMatchObject({ message: expect.stringMatching(message) });
  });

  it.each([
    [
      'checks the box after 20 ms',
      `<input type="checkbox" id="x" onclick="event.preventDefault(); setTimeout(() => { x.checked = true; }, 20)">`,
    ],
    [
      'replaces the box with a checked one',
      `<input type="checkbox" id="x" onclick="this.outerHTML = '<input type=checkbox id=x checked>'">`,
    ],
    ['reloads', `<input type="checkbox" id="x" onclick="location.reload()">`],
  ])('check() succeeds when the page %s', async (_how, html) => {
    await page.setContent(html);
    await expect(page.locator('#x').check()).resolves.toBeUndefined();
  });

  it('selectOption() selects by label, value or index and keeps the selection for an unknown option', async () => {
    const one = page.locator('#s');
    for (const [choice, value] of [
      ['Germany', 'Germany'],
      ['fr', 'fr'],
      ['index=1', 'Germany'],
    ] as const) {
      expect(await one.selectOption(choice)).toEqual([value]);
      expect(await one.inputValue()).toBe(value);
    }
    await expect(one.selectOption('Spain', SHORT)).rejects.toThrow(/<select#s> has no option "Spain"/);
    expect(await one.inputValue()).toBe('Germany');
    expect(await page.locator('#m').selectOption(['a', 'c'])).toEqual(['a', 'c']);
    expect(
      await page.evaluate("[...document.querySelector('#m').selectedOptions].map((option) => option.text)"),
    ).toEqual(['a', 'c']);
    await expect(one.selectOption([1] as never)).rejects.toThrow(DriverInvalidArgumentError);
  });

  it('setInputFiles() attaches local files and rejects missing files and other elements', async () => {
    await page.locator('#f').setInputFiles(['package.json', 'README.md']);
    expect(await page.evaluate("[...document.querySelector('#f').files].map(({ name }) => name)")).toEqual([
      'package.json',
      'README.md',
    ]);
    await expect(page.locator('#f').setInputFiles('no/such/file')).rejects.toThrow(
      /Cannot read the file \/.*no\/such\/file/,
    );
    await expect(page.locator('#b').setInputFiles('package.json')).rejects.toThrow(/it is not a file input/);
  });

  it('focus() focuses the field and scrollTo() scrolls to a percentage', async () => {
    await page.locator('#t').focus();
    expect(await page.evaluate('document.activeElement.id')).toBe('t');
    await page.locator('#scroller').scrollTo(100);
    expect(await page.evaluate("document.querySelector('#scroller').scrollTop")).toBeGreaterThan(400);
    await expect(page.locator('#scroller').scrollTo(101)).rejects.toThrow(/percent must be a number from 0 to 100/);
  });
});

describe('waiting', () => {
  it('clicks an element that appears late in a frame that appears late', async () => {
    await show('<div id="place"></div>');
    const clicked = page.locator('#place >> iframe >> button').click();
    const far = page.locator('#place2 >> iframe >> button').click();
    test.server.page(
      '/inner',
      '<script>setTimeout(() => (document.body.innerHTML = \'<button onclick="parent.postMessage(1, `*`)">late</button>\'), 50)</script><body>',
    );
    await page.evaluate(`window.messages = 0; addEventListener('message', () => (window.messages += 1));
      setTimeout(() => (document.querySelector('#place').innerHTML = '<iframe src="/inner"></iframe>'), 50);
      setTimeout(() => document.querySelector('#place').insertAdjacentHTML('afterend', '<div id="place2"><iframe src="${test.server.otherOrigin}/inner"></iframe></div>'), 80); 0`);
    await Promise.all([clicked, far]);
    await expect.poll(() => page.evaluate('window.messages')).toBe(2);
  });

  it('clicks once, as soon as the element is visible, enabled, stable and uncovered', async () => {
    await show(`<style>@keyframes move { to { translate: 200px } } .moving { animation: move 200ms }</style>
      <button id="b" hidden disabled>b</button><div id="cover" style="position: fixed; inset: 0; background: red"></div>`);
    const click = page.locator('#b').click();
    for (const step of ['b.hidden = false', 'b.disabled = false', "b.className = 'moving'", 'cover.remove()']) {
      expect(await seen('click')).toEqual([]);
      await page.evaluate(
        `${step.startsWith('b.') ? "const b = document.querySelector('#b');" : "const cover = document.querySelector('#cover');"} ${step}; 0`.replace(
          /^const (\w+)/,
          'var $1',
        ),
      );
    }
    await click;
    expect(await seen('click')).toEqual(['click b']);
  });

  it('clicks in the next document when the page navigates while it waits', async () => {
    test.server.page('/later', '<title>later</title><button id="b" onclick="document.title = \'clicked\'">b</button>');
    await show('<p>first</p>');
    const click = page.locator('#b').click();
    await page.evaluate("void setTimeout(() => (location.href = '/later'), 50)");
    await click;
    expect(await page.title()).toBe('clicked');
  });

  it('sends no event of a click when an overlay appears on mousemove', async () => {
    await show(`<button id="b">b</button><div id="cover" hidden style="position: fixed; inset: 0"></div><script>
      const reached = [];
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) cover.addEventListener(type, () => reached.push(type));
      addEventListener('mousemove', () => { cover.hidden = false; });</script>`);
    await expect(page.locator('#b').click(SHORT)).rejects.toThrow(/<div#cover> covers it/);
    expect(await page.evaluate('reached')).toEqual([]);
    expect(await seen('click')).toEqual([]);
  });

  it.each([
    ['the element is a fragment link', '<a id="b" href="#part">to the part</a>'],
    [
      'a button calls history.pushState()',
      `<button id="b" onclick="history.pushState(0, '', '#part')">to the part</button>`,
    ],
    [
      'a listener stops the event and sets the hash',
      `<button id="b" onclick="event.stopPropagation(); location.hash = 'part'">to the part</button>`,
    ],
  ])('click() updates page.url() before it resolves when %s', async (_what, body) => {
    await show(body);
    delayNewsOfAddress();
    await page.locator('#b').click();
    expect(page.url()).toBe(`${test.server.origin}/shown#part`);
  });

  it.each([
    ['an input listener sets the hash', '<input id="b" oninput="location.hash = \'part\'">'],
    [
      'a window keyup listener sets the hash',
      '<input id="b"><script>addEventListener("keyup", () => { location.hash = "part"; })</script>',
    ],
    [
      'a keyup listener stops the event and sets the hash',
      '<input id="b" onkeyup="event.stopImmediatePropagation(); location.hash = \'part\'">',
    ],
  ])('fill() updates page.url() before it resolves when %s', async (_what, body) => {
    await show(body);
    delayNewsOfAddress();
    await page.locator('#b').fill('text');
    expect(page.url()).toBe(`${test.server.origin}/shown#part`);
  });

  it('scrolls an offscreen element, or one under a sticky header, into view and clicks it', async () => {
    await show(
      `<div style="position: fixed; top: 0; height: 100px; width: 100%; background: red">header</div><div style="height: 3000px"></div><button id="b">b</button><div style="height: 3000px"></div>`,
    );
    await page.locator('#b').click();
    await page.evaluate("scrollTo(0, document.querySelector('#b').offsetTop - 20)");
    await page.locator('#b').click();
    expect(await seen('click')).toEqual(['click b', 'click b']);
  });

  it('waitFor() supports attached, detached, visible and hidden', async () => {
    await show('<p id="p">p</p><p id="h" hidden>h</p>');
    await page.locator('#p').waitFor();
    await page.locator('#h').waitFor({ state: 'attached' });
    await page.locator('#h').waitFor({ state: 'hidden' });
    await page.locator('#absent').waitFor({ state: 'detached' });
    const gone = [page.locator('#p').waitFor({ state: 'hidden' }), page.waitForSelector('#p', { state: 'detached' })];
    const shown = page.waitForSelector('#h');
    await page.evaluate("document.querySelector('#p').remove(); document.querySelector('#h').hidden = false; 0");
    await Promise.all(gone);
    expect(await shown).toBe(true);
    await expect(page.locator('#h').waitFor({ state: 'gone' as never })).rejects.toThrow(
      /state must be one of attached, detached, visible, hidden/,
    );
  });

  it('waitFor() resolves as detached or hidden when the frame is removed', async () => {
    await show(
      `<iframe srcdoc="<p>near</p>"></iframe><iframe id="far" src="${test.server.otherOrigin}/inner"></iframe>`,
    );
    await page.locator('iframe >> p').waitFor();
    await page.locator('#far >> button').waitFor();
    const gone = [
      page.locator('iframe >> p').waitFor({ state: 'detached' }),
      page.locator('#far >> button').waitFor({ state: 'hidden' }),
    ];
    await page.evaluate("for (const frame of [...document.querySelectorAll('iframe')]) frame.remove()");
    expect(await Promise.all(gone)).toHaveLength(2);
  });
});

describe('unactionable element', () => {
  it.each([
    ['absent', '<p>p</p>', '#b', DriverElementNotFoundError, /No element matches #b\./],
    [
      'beyond the last match',
      '<button>one</button>',
      'button >> nth=3',
      DriverElementNotFoundError,
      /No element matches button >> nth=3\. The page has button/,
    ],
    [
      'hidden',
      '<button id="b" hidden>b</button>',
      '#b',
      DriverClickError,
      /Cannot click <button#b> \(button "b?"\): it is hidden/,
    ],
    [
      'without a box in a hidden part',
      '<div hidden><button id="b" style="display: contents">b</button></div>',
      '#b',
      DriverClickError,
      /it is hidden/,
    ],
    [
      'without size',
      '<button id="b" style="width: 0; height: 0; padding: 0; border: 0; overflow: hidden"></button>',
      '#b',
      DriverClickError,
      /it has no size/,
    ],
    [
      'disabled',
      '<button id="b" disabled>b</button>',
      '#b',
      DriverClickError,
      /it is disabled\. First do what enables it, for example fill in the required fields/,
    ],
    [
      'covered',
      '<button id="b">b</button><div id="cover" class="dark" style="position: fixed; inset: 0"></div>',
      '#b',
      DriverClickError,
      /<div#cover\.dark> covers it/,
    ],
    [
      'transparent to the pointer',
      '<div id="around"><button id="b" style="pointer-events: none">b</button></div>',
      '#b',
      DriverClickError,
      /it ignores clicks: its style has `pointer-events: none`/,
    ],
    [
      'moving',
      '<style>@keyframes m { to { translate: 99px } }</style><button id="b" style="animation: m 5s">b</button>',
      '#b',
      DriverClickError,
      /it kept moving/,
    ],
    [
      'off screen',
      '<button id="b" style="position: fixed; left: -500px">b</button>',
      '#b',
      DriverClickError,
      /outside the viewport/,
    ],
  ])(
    'click() rejects when the element is %s, and the page gets no click',
    async (_title, body, selector, type, sentence) => {
      await show(body);
      const failure = page.locator(selector).click(SHORT);
      await expect(failure).rejects.toThrow(type);
      await expect(failure).rejects.toThrow(sentence);
      await expect(failure).rejects.toThrow(`waiting for ${selector}`);
      expect(await seen('click')).toEqual([]);
    },
  );

  it.each([
    'button>>nth=3',
    ' css=button  >>  nth = 3 ',
    'body >> button >> nth=3 >> b',
    'body > div >> nth=2 >> text=Go',
  ])('click() rejects before its timeout when %s has fewer matches', async (selector) => {
    await page.setContent('<button>One</button><div>Two</div>');
    const failure = page.locator(selector).click({ timeout: 2 ** 31 });
    await expect(failure).rejects.toThrow(DriverElementNotFoundError);
  });

  it('nth() beyond the last match rejects early, but waits while the list still grows', async () => {
    await show('<button id="b">b</button>');
    const slow = { timeout: 600_000 };
    await expect(page.locator('button').nth(3).click(slow)).rejects.toThrow(
      /No element matches locator\('button'\)\.nth\(3\)\. The page has button/,
    );
    await expect(page.locator('button').nth(-2).textContent(slow)).rejects.toThrow(DriverElementNotFoundError);
    const click = page.locator('button').nth(1).click(slow);
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<button id=c>c</button>')");
    await click;
    expect(await seen('click')).toEqual(['click c']);
  });

  it('reports the covering element in `cover`, and `force` clicks that element instead', async () => {
    await show('<button id="b">b</button><div id="cover" style="position: fixed; inset: 0"></div>');
    await expect(page.locator('#b').click(SHORT)).rejects.toMatchObject({
      code: 'CLICK',
      selector: '#b',
      cover: '<div#cover>',
    });
    await page.locator('#b').click({ force: true });
    expect(await seen('click')).toEqual(['click cover']);
  });

  it('`force` does not click the page corner in place of an element without a box', async () => {
    await show(
      '<div id="b" style="display: none">Hidden</div><script>onclick = () => { document.title = "hit" }</script>',
    );
    const failure = await failureOf(page.locator('#b').click({ force: true, timeout: 300 }));
    expect(String(failure)).toContain('it is hidden');
    expect(await page.title()).not.toBe('hit');
  });

  it.each([
    ['a hidden field', '<input id="i" hidden>', 'fill', DriverElementNotVisibleError, /it is hidden/],
    ['a disabled field', '<input id="i" disabled>', 'fill', DriverLocatorError, /it is disabled/],
    ['a read-only field', '<input id="i" readonly>', 'fill', DriverLocatorError, /it is read-only/],
    ['an element that is not editable', '<p id="i">text</p>', 'fill', DriverLocatorError, /it is not editable/],
    [
      'a custom slider',
      '<p id="i" role="slider">text</p>',
      'fill',
      DriverLocatorError,
      /it is a slider without a field/,
    ],
    [
      'an element that is not a select',
      '<p id="i">text</p>',
      'selectOption',
      DriverLocatorError,
      /it is not a select element/,
    ],
    [
      'an element that cannot be checked',
      '<p id="i">text</p>',
      'check',
      DriverClickError,
      /it is not a checkbox, radio button, switch, checkable menu item, option or tree item/,
    ],
  ] as const)('rejects an action on %s', async (_title, body, method, type, sentence) => {
    await show(body);
    const call = {
      fill: () => page.locator('#i').fill('x', SHORT),
      selectOption: () => page.locator('#i').selectOption('x', SHORT),
      check: () => page.locator('#i').check(SHORT),
    }[method];
    const failure = call();
    await expect(failure).rejects.toThrow(type);
    await expect(failure).rejects.toThrow(sentence);
    expect(await seen('input', 'change')).toEqual([]);
  });

  it('textContent() and waitFor() name the missing selector in their error', async () => {
    await show('<p>p</p>');
    await expect(page.locator('#b').textContent(SHORT)).rejects.toThrow(DriverElementNotFoundError);
    await expect(page.locator('#b').waitFor(SHORT)).rejects.toThrow(DriverTimeoutError);
    await expect(page.locator('#b').waitFor(SHORT)).rejects.toMatchObject({
      operation: 'locator.waitFor',
      timeout: 300,
      message: expect.stringContaining('waiting for #b to be visible'),
    });
    await expect(page.locator('p >> iframe >> #b').textContent(SHORT)).rejects.toThrow(
      /No element matches p >> iframe >> #b\. The page has p, but no element matches the rest of the selector/,
    );
  });

  it('click() reports an element removed during the wait as not found', async () => {
    await show('<button id="b" disabled>b</button>');
    const failure = failureOf(page.locator('#b').click(SHORT));
    await page.evaluate("document.querySelector('#b').remove()");
    expect(await failure).toBeInstanceOf(DriverElementNotFoundError);
  });
});

describe('aborted or timed-out call', () => {
  it('an aborted signal rejects click(), fill(), waitFor() and textContent() without late input', async () => {
    await show('<button id="b" disabled>b</button><input id="i" disabled>');
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [
      page.locator('#b').click({ signal }),
      page.locator('#i').fill('late', { signal }),
      page.locator('#never').waitFor({ signal }),
      page.locator('#never').textContent({ signal }),
    ];
    controller.abort('changed my mind');
    for (const call of calls) {
      await expect(call).rejects.toThrow(DriverAbortError);
      await expect(call).rejects.toMatchObject({ cause: 'changed my mind' });
    }
    await page.evaluate("for (const element of document.querySelectorAll('#b, #i')) element.disabled = false");
    // An action that is carried out now comes after any that was left behind.
    await page.locator('#b').hover();
    expect(await seen('click', 'input', 'focusin')).toEqual([]);
    await expect(page.locator('#b').click({ signal })).rejects.toThrow(DriverAbortError);
    expect(await seen('click')).toEqual([]);
  });

  it('a timeout rejects click() without a late click', async () => {
    await show('<button id="b" disabled>b</button>');
    await expect(page.locator('#b').click({ timeout: 100 })).rejects.toThrow(/it is disabled/);
    await page.evaluate("document.querySelector('#b').disabled = false; 0");
    await page.locator('#b').hover();
    expect(await seen('click')).toEqual([]);
  });

  it('`timeout: 0` waits without limit, and `timeout: -5` rejects', async () => {
    await show('<button id="b" disabled>b</button>');
    const click = page.locator('#b').click({ timeout: 0 });
    await page.evaluate("void setTimeout(() => (document.querySelector('#b').disabled = false), 100)");
    await click;
    expect(await seen('click')).toEqual(['click b']);
    await expect(page.locator('#b').click({ timeout: -5 })).rejects.toThrow(
      /timeout must be a number of milliseconds, 0 or more. Received the number -5/,
    );
  });
});

describe('page that scrolls itself', () => {
  it('click() waits for the scroll to end, so that the button stays under the pointer', async () => {
    await show(`<button id="b" onclick="this.textContent = performance.now() > end ? 'settled' : 'moving'">Press</button><p style="height: 3000px">tall</p><script>
      const end = performance.now() + 400;
      const draw = () => { if (performance.now() < end) { scrollTo(0, 700); requestAnimationFrame(draw); } };
      requestAnimationFrame(draw);</script>`);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await page.locator('#b').click();
    expect(await page.locator('#b').textContent()).toBe('settled');
  });
});
