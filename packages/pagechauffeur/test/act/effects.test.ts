import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActResult } from '../../src/index.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { oddPages } from '../odd-pages/odd-page.ts';
import { rows } from '../support/nightly-rows.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

/** Ticks of a page's own that the model waits for before it answers. */
const TICKS = 3;

const EMPTY = '<title>Empty</title><p>Nothing yet</p>';

const model = new ScriptedModel(async (request) => {
  await odd.page.evaluate(
    `new Promise((done) => { const before = window.ticks;
      const look = setInterval(() => { if (window.ticks >= before + ${TICKS}) done(clearInterval(look)) }, 5) })`,
  );
  const action = { ref: refOf(request, { name: 'Go' }), method: 'click', arguments: [], description: 'Go' };
  return { action, twoStep: false, reason: '', candidates: [] };
});
useWholeBrowser('nightly');
const odd = oddPages({ llmClient: model });

// Another origin of the same site, whose frames live in the page's process.
let neighbor: TestServer;

beforeAll(async () => {
  neighbor = await serve();
  const answer = (text: string) => (_: unknown, response: { end(text: string): unknown }) =>
    void setTimeout(() => response.end(text), 300);
  odd.server.page('/late', answer('Late answer'));
  odd.server.page('/slow', answer('<title>Slow</title><h1>Slow</h1>'));
  odd.server.page('/next', '<title>Next</title><h1>Next</h1>');
  odd.server.page('/empty', EMPTY);
  odd.server.page('/with-link', '<title>Link</title><a id="in" href="/next">In</a>');
  odd.server.page(
    '/listens',
    `<title>Listens</title><p>Waiting</p><script>onmessage = ({ data }) => { document.querySelector('p').textContent = data }</script>`,
  );
  for (const server of [odd.server, neighbor])
    server.page('/tells', `<title>Tells</title><button id="in" onclick="parent.postMessage('Told', '*')">In</button>`);
  odd.server.page('/file', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' });
    response.end('a,b');
  });
});

afterAll(() => neighbor.close());

/** A button that runs this when it is clicked. */
const go = (script: string, rest = ''): string =>
  `<button id="go">Go</button>${rest}<script>go.onclick = () => { ${script} }</script>`;

interface Case {
  readonly html: string;
  /** The element to act on. Default: the button. */
  readonly on?: string;
  readonly method?: string;
  readonly arguments?: readonly string[];
  /** Whether the page was read before, as by observe. */
  readonly isRead?: boolean;
  /** A part of the message. */
  readonly says?: string;
}

type Cases = Readonly<Record<string, Case>>;

async function done({
  html,
  on = '#go',
  method = 'click',
  arguments: args = [],
  isRead = false,
}: Case): Promise<ActResult> {
  await odd.open(html.replaceAll('OTHER', odd.server.otherOrigin).replaceAll('NEIGHBOR', neighbor.origin));
  await odd.page.waitForLoadState('load');
  if (isRead) await odd.driver.observe();
  const result = await odd.act(on, method, ...args);
  for (const page of odd.driver.context.pages()) if (page !== odd.page) await page.close();
  return result;
}

function each(effect: ActResult['effect'], daily: Cases, nightly: Cases = {}): void {
  test.each(rows(Object.entries(daily), Object.entries(nightly)))(
    `reports "${effect}" for %s`,
    async (_what, wanted) => {
      const { effect: seen, message } = await done(wanted);
      expect(message).toContain(wanted.says ?? '');
      expect(seen, message).toBe(effect);
    },
  );
}

describe('effect `navigated`', () => {
  each('navigated', {
    'a link': { html: '<a id="go" href="/next">Next</a>' },
    'a link to a slow server': { html: '<a id="go" href="/slow">Slow</a>' },
    'a script that navigates 60 ms later': { html: go(`setTimeout(() => { location.href = '/next' }, 60)`) },
    'a submitted form': {
      html: '<form action="/next"><input name="q" aria-label="Q"></form>',
      on: 'input',
      method: 'press',
      arguments: ['Enter'],
    },
    'history.pushState() with new content': {
      html: go(
        `history.pushState({}, '', '/orders/7'); document.querySelector('p').textContent = 'Order 7'`,
        '<p>Orders</p>',
      ),
    },
    'history.replaceState() without new content': { html: go(`history.replaceState({}, '', '?page=2')`) },
    'a link on a page with a beforeunload dialog': {
      html: '<a id="go" href="/next">Next</a><script>onbeforeunload = (event) => event.preventDefault()</script>',
      says: 'the page asked to confirm leaving it, and the driver left',
    },
    'a link in a frame': {
      html: '<iframe src="/with-link"></iframe>',
      on: 'iframe >> #in',
      says: 'a frame of the page navigated',
    },
    'a link in a cross-process frame': {
      html: '<iframe src="OTHER/with-link"></iframe>',
      on: 'iframe >> #in',
      says: 'a frame of the page navigated',
    },
  });
});

