import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { DriverClickError, DriverElementNotFoundError, DriverLocatorError } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { oddPages } from './odd-page.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser('nightly');
const odd = oddPages({ domSettleTimeout: 20_000 });

describe('actions on unusual elements', () => {
  test('checks and unchecks an offscreen check box that has a label', async () => {
    await odd.open(
      `<input type="checkbox" id="c" style="position: absolute; left: -9999px"><label for="c">Gift wrap</label>`,
    );
    await odd.act('#c', 'check');
    expect(await odd.page.locator('#c').isChecked()).toBe(true);
    await odd.act('#c', 'uncheck');
    expect(await odd.page.locator('#c').isChecked()).toBe(false);
  });

  test.each([
    [
      'a row with a click listener',
      "<div id=row><span>Milk</span>{}</div><script>row.addEventListener('click', note)</script>",
    ],
    ['a focusable row', '<div id=row tabindex=0 onclick="note(event)"><span>Milk</span>{}</div>'],
  ])('clicks %s beside the button in its middle', async (_case, row) => {
    const button = '<button style="position: absolute; left: 140px; width: 120px; height: 100%">Delete</button>';
    await odd.open(
      `<script>const note = (event) => { document.title = event.target.localName }</script>
      <style>#row { position: relative; width: 400px; height: 60px }</style>${row.replace('{}', button)}`,
    );
    await odd.text();
    await odd.act('#row');
    expect(await odd.page.title()).toBe('div');
  });

  test('clicks the link that fills a plain cell', async () => {
    await odd.open('<table><tr><td id=cell><a href="#there">There</a></td></tr></table>');
    await odd.text();
    await odd.act('#cell');
    expect(odd.page.url()).toMatch(/#there$/);
  });

  test('refuses to act in an inert part of the page, and says so', async () => {
    await odd.open(`<div inert><button>Pay</button><input aria-label="Name"></div>`);
    await expect(odd.page.locator('button').click({ timeout: 400 })).rejects.toThrow('in an inert part of the page');
    await expect(odd.page.locator('input').fill('x', { timeout: 400 })).rejects.toThrow('in an inert part of the page');
  });

  test('reads and acts in the documents of `object` and `embed` elements', async () => {
    odd.server.page(
      '/plan',
      `<!doctype html><title>Plan</title><button onclick="this.textContent = 'Booked'">Book</button>`,
    );
    await odd.open(
      `<object type="text/html" data="/plan" title="Hall">No plan</object><embed type="text/html" src="/plan">`,
    );
    expect(await odd.text()).toBe('e1 iframe "Hall"\n f1e1 button "Book"\ne2 iframe\n f2e1 button "Book"');
    const [, inObject, , inEmbed] = await odd.driver.observe();
    expect(inObject?.selector).toBe('xpath=/html[1]/body[1]/object[1]/html[1]/body[1]/button[1]');
    expect((await odd.act(inObject?.selector ?? '')).effect).toBe('changed');
    expect((await odd.act('embed >> text=Book')).effect).toBe('changed');
    expect(inEmbed?.selector).toBe('xpath=/html[1]/body[1]/embed[1]/html[1]/body[1]/button[1]');
    expect(await odd.text()).toContain('f2e1 button "Booked"');
  });

  test('clicks an invisible combobox input through its clickable box, but no other invisible input', async () => {
    await odd.open(`<div style="position: relative; width: 200px; height: 40px; cursor: pointer; background: #eee" onclick="this.title = 'open'">Tools
      <input id="inside" role="combobox" aria-label="Tools" style="position: absolute; inset: 0; opacity: 0; z-index: -1"></div>
    <div style="position: relative; width: 200px; height: 40px; background: #eee"><input id="other" style="position: absolute; inset: 0; opacity: 0; z-index: -1"></div>`);
    expect((await odd.act('#inside')).effect).toBe('changed');
    await expect(odd.page.locator('#other').click({ timeout: 400 })).rejects.toThrow('covers it');
  });
});

describe('effects of actions on unusual pages', () => {
  test('reports `navigated` for a hash route, but not for a hash link', async () => {
    await odd.open(`<a id="menu" href="#" onclick="m.hidden = false">Menu</a><div id="m" role="menu" hidden><p role="menuitem" tabindex="0">Copy</p></div>
    <a id="down" href="#end">To the end</a><a id="again" href="#end">Again</a><a id="route" href="#/orders">Orders</a><div style="height: 3000px"></div><p id="end">End</p>`);
    expect((await odd.act('#menu')).effect).toBe('opened');
    expect((await odd.act('#down')).effect).toBe('changed');
    expect((await odd.act('#route')).effect).toBe('navigated');
  });

  test('names the file of a download that the click starts', async () => {
    odd.server.page('/report.csv', (_, response) => {
      response.writeHead(200, {
        'content-type': 'text/csv',
        'content-disposition': 'attachment; filename="report.csv"',
      });
      response.end('a,b');
    });
    await odd.open(`<a href="/report.csv">Report</a>`);
    const { effect, message } = await odd.act('a');
    expect(effect).toBe('opened');
    expect(message).toContain('a download of "report.csv" started');
  });

  test('waits for text that appears 90 ms after the click, and reports it', async () => {
    await odd.open(
      `<button onclick="setTimeout(() => note.textContent = 'Saved', 90)">Save</button><p id="status" role="status"></p><script>const note = document.querySelector("#status")</script>`,
    );
    const { effect, message } = await odd.act('button');
    expect(effect).toBe('changed');
    expect(message).toContain('the page says "Saved"');
  });

  test('reports a delayed change while a script keeps the page busy for 400 ms', async () => {
    await odd.open(
      `<button onclick="setTimeout(busy, 60); setTimeout(() => note.textContent = 'Saved', 90)">Save</button><p id="status" role="status"></p>
    <script>const note = document.querySelector("#status"); const busy = () => { for (const end = performance.now() + 400; performance.now() < end; ); }</script>`,
    );
    expect((await odd.act('button')).effect).toBe('changed');
  });

  test('reports a confirm dialog as dismissed', async () => {
    await odd.open(`<button onclick="if (confirm('Delete all?')) this.textContent = 'Gone'">Delete</button>`);
    expect((await odd.act('button')).message).toContain('a dialog (confirm) said "Delete all?" and was dismissed');
    expect(await odd.page.locator('button').textContent()).toBe('Delete');
  });
});

describe('messages of actions', () => {
  /** The error that a call failed with. */
  async function failure(call: Promise<unknown>): Promise<Error> {
    const reason = await failureOf(call);
    return reason instanceof Error ? reason : new TypeError(`not an error: ${String(reason)}`);
  }

  test('explains at the timeout why the element was not actionable', async () => {
    await odd.open(`<button id="b" disabled>Save</button><input readonly aria-label="Total">`);
    const action = { selector: '#b', description: '', method: 'click' };
    const errors = [
      await failure(odd.driver.act(action, { timeout: 1500 })),
      await failure(odd.page.locator('#b').click({ timeout: 400 })),
      await failure(odd.page.locator('input').fill('3', { timeout: 400 })),
      await failure(odd.page.locator('#absent').click({ timeout: 400 })),
      await failure(odd.page.locator('#absent').innerText({ timeout: 400 })),
    ];
    expect(errors.map((error) => [error.constructor, error.message.split('\n')[0]])).toEqual([
      [
        DriverClickError,
        'Cannot click <button#b> (button "Save"): it is disabled. First do what enables it, for example fill in the required fields.',
      ],
      [
        DriverClickError,
        'Cannot click <button#b> (button "Save"): it is disabled. First do what enables it, for example fill in the required fields.',
      ],
      [
        DriverLocatorError,
        'Cannot fill <input> (textbox "Total"): it is read-only. First do what makes it editable, for example click an edit button.',
      ],
      [
        DriverElementNotFoundError,
        'No element matches #absent. Check the selector, or raise `timeout` if the element appears later.',
      ],
      [
        DriverElementNotFoundError,
        'No element matches #absent. Check the selector, or raise `timeout` if the element appears later.',
      ],
    ]);
  });

  test('says that a ref is not a selector', async () => {
    await odd.open('<button>Save</button>');
    await expect(
      odd.driver.act({ selector: 'e1', description: '', method: 'click' }, { timeout: 300 }),
    ).rejects.toThrow('No element matches e1. It looks like a ref of a snapshot, which is not a selector.');
  });

  test('names an element by its role and name, its text or its tag, and shortens long names', async () => {
    await odd.open(
      `<button>${'very '.repeat(60)}long</button><div id="card" onclick="this.title = 'x'">Add <b>a card</b></div><input id="plain"><div class="box" style="height: 20px" onclick="this.title = 'x'"></div>`,
    );
    const messages = [];
    for (const selector of ['button', '#card', '#plain', '.box'])
      messages.push((await odd.act(selector)).message.replace(/\. [^.]*\.$/, ''));
    expect(messages).toEqual([
      `Done: click on button "${'very '.repeat(16)}…"; it has the focus`,
      'Done: click on <div#card> "Add a card"',
      'Done: click on textbox <input#plain>; it has the focus',
      'Done: click on <div.box>',
    ]);
  });

  test('names the accepted format or options when a control refuses a value', async () => {
    await odd.open(`<input id="due" type="date"><select id="size"><option>Small<option>Large</select>`);
    expect((await failure(odd.act('#due', 'fill', 'soon'))).message).toBe(
      '<input#due> does not accept "soon". Pass a date as YYYY-MM-DD, such as 2026-03-31.',
    );
    expect((await failure(odd.act('#size', 'select', 'Huge'))).message).toBe(
      '<select#size> has no option "Huge". Options: "Small", "Large".',
    );
  });
});

describe('form fields and images named like DOM properties', () => {
  /** Names that a form's or a document's own properties have. */
  const FORM_NAMES =
    'id tagName parentNode parentElement children nodeType nodeName localName prefix namespaceURI attributes getAttribute hasAttribute matches closest contains isConnected firstChild nextSibling ' +
    'ownerDocument getRootNode checkVisibility getBoundingClientRect getClientRects scrollIntoView scrollTo scrollTop scrollLeft scrollHeight clientHeight clientWidth innerText innerHTML textContent ' +
    'focus isContentEditable shadowRoot assignedSlot style title tabIndex dispatchEvent querySelectorAll';
  const DOCUMENT_NAMES =
    'body head documentElement activeElement scrollingElement elementFromPoint createRange createElement createTreeWalker createExpression evaluate querySelector querySelectorAll readyState contentType ' +
    'hidden title URL getAnimations getSelection getElementById defaultView styleSheets children';

  test('reads and acts as usual when fields and images are named like DOM properties', async () => {
    await odd.open(`<form onsubmit="return false"><h2>Sign up</h2><label>Your name <input id="name"></label>
      <button onclick="this.textContent = 'Sent'">Send</button><details><summary>More</summary><p>Text</p></details>
      ${FORM_NAMES.split(' ')
        .map((name) => `<input type="hidden" name="${name}">`)
        .join('')}</form>
    ${DOCUMENT_NAMES.split(' ')
      .map((name) => `<img name="${name}" hidden>`)
      .join('')}`);
    expect(await odd.text()).toBe(
      'form\n heading 2 "Sign up"\n e1 textbox "Your name"\n e2 button "Send"\n e3 button "More" collapsed',
    );
    expect((await odd.act('#name', 'fill', 'Ada')).effect).toBe('changed');
    expect((await odd.act('role=button[name="Send"]')).actions?.[0]?.selector).toBe(
      'xpath=/html[1]/body[1]/form[1]/button[1]',
    );
    expect((await odd.act('//form//button')).message).toContain('click on button "Sent"');
    expect((await odd.act('text=More')).effect).toBe('opened');
    await odd.page.locator('form').click();
    expect(await odd.page.locator('form').innerText()).toContain('Sign up');
    expect(await odd.page.locator('form').boundingBox()).toMatchObject({ x: 8 });
    expect(await odd.page.locator('xpath=//form/h2[contains(., "Sign")]').count()).toBe(1);
    await odd.page.locator('form').scrollTo(100);
    expect((await odd.driver.observe()).map(({ selector }) => selector)).toContain(
      'xpath=/html[1]/body[1]/form[1]/label[1]/input[1]',
    );
  });
});

describe('pages that are never quiet', () => {
  const UNSETTLED = 'the page did not settle in time';

  /** Answers after some milliseconds. */
  function after(ms: number): (request: unknown, response: ServerResponse) => void {
    return (_, response) => setTimeout(() => response.end('answer'), ms);
  }

  test('settles on a page that polls every 30 ms, for act() and observe()', async () => {
    odd.server.page('/poll', after(0));
    await odd.open(
      `<script>setInterval(() => fetch('/poll?at=' + Date.now()), 30)</script><button onclick="this.textContent = 'Done'">Do it</button>`,
    );
    const { message, effect } = await odd.act('button');
    expect(effect).toBe('changed');
    expect(message).not.toContain(UNSETTLED);
    expect(await odd.driver.observe()).toHaveLength(1);
  }, 15_000);

  test('settles after a few rounds on a page that requests a URL again after each response', async () => {
    odd.server.page('/long-poll', after(200));
    await odd.open(
      `<script>const ask = () => fetch('/long-poll').then(ask); ask()</script><button onclick="this.textContent = 'Done'">Do it</button>`,
    );
    expect((await odd.act('button')).message).not.toContain(UNSETTLED);
  }, 15_000);

  test('does not wait for the end of a streamed response', async () => {
    odd.server.page('/stream', (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write('data: tick\n\n'), 50);
      request.on('close', () => clearInterval(timer));
    });
    await odd.open(`<button onclick="this.textContent = 'Listening'; fetch('/stream')">Listen</button>`);
    expect((await odd.act('button')).message).not.toContain(UNSETTLED);
  }, 15_000);

  test('waits for 8 parallel requests and for 3 requests that follow one after the other', async () => {
    odd.server.page('/query', after(60));
    odd.server.page('/rest', after(60));
    await odd.open(`<button onclick="load()">Load</button><p></p><script>
    const ask = (address) => fetch(address).then((answer) => answer.text());
    async function load() {
      const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => ask('/query?' + i)));
      answers.push(await ask('/rest'), await ask('/query'), await ask('/rest'));
      document.querySelector('p').textContent = answers.length;
    }
  </script>`);
    await odd.act('button');
    expect(await odd.page.locator('p').textContent()).toBe('11');
  });

  test('settles during a hover color transition, but waits for a panel that slides in', async () => {
    await odd.open(`<style>button { transition: background-color 2s, box-shadow 2s; background-color: white } button:hover { background-color: red; box-shadow: 0 0 9px }
      #panel { width: 0; transition: width 300ms } .open { width: 200px !important }</style>
    <button onclick="this.textContent = 'Done'">Do it</button><button id="slide" onclick="panel.className = 'open'">Slide</button><div id="panel">Panel</div>`);
    const isRunning = (): Promise<unknown> => odd.page.evaluate('document.getAnimations().length > 0');
    await odd.act('button');
    expect(await isRunning()).toBe(true);
    await odd.page.locator('#slide').hover();
    expect(await isRunning()).toBe(true);
    await odd.act('#slide');
    expect(await odd.page.evaluate('getComputedStyle(panel).width')).toBe('200px');
  });
});