describe('effect `opened`', () => {
  each(
    'opened',
    {
      'an alert': { html: go(`alert('Saved')`), says: 'a dialog (alert) said "Saved"' },
      'a prompt': {
        html: go(`prompt('Your name?')`),
        says: 'a dialog (prompt) said "Your name?" and was dismissed',
      },
      'a link that opens a new page': {
        html: '<a id="go" href="/next" target="_blank">Next</a>',
        says: 'a new page opened',
      },
      'an element with role menu': {
        html: go(
          'm.hidden = false',
          '<div id="m" role="menu" aria-label="File" hidden><p role="menuitem" tabindex="0">Copy</p></div>',
        ),
        says: 'menu "File" opened',
      },
      'a popover': {
        html: '<button id="go" popovertarget="m">Go</button><div id="m" popover>Words</div>',
        says: 'opened',
      },
      'a details element': { html: '<details><summary id="go">More</summary>Words</details>', says: 'opened' },
      'content whose button sets aria-expanded': {
        html: go(
          `go.ariaExpanded = 'true'; m.hidden = false`,
          '<p id="m" hidden>Words</p><script>go.ariaExpanded = "false"</script>',
        ),
      },
      'a list shown by a class': {
        html: `<style>ul { position: absolute; display: none } .open ul { display: block }</style>${go(`menu.classList.toggle('open')`, '<div id="menu"><ul><li><a href="#a">Copy</a></li></ul></div>')}`,
        says: 'opened',
      },
      'a list created by a script': {
        html: go(
          `document.body.insertAdjacentHTML('beforeend', '<ul style="position: absolute"><li tabindex="0">Copy</li></ul>')`,
        ),
      },
      'a modal dialog': {
        html: go('d.showModal()', '<dialog id="d" aria-label="Sure?"><button>Yes</button></dialog>'),
        says: 'dialog "Sure?" opened',
      },
      'a tooltip': {
        html: `<p style="height: 200px"></p>${go('', '<p id="t" role="tooltip" hidden>Help</p><script>go.onmouseenter = () => { t.hidden = false }</script>')}`,
        method: 'hover',
        says: 'tooltip',
      },
      'a download': { html: '<a id="go" href="/file">Report</a>', says: 'a download of "report.csv" started' },
    },
    {
      'a confirm dialog': {
        html: go(`confirm('Delete?')`),
        says: 'a dialog (confirm) said "Delete?" and was dismissed',
      },
      'a page opened by a script': { html: go(`open('/next')`), says: 'a new page opened' },
      'a list shown by a style': {
        html: go(
          `m.style.display = 'block'`,
          '<ul id="m" style="display: none; position: absolute"><li><button>Copy</button></li></ul>',
        ),
      },
      'an element with role dialog': {
        html: go(
          `d.style.display = 'block'`,
          '<div id="d" role="dialog" aria-label="Sure?" style="display: none"><button>Yes</button></div>',
        ),
        says: 'dialog "Sure?" opened',
      },
      'a download started by a script': {
        html: go(
          `const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['a'])); a.download = 'made.txt'; a.click()`,
        ),
        says: 'a download of "made.txt" started',
      },
    },
  );
});

const VIEW = `<style>.app, .list { position: relative; height: 300px } .view, .row { position: absolute; left: 0; right: 0 }
  .view { height: 300px } .row { height: 30px } .close { position: absolute; right: 0; top: 0 }</style>`;

describe('effect `changed` for positioned content that rerenders', () => {
  each(
    'changed',
    {
      'a view that a router swaps in': {
        html: `${VIEW}${go(
          `app.innerHTML = '<section class="view"><a href="#b">Drafts</a><p>Nothing here</p></section>'`,
          '<div class="app" id="app"><section class="view"><a href="#a">Inbox</a><p>Two mails</p></section></div>',
        )}`,
      },
      'a panel that a class swaps in': {
        html: `${VIEW}<style>.view:not(.active) { display: none }</style>${go(
          `one.classList.remove('active'); two.classList.add('active')`,
          '<div class="app"><div class="view active" id="one"><a href="#a">One</a></div><div class="view" id="two"><a href="#b">Two</a></div></div>',
        )}`,
      },
      'a panel with a button in its corner': {
        html: `${VIEW}${go(
          `v.hidden = false`,
          '<div id="v" hidden style="position: relative"><p>Some words in a card</p><button class="close">Close</button></div>',
        )}`,
      },
      'a new row in a list with positioned rows': {
        html: `${VIEW}${go(
          `list.insertAdjacentHTML('beforeend', '<div class="row" style="top: 60px"><a href="#c">Third</a></div>')`,
          '<div class="list" id="list"><div class="row" style="top: 0"><a href="#a">First</a></div><div class="row" style="top: 30px"><a href="#b">Second</a></div></div>',
        )}`,
      },
      'a fixed header that rerenders with the page': {
        html: `<style>header { position: fixed; top: 0; left: 0; right: 0 } main { margin-top: 40px; height: 3000px }</style>${go(
          `app.innerHTML = '<header><a href="#a">Home</a> / Docs</header><main><p>Docs</p></main>'`,
          '<div id="app" style="margin-top: 60px"><header><a href="#a">Home</a></header><main><p>Home</p></main></div>',
        )}`,
      },
    },
    {
      'a view that replaces another in the body': {
        html: `${VIEW}${go(
          `v.outerHTML = '<section class="view"><a href="#b">Drafts</a></section>'`,
          '<p>Words</p><section class="view" id="v"><a href="#a">Inbox</a></section>',
        )}`,
      },
      'a panel whose button sticks out of its corner': {
        html: `${VIEW}${go(
          `v.hidden = false`,
          '<div id="v" hidden style="position: relative; width: 300px"><p>Some words in a card</p><button style="position: absolute; right: -9px; top: -8px">Close</button></div>',
        )}`,
      },
      'the first widget of a grid': {
        html: `${VIEW}${go(
          `list.innerHTML = '<div class="row" style="top: 0"><a href="#a">First</a></div>'`,
          '<div class="list" id="list"></div>',
        )}`,
      },
      'an existing header that becomes active': {
        html: `<style>header { position: fixed; top: 40px; left: 0; right: 0; background: #fff } header.active { color: red }</style>${go(
          `bar.classList.add('active')`,
          '<header id="bar"><a href="#a">Home</a></header><p>Words beneath</p>',
        )}`,
      },
    },
  );
});

describe('effect `opened` for new layers', () => {
  each('opened', {
    'a layer over other content of its container': {
      html: go(
        `app.insertAdjacentHTML('beforeend', '<ul style="position: absolute; top: 40px"><li tabindex="0">Copy</li></ul>')`,
        '<div id="app"><p>Words</p><p>More words</p><p>Other words</p></div>',
      ),
    },
    'a layer over the empty part of its container': {
      html: go(
        `app.insertAdjacentHTML('beforeend', '<ul style="position: absolute; top: 200px; background: #eee"><li tabindex="0">Copy</li></ul>')`,
        '<div id="app" style="height: 500px"><p>Words</p></div>',
      ),
    },
  });
});

const fetched = (show: string): string =>
  go(`fetch('/late').then((r) => r.text()).then((text) => { ${show} })`, '<main><p>Before</p></main>');

describe('effect `changed`', () => {
  each(
    'changed',
    {
      'a filled field': { html: '<input id="go" aria-label="Name">', method: 'fill', arguments: ['Ada'] },
      'text typed into a textarea': {
        html: '<textarea id="go" aria-label="Name">A</textarea>',
        method: 'type',
        arguments: ['da'],
      },
      'a checked checkbox': { html: '<input id="go" type="checkbox" aria-label="Yes">', method: 'check' },
      'a selected option': {
        html: '<select id="go" aria-label="Size"><option>S<option>L</select>',
        method: 'select',
        arguments: ['L'],
      },
      'a scrolled page': {
        html: '<button id="go">Go</button><p style="height: 3000px">',
        method: 'scrollBy',
        arguments: ['400'],
        says: 'scrolled to ',
      },
      'a word selected by a double-click': {
        html: '<p id="go" style="width: fit-content">Word</p>',
        method: 'doubleClick',
        says: 'the text "Word" is selected',
      },
      'a toast with role status': {
        html: fetched(`document.body.insertAdjacentHTML('beforeend', '<div role="status">' + text + '</div>')`),
        says: 'the page says "Late answer"',
      },
      'a toast with class toast': {
        html: go(
          `setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div class="toast">Saved</div>'), 100)`,
        ),
        says: 'the page says "Saved"',
      },
      'text that appears after a response': {
        html: fetched(`document.querySelector('p').textContent = text`),
      },
      'a button that sets aria-pressed': { html: go(`go.ariaPressed = 'true'`) },
      'a class change on the root element': {
        html: `<style>.dark { background: black }</style>${go(`document.documentElement.className = 'dark'`)}`,
      },
      'a change in a shadow root': {
        html: go(
          `host.shadowRoot.querySelector('b').textContent = 'New'`,
          '<div id="host"><template shadowrootmode="open"><b>Old</b></template></div>',
        ),
      },
      'a change in a closed shadow root after observe()': {
        isRead: true,
        html: `<div id="host"></div><script>const root = host.attachShadow({ mode: 'closed' }); root.innerHTML = '<b>Old</b>'</script>${go(`root.querySelector('b').textContent = 'New'`)}`,
      },
      'a new document in a frame': {
        html: '<a id="go" href="/next" target="f">Go</a><iframe name="f" src="/empty"></iframe>',
        says: 'a frame of the page navigated',
      },
      'a change in a cross-process frame': {
        html: go(`frames[0].postMessage('New', '*')`, '<iframe src="OTHER/listens"></iframe>'),
      },
      'a change outside the clicked cross-process frame': {
        html: `<p>Waiting</p><iframe src="OTHER/tells"></iframe><script>onmessage = ({ data }) => { document.querySelector('p').textContent = data }</script>`,
        on: 'iframe >> #in',
      },
      'a text around a cross-origin frame in the same process': {
        html: `<p>Waiting</p><iframe src="NEIGHBOR/tells"></iframe><script>onmessage = ({ data }) => { document.querySelector('p').textContent = data }</script>`,
        on: 'iframe >> #in',
      },
      'a field that receives focus': {
        html: '<input id="go" aria-label="Name">',
        says: 'click on textbox "Name"; it has the focus. The page changed.',
      },
      'focus that moves to another element': {
        html: '<button id="go">Go</button><button>Second</button>',
        method: 'press',
        arguments: ['Tab'],
        says: 'the focus moved to button "Second"',
      },
      'a form blocked by an invalid field': {
        html: `<form action="/next"><input aria-label="Email" type="email" required><label><input type="radio" name="size" required>S</label>
        <label><input type="radio" name="size">M</label><input aria-label="Note"><button id="go">Send</button></form>`,
        says: 'textbox "Email" is invalid: "Please fill out this field."; also invalid: radio "S". The page',
      },
      'a button focused by the method focus': { html: '<button id="go">Go</button>', method: 'focus' },
    },
    {
      'a filled contenteditable element': {
        html: '<div id="go" contenteditable aria-label="Name"></div>',
        method: 'fill',
        arguments: ['Ada'],
      },
      'a moved slider': {
        html: '<input id="go" type="range" aria-label="Loud">',
        method: 'fill',
        arguments: ['70'],
      },
      'a list scrolled to its end': {
        html: '<ul id="go" style="height: 100px; overflow: auto"><li style="height: 900px">Tall</ul>',
        method: 'scrollTo',
        arguments: ['100'],
        says: 'scrolled to the end',
      },
      'selected text in a field': {
        html: '<input id="go" aria-label="Name" value="Ada">',
        method: 'press',
        arguments: ['Control+A'],
        says: 'the text "Ada" is selected',
      },
      'a theme set by a data attribute': { html: go(`document.documentElement.dataset.theme = 'dark'`) },
      'an inline style change': { html: go(`document.querySelector('p').style.opacity = '0.5'`, '<p>Text</p>') },
    },
  );
});

// A headless shell makes no world for a frame without a script.
describe('effect `changed` in a full browser', () => {
  useWholeBrowser();
  const whole = oddPages();

  test('reports "changed" for a change in a frame without a script', async () => {
    whole.server.page('/empty', EMPTY);
    await whole.open(go(`frames[0].document.querySelector('p').textContent = 'New'`, '<iframe src="/empty"></iframe>'));
    expect((await whole.act('#go')).effect).toBe('changed');
  });
});

describe('effect `none-observed`', () => {
  each(
    'none-observed',
    {
      'a button without a listener': {
        html: '<button id="go">Go</button>',
        says: 'click on button "Go"; it has the focus. No other change was observed.',
      },
      'a paragraph without a listener': {
        html: '<p id="go">Go</p>',
        says: 'click on paragraph "Go". No change was observed.',
      },
      'a listener that does nothing': { html: go('') },
      'a checkbox that is already checked': {
        html: '<input id="go" type="checkbox" checked aria-label="Yes">',
        method: 'check',
      },
      'a response that changes nothing': { html: go(`fetch('/late')`) },
      'DOM changes that are not visible': {
        html: go(
          `go.dataset.clicks = 1; document.head.append(document.createElement('meta')); document.body.append(document.createComment('clicked'))`,
        ),
      },
      'a class change that is undone': {
        html: go(
          `go.className = 'pressed'; requestAnimationFrame(() => { go.className = '' })`,
          '<script>go.className = ""</script>',
        ),
      },
      'a spinner that disappears again': {
        html: go(
          `const spinner = document.createElement('i'); spinner.textContent = '…'; document.body.append(spinner); fetch('/late').then(() => spinner.remove())`,
        ),
      },
      'content that rerenders unchanged': {
        html: go('m.innerHTML = m.innerHTML', '<main id="m"><p>Words <b>here</b></p></main>'),
      },
      'a running animation': {
        html: `<style>@keyframes turn { to { rotate: 360deg } } i { display: inline-block; animation: turn 1s infinite }</style>${go('', '<i>*</i>')}`,
      },
    },
    {
      'a link to javascript:void': { html: '<a id="go" href="javascript:void 0">Go</a>' },
      'a click on plain text': { html: '<p id="go">Words</p>' },
      'an option that is already selected': {
        html: '<select id="go" aria-label="Size"><option>S<option>L</select>',
        method: 'select',
        arguments: ['S'],
      },
    },
  );

  /** Does something all the time and counts how often. */
  const ticking = (tick: string): string =>
    `<script>window.ticks = 0; setInterval(() => { ${tick}; window.ticks += 1 }, 40)</script>`;

  test.each(
    rows(
      Object.entries({
        'a clock': `<p></p>${ticking(`document.querySelector('p').textContent = new Date().toISOString()`)}`,
        'a text counter': `<p>0</p>${ticking(`document.querySelector('p').firstChild.data = window.ticks`)}`,
        'a carousel': `<ul><li>One</li><li>Two</li><li>Three</li></ul>${ticking(`const list = document.querySelector('ul'); list.append(list.firstElementChild)`)}`,
        'a clock in a frame': `<iframe srcdoc="<p></p><script>setInterval(() => { document.querySelector('p').textContent = performance.now(); parent.ticks += 1 }, 40)</script>"></iframe><script>window.ticks = 0</script>`,
      }),
      Object.entries({
        'a rotating class': `<ul><li class="on">One</li><li>Two</li></ul>${ticking(`for (const li of document.querySelectorAll('li')) li.classList.toggle('on')`)}`,
        'rotating text': `<p></p>${ticking(`document.querySelector('p').innerHTML = ['<b>Buy</b>', '<b>Sell</b>', '<b>Keep</b>'][window.ticks % 3]`)}`,
        'a progress bar': `<div style="width: 0; height: 4px"></div>${ticking(`document.querySelector('div').style.width = window.ticks % 100 + '%'`)}`,
      }),
    ),
  )('ignores %s that also runs without the action', async (_what, html) => {
    await odd.open(`${html}<button onclick="window.clicked = true">Go</button>`);
    const result = await odd.driver.act('press Go');
    expect(await odd.page.evaluate('window.clicked')).toBe(true);
    expect(result.effect, result.message).toBe('none-observed');
  });

  test('reports "changed" for a click on a page with a running clock', async () => {
    await odd.open(`<p></p><b>Old</b>${ticking(`document.querySelector('p').textContent = new Date().toISOString()`)}
      <button onclick="document.querySelector('b').textContent = 'New'">Go</button>`);
    expect((await odd.driver.act('press Go')).effect).toBe('changed');
  });

  test('reports only what the second of two actions changes', async () => {
    await odd.open(
      `<p id="late">Saved</p>${go(`if (late.role) late.insertAdjacentHTML('afterend', '<b role="alert">Sent</b>')`)}`,
    );
    expect((await odd.act('#go')).effect).toBe('none-observed');
    await odd.page.evaluate("document.querySelector('#late').role = 'alert'");
    const { effect, message } = await odd.act('#go');
    expect(effect, message).toBe('changed');
    expect(message).toContain('Sent');
    expect(message).not.toContain('Saved');
  });
});
