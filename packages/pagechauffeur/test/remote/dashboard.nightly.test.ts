import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { usePlatform } from '../../../platform/test/support/use-platform.ts';
import { Driver, type Locator, type Page } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { done, step } from '../agent/steps-for-test.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { LOWEST_CONTRAST } from '../support/lowest-contrast.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';

const shared = usePlatform({ allowNetworks: ['127.0.0.1'] });
/** The browser of whoever looks at the dashboard. */
const person = useBrowser();
/** What the rented browser shows; what is done there is kept in the page. */
const SHOP = `<!doctype html><title>Shop <b>& co</b></title>
  <style>body { margin: 0; font: 20px sans-serif } * { box-sizing: border-box }
  #name, #buy, #ask, #file, a { position: absolute; left: 0; width: 400px; height: 100px; font: inherit }
  #pick, #day { position: absolute; left: 500px; top: 0; width: 200px; height: 50px } #day { top: 100px }
  #name { top: 0 } #buy { top: 100px } #ask { top: 200px } #file { top: 300px } a { top: 400px }</style>
  <input id="name" autofocus><button id="buy">Buy</button><button id="ask">Ask</button>
  <select id="pick"><option>red<option disabled>grey<option>blue</select><input id="day" type="date"><input id="file" type="file"><a href="?next" target="_blank">Next</a><div style="height: 3000px"></div>
  <script>
    window.seen = [];
    buy.onclick = (event) => seen.push((event.isTrusted ? 'bought ' : 'faked ') + document.querySelector('#name').value);
    ask.onclick = () => seen.push('told ' + prompt('Whose is it?', 'nobody'));
    for (const field of [pick, day]) field.onchange = () => seen.push(field.value);
    document.querySelector('#file').onchange = async ({ target }) => seen.push(target.files[0].name + ' ' + (await target.files[0].text()));
    addEventListener('touchstart', () => seen.push('touched'));
  </script>`;
const model = new ScriptedModel(({ page }) => {
  const ref = /(e\d+) button/.exec(page.text)?.[1] ?? 'none';
  return {
    action: { ref, description: 'the button', method: 'click', arguments: [] },
    twoStep: false,
    reason: '',
    candidates: [],
  };
});
/** Has the person's page ask for news more often than it does, and keeps its sockets. */
const QUICK_VIEW = `{
  const [later, Plain] = [setTimeout, WebSocket];
  window.setTimeout = (work, ms) => later(work, ms / 5);
  window.sockets = [];
  window.WebSocket = class extends Plain { constructor(url) { super(url); sockets.push(this); } };
}`;

let server: TestServer;
let worker: Driver;
let shop: Page;
/** The page of the person. */
let view: Page;

beforeAll(async () => {
  server = await serve();
  worker = new Driver({
    env: 'REMOTE',
    apiKey: shared.key,
    remoteBaseURL: shared.platform.url,
    llmClient: model,
    disableLoggerBackend: true,
    remoteSessionCreateParams: { viewport: { width: 800, height: 600 }, metadata: { '<i>': '<img src=x onerror=1>' } },
  });
  await worker.init();
  shop = firstPage(worker);
  view = person.page;
  await view.addInitScript(QUICK_VIEW);
});

afterAll(async () => {
  await worker?.close();
  await server?.close();
});

beforeEach(async () => {
  // A test that broke off is not to keep the browser from the next.
  if (await button('Hand back').isVisible()) await handBack();
  await shop.goto(server.page('/shop', SHOP));
});

const screen = (): Locator => view.locator('canvas');
const button = (name: string): Locator => view.getByRole('button', { name, exact: true });
const seen = (): Promise<unknown> => shop.evaluate('window.seen.join()');
const status = (): Promise<string | null> => view.locator('#live-status').textContent();

/** Opens a link and waits for the first picture. */
async function look(address: string | undefined): Promise<void> {
  await view.goto('about:blank');
  await view.goto(address ?? '');
  await view.waitForSelector('canvas[data-pictures]');
}

/** A link with which one may take over, without DevTools, which take their time. */
const controlLink = (): string => (worker.remoteDebugURL ?? '').replace('/debug#', '#');

async function takeOver(): Promise<void> {
  await look(controlLink());
  await button('Take over').click();
  await expect.poll(status).toContain('You have taken over');
}

async function handBack(): Promise<void> {
  await button('Hand back').click();
  await expect.poll(status).toContain('The driver is in control');
}

/** Where a point of the shop is on the person's screen. */
async function placeOf(x: number, y: number): Promise<readonly [number, number]> {
  const box = await screen().boundingBox();
  if (!box) throw new TypeError('no screen');
  return [box.x + (x / 800) * box.width, box.y + (y / 600) * box.height];
}

describe('session page', () => {
  it('shows the browser and its events to users with the link, and removes the token from the URL', async () => {
    await worker.act('buy %what%', { variables: { what: 'a hidden word' } });
    await look(worker.remoteSessionURL);
    expect(view.url()).toBe(`${shared.platform.url}/sessions/${worker.remoteSessionID}`);
    await expect.poll(() => view.locator('.event-log').innerText()).toContain('act\nbuy %what%');
    const text = await view.locator('main').innerText();
    expect(text).toContain('<i>: <img src=x onerror=1>');
    expect(text).toMatch(/changed|none-observed/);
    expect(text).toContain('cache MISS');
    expect(text).not.toContain('hidden word');
    expect(await view.locator('select').innerText()).toContain('Shop <b>& co</b>');
    expect(await view.evaluate('document.querySelectorAll("main img, main b, main i").length')).toBe(0);
    expect(await button('Take over').isVisible()).toBe(false);
    expect(await button('End session').count()).toBe(0);
    expect(await button('DevTools').isVisible()).toBe(false);
  });

  it('shows the page selected in the page list, and removes a closed page from the list', async () => {
    const other = await worker.context.newPage(
      server.page('/other', '<title>Other</title><body style="background: #f00">'),
    );
    await look(worker.remoteSessionURL);
    const shown = (): Promise<unknown> =>
      view.evaluate('[...document.querySelector("canvas").getContext("2d").getImageData(300, 300, 1, 1).data].join()');
    await view.locator('select').selectOption('Other');
    await expect.poll(shown).toMatch(/^25\d,[0-4],[0-4],255$/);
    await view.locator('select').selectOption('Shop <b>& co</b>');
    await expect.poll(shown).toMatch(/^25\d,25\d,25\d,255$/);
    await other.close();
    await expect.poll(() => view.locator('option').count()).toBe(1);
  });

  it('asks for a key without a link, then lists the sessions of the project', async () => {
    await view.sendCDP('Network.clearBrowserCookies');
    await view.goto(`${shared.platform.url}/sessions`);
    await view.getByLabel('API key').fill('ck_0000000000000000.wrong');
    await view.getByLabel('API key').press('Enter');
    await expect.poll(() => view.getByRole('alert').textContent()).toContain('valid API key');
    await view.getByLabel('API key').fill(shared.key);
    await view.getByLabel('API key').press('Enter');
    await view.waitForSelector('tbody tr');
    expect(await view.locator('tbody').innerText()).toContain('Running');
    expect(await view.evaluate('document.cookie')).toBe('');
    const rows = view.locator('tbody tr');
    const texts = (selector: string): Promise<unknown> =>
      view.evaluate(`[...document.querySelectorAll('${selector}')].map((each) => each.textContent)`);
    const columns = await texts('th');
    expect(columns).toEqual(expect.arrayContaining(['State', 'Reason', 'Server', 'Node', 'Project']));
    const other = await shared.ask('POST', '/v1/sessions', { body: { metadata: { name: 'to be released' } } });
    const release = { body: { status: 'REQUEST_RELEASE' } };
    await shared.ask('POST', `/v1/sessions/${String(other.body['id'])}`, release);
    await view.getByLabel('State', { exact: true }).selectOption('Completed');
    await expect
      .poll(() => texts('tbody tr'))
      .toEqual([expect.stringMatching(/Completed.*The session was released\..*default/)]);
    await view.getByLabel('Filter').fill('not there');
    await expect.poll(() => view.getByRole('status').first().textContent()).toBe('No session matches the filter.');
    await view.getByLabel('Filter').fill('RELEASED name');
    await expect.poll(() => rows.count()).toBe(1);
    await view.getByLabel('Filter').fill('');
    await view.getByLabel('State', { exact: true }).selectOption('Running');
    await expect.poll(() => texts('tbody tr')).toEqual([expect.stringContaining('Running')]);
    await view.locator('tbody a').click();
    await view.waitForSelector('canvas[data-pictures]');
    expect(await button('Take over').isVisible()).toBe(true);
    await button('Sign out').click();
    await view.waitForSelector('#key');
  });
});

describe('live updates', () => {
  it('keeps the keyboard focus when session data changes', async () => {
    const focused = (): Promise<unknown> => view.evaluate('document.activeElement === window.kept');
    const keep = 'window.kept = document.activeElement';
    await view.goto(`${shared.platform.url}/sessions`);
    await view.getByLabel('API key').fill(shared.key);
    await view.getByLabel('API key').press('Enter');
    const link = view.locator('tbody tr', { hasText: 'Running' }).locator('a');
    await link.focus();
    await view.evaluate(keep);
    const path = `/v1/sessions/${worker.remoteSessionID}`;
    await shared.ask('POST', path, { body: { metadata: { step: 'next' } } });
    await expect.poll(() => view.locator('tbody').innerText()).toContain('step: next');
    expect(await view.evaluate('document.activeElement.matches("tbody a")')).toBe(true);
    await link.click();
    await view.waitForSelector('canvas[data-pictures]');
    await button('End session').focus();
    await view.evaluate(keep);
    await shared.ask('POST', path, { body: { metadata: { step: 'last' } } });
    await expect.poll(() => view.locator('main').innerText()).toContain('step: last');
    expect(await focused()).toBe(true);
    await button('Sign out').click();
    await view.waitForSelector('#key');
  });

  it('asks for a key after the key of the link was revoked', async () => {
    const scopes = ['sessions:read', 'sessions:write'] as const;
    const { row, text } = await shared.platform.keys.create({
      project: 'default',
      name: 'short',
      scopes,
      expiresAt: undefined,
    });
    await look(controlLink());
    const other = await shared.ask('GET', `/v1/sessions/${worker.remoteSessionID}`, { key: text });
    await look(String(other.body['sessionUrl']));
    await shared.platform.keys.revoke('default', row.id);
    await expect.poll(() => view.locator('#key').count()).toBe(1);
  });
});

describe('takeover by an operator', () => {
  it('sends mouse, wheel and keys while the driver waits for the hand-back', async () => {
    await takeOver();
    await view.click(...(await placeOf(200, 50)));
    await view.keyboard.type('Ann x');
    await view.keyboard.press('Backspace');
    await view.click(...(await placeOf(200, 150)));
    await expect.poll(seen).toBe('bought Ann ');
    await view.scroll(...(await placeOf(200, 300)), 0, 400);
    await expect.poll(() => shop.evaluate('scrollY')).toBe(400);
    const asked = model.requests.length;
    let isDone = false;
    const acted = worker.act('buy').then(() => (isDone = true));
    await view.keyboard.press('Home');
    await expect.poll(() => shop.evaluate('scrollY')).toBe(0);
    expect([isDone, model.requests.length]).toEqual([false, asked]);
    await expect(shop.goto(server.page('/late', 'late'))).rejects.toThrow('An operator has taken over');
    await button('Hand back').click();
    await acted;
    expect(await seen()).toBe('bought Ann ,bought Ann ');
  });

  it('opens URLs, goes back, and reports a URL that it cannot open', async () => {
    await takeOver();
    const address = view.getByLabel('Address');
    await address.fill(server.page('/next', '<title>Next</title>'));
    await address.press('Enter');
    await expect.poll(() => shop.title()).toBe('Next');
    await button('Back').click();
    await expect.poll(() => shop.title()).toContain('Shop');
    await address.fill('file:///etc/passwd');
    await address.press('Enter');
    await expect.poll(() => view.getByRole('alert').innerText()).toContain('can only open web pages');
    await handBack();
  });

  it('works by keyboard alone, and Ctrl+Alt+Home releases the keyboard', async () => {
    await look(controlLink());
    const focused = (): Promise<unknown> =>
      view.evaluate('document.activeElement.textContent || document.activeElement.tagName');
    for (let tabs = 0; tabs < 20 && (await focused()) !== 'Take over'; tabs += 1) await view.keyboard.press('Tab');
    expect(await view.evaluate('document.activeElement.matches(":focus-visible")')).toBe(true);
    await view.keyboard.press('Enter');
    await expect.poll(focused).toBe('TEXTAREA');
    expect(await view.evaluate('getComputedStyle(document.querySelector("canvas")).outlineStyle')).toBe('solid');
    await view.keyboard.type('Bo');
    await view.keyboard.press('Tab');
    await view.keyboard.press('Enter');
    await expect.poll(seen).toBe('bought Bo');
    await view.keyboard.press('Control+Alt+Home');
    expect(await focused()).toBe('Hand back');
    await view.keyboard.press('Enter');
    await expect.poll(status).toContain('The driver is in control');
  });

  it('works on a phone: fits the screen, sends touches and its keyboard input', async () => {
    await view.setViewportSize(390, 844);
    await takeOver();
    expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: (readonly [number, number])[]) =>
      view.sendCDP('Input.dispatchTouchEvent', { type, touchPoints: places.map(([x, y]) => ({ x, y })) });
    const [buy, far, near] = await Promise.all([placeOf(200, 150), placeOf(600, 500), placeOf(600, 100)]);
    await view.getByLabel('Type into the page').focus();
    await view.sendCDP('Input.insertText', { text: 'Zoë' });
    await expect.poll(() => shop.locator('#name').inputValue()).toBe('Zoë');
    await touch('touchStart', buy);
    await touch('touchEnd');
    await expect.poll(seen).toBe('touched,bought Zoë');
    await touch('touchStart', far);
    await touch('touchMove', near);
    await touch('touchEnd');
    await expect.poll(() => shop.evaluate('scrollY')).toBeGreaterThan(100);
    // Two fingers are for the page around.
    await touch('touchStart', buy);
    await touch('touchStart', buy, far);
    await touch('touchEnd');
    expect(await seen()).not.toContain('bought Zoë,touched,touched,bought');
    await handBack();
    await view.setViewportSize(1280, 720);
  });

  it('sends pasted and composed text, and Cmd as Ctrl', async () => {
    await takeOver();
    const typing = view.getByLabel('Type into the page');
    const name = (): Promise<string> => shop.locator('#name').inputValue();
    await view.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'pasted ');
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
    }`);
    await expect.poll(name).toBe('pasted ');
    await typing.focus();
    await view.sendCDP('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await expect.poll(name).toBe('pasted に');
    await view.sendCDP('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 });
    await expect.poll(name).toBe('pasted 日本');
    await view.sendCDP('Input.insertText', { text: '日本' });
    await view.keyboard.press('End');
    await view.keyboard.type('!');
    await expect.poll(name).toBe('pasted 日本!');
    await view.keyboard.press('Meta+A');
    await view.keyboard.type('new');
    await expect.poll(name).toBe('new');
    await handBack();
  });

  it('lets the operator answer dialogs and choose files, and closes a dialog on hand-back', async () => {
    await takeOver();
    await view.click(...(await placeOf(200, 250)));
    const dialog = view.getByRole('alertdialog');
    await expect.poll(() => dialog.innerText()).toContain('Whose is it?');
    expect(await view.evaluate('document.activeElement.value')).toBe('nobody');
    await view.keyboard.press('Control+A');
    await view.keyboard.type('mine');
    await view.keyboard.press('Enter');
    await expect.poll(seen).toBe('told mine');
    await view.click(...(await placeOf(60, 320)));
    const chooser = view.locator('#request-files');
    await chooser.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('grüße') });
    await button('Send to the page').click();
    await expect.poll(seen).toBe('told mine,note.txt grüße');
    await view.click(...(await placeOf(200, 250)));
    await dialog.waitFor();
    await button('Hand back').click();
    await expect.poll(seen).toBe('told mine,note.txt grüße,told null');
    await expect.poll(() => dialog.count()).toBe(0);
  });

  it('replaces native select and date popups for mouse and touch', async () => {
    await takeOver();
    await view.click(...(await placeOf(600, 25)));
    const field = view.locator('#request-field');
    await field.waitFor();
    expect(await field.innerText()).toBe('red\ngrey\nblue');
    await field.selectOption('blue');
    await button('Choose').click();
    await expect.poll(seen).toBe('blue');
    // The screen has its place again when nothing is above it.
    await expect.poll(() => field.count()).toBe(0);
    const [x, y] = await placeOf(600, 125);
    await view.sendCDP('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await view.sendCDP('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await view.locator('#request-field[type=date]').fill('2031-05-17');
    await view.keyboard.press('Enter');
    await expect.poll(seen).toBe('blue,touched,2031-05-17');
    await view.click(...(await placeOf(600, 25)));
    await expect.poll(() => view.evaluate('document.activeElement.id')).toBe('request-field');
    await view.keyboard.press('Escape');
    await expect.poll(() => field.count()).toBe(0);
    expect(await seen()).toBe('blue,touched,2031-05-17');
    await handBack();
  });

  it.each([
    ['an empty area', 600, 300, 'mousedown 0,mousedown 2,mouseup 0,mouseup 2'],
    ['a select, whose popup the dashboard replaces', 600, 25, 'mousedown 2,mouseup 2'],
  ])('sends one release per button while two are held over %s', async (_place, left, top, events) => {
    await shop.evaluate(`for (const type of ['mousedown', 'mouseup'])
      addEventListener(type, (event) => { event.preventDefault(); seen.push(type + ' ' + event.button); })`);
    await takeOver();
    const [x, y] = await placeOf(left, top);
    const mouse = (type: 'mousePressed' | 'mouseReleased', changed: 'left' | 'right', buttons: number) =>
      view.sendCDP('Input.dispatchMouseEvent', { type, x, y, button: changed, buttons, clickCount: 1 });
    await mouse('mousePressed', 'left', 1);
    await mouse('mousePressed', 'right', 3);
    await mouse('mouseReleased', 'left', 2);
    await mouse('mouseReleased', 'right', 0);
    await handBack();
    expect(await seen()).toBe(events);
  });

  it('follows an opened page, reports a crashed one, and reloads it', async () => {
    await takeOver();
    await view.click(...(await placeOf(40, 410)));
    const shown = (): Promise<unknown> => view.evaluate('document.querySelector("[aria-label=Address]").value');
    await expect.poll(shown).toContain('?next');
    await expect.poll(() => worker.context.pages().length).toBe(2);
    const [, next] = worker.context.pages();
    await next?.waitForLoadState('load');
    await next?.sendCDP('Page.crash').catch(() => undefined);
    await expect.poll(status).toContain('crashed');
    await button('Reload').click();
    await expect.poll(status).toContain('You have taken over');
    const pictures = await screen().getAttribute('data-pictures');
    await view.getByLabel('Type into the page').focus();
    await view.keyboard.type('x');
    await expect.poll(() => screen().getAttribute('data-pictures')).not.toBe(pictures);
    await handBack();
    await shop.sendCDP('Target.closeTarget', { targetId: next?.targetId() });
    await expect.poll(() => view.locator('option').count()).toBe(1);
  });

  it('restores control after a lost connection', async () => {
    await takeOver();
    await view.evaluate('sockets.at(-1).close()');
    await expect.poll(() => view.evaluate('sockets.length')).toBe(2);
    await expect.poll(status).toContain('You have taken over');
    await view.getByLabel('Type into the page').focus();
    await view.keyboard.type('still here');
    await expect.poll(() => shop.locator('#name').inputValue()).toBe('still here');
    await handBack();
  });

  it('pauses an agent, whose model then sees the page as the operator left it', async () => {
    const isTaken = Promise.withResolvers<void>();
    const steps = new ScriptedModel([
      async () => {
        await takeOver();
        isTaken.resolve();
        return { text: '', calls: [{ tool: 'press', input: { keys: 'z' } }] };
      },
      // What was not done because of a person is nothing that failed.
      done('Looked.'),
    ]);
    const run = worker.agent({ model: steps }).execute('Press z');
    // It is awaited below, and is no error of another test when this one breaks off.
    run.catch(() => undefined);
    await isTaken.promise;
    await view.click(...(await placeOf(200, 50)));
    await view.keyboard.type('by hand');
    await handBack();
    expect(await run).toMatchObject({ success: true, message: 'Looked.' });
    const told = JSON.stringify(steps.requests[1]?.messages);
    expect(told).toContain('an operator took over the browser');
    expect(told).toContain('by hand');
  });

  it('hands back after a slow page has accepted all typed text', async () => {
    await takeOver();
    await view.click(...(await placeOf(200, 50)));
    await shop.evaluate(
      `document.addEventListener('keydown', () => { const end = performance.now() + 500; while (performance.now() < end); })`,
    );
    await view.keyboard.type('slowly');
    await handBack();
    expect(await shop.evaluate('document.querySelector("#name").value')).toBe('slowly');
  });

  it('keeps control after a reload, and loses it to another operator', async () => {
    await takeOver();
    await view.goto('about:blank');
    await look(controlLink());
    await expect.poll(status).toContain('You have taken over');
    const other = await person.driver.context.newPage(controlLink());
    await other.waitForSelector('canvas[data-pictures]');
    await expect.poll(() => other.locator('#live-status').textContent()).toContain('Another operator has taken over');
    await other.getByRole('button', { name: 'Take over', exact: true }).click();
    await expect.poll(status).toContain('Another operator has taken over');
    await other.getByRole('button', { name: 'Hand back', exact: true }).click();
    await expect.poll(status).toContain('The driver is in control');
    await other.close();
  });
});

describe('driver.askPerson()', () => {
  it('shows a question until the operator answers or declines it or the caller aborts', async () => {
    await look(controlLink());
    const ask = (kind: 'question' | 'code', question: string) => worker.askPerson({ kind, question });
    const size = ask('question', 'Which <b>size</b>?');
    await view.getByLabel('Answer').fill('large');
    expect(await view.evaluate('document.title')).toMatch(/^● Session/);
    await view.getByLabel('Answer').press('Enter');
    expect(await size).toEqual({ text: 'large' });
    const code = ask('code', 'What was sent to you?');
    await view.getByLabel('Code').fill('424 242');
    await button('Answer').click();
    expect(await code).toEqual({ variables: { code: '424 242' } });
    const helpless = ask('question', 'Which color?');
    // The one before has the same button for as long as it is shown.
    await expect.poll(() => view.locator('.questions').innerText()).toMatch(/^Question\s+Which color/);
    await button('Cannot help').click();
    expect(await helpless).toBeUndefined();
    await look(worker.remoteSessionURL);
    const stop = new AbortController();
    const late = failureOf(worker.askPerson({ question: 'Is anybody there?', signal: stop.signal }));
    await expect.poll(() => view.locator('.questions').innerText()).toContain('is read-only');
    expect(await button('Answer').count()).toBe(0);
    stop.abort();
    expect(await late).toMatchObject({ code: 'ABORTED' });
    await expect.poll(() => view.locator('.questions').innerText()).toBe('');
    expect(await view.evaluate('document.title')).toMatch(/^Session/);
  });

  it('answers the handoff of an agent when the operator hands back', async () => {
    const handoff = { tool: 'handoff', input: { kind: 'captcha', question: 'Write the letters down' } };
    const steps = new ScriptedModel([step(handoff), done('Gone on.')]);
    const run = worker.agent({ model: steps }).execute({
      instruction: 'Buy it',
      callbacks: { onHandoff: (question) => worker.askPerson(question) },
    });
    await look(controlLink());
    await expect.poll(() => view.locator('.questions').innerText()).toContain('Write the letters down');
    await button('Take over').click();
    await expect.poll(status).toContain('You have taken over');
    await view.click(...(await placeOf(200, 50)));
    await view.keyboard.type('qwerty');
    await handBack();
    expect((await run).message).toContain('Gone on.');
    const told = JSON.stringify(steps.requests[1]?.messages);
    expect(told).toContain('The user has done it.');
    expect(told).toContain('qwerty');
    expect(await view.locator('.questions').innerText()).toBe('');
  });

  it('rejects with UNSUPPORTED_FEATURE without a dashboard', async () => {
    const refused = await failureOf(person.driver.askPerson({ question: 'Anybody?' }));
    expect(refused).toMatchObject({ code: 'UNSUPPORTED_FEATURE' });
  });
});

it.each(['light', 'dark'])('has a contrast above 4.5 on the session and API pages in %s mode', async (scheme) => {
  await view.sendCDP('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  await look(controlLink());
  expect(await view.evaluate(LOWEST_CONTRAST)).toBeGreaterThan(4.5);
  await view.goto(`${shared.platform.url}/api`);
  await view.locator('summary').first().click();
  expect(await view.locator('main').innerText()).toMatch(/POST\s+\/v1\/sessions/);
  expect(await view.evaluate(LOWEST_CONTRAST)).toBeGreaterThan(4.5);
});

it('opens DevTools of the shown page from the debug link', async () => {
  await look(worker.remoteDebugURL);
  const frame = view.locator('iframe');
  const { remoteSessionID: id } = worker;
  const socket = `${new URL(shared.platform.url).host}/v1/sessions/${id}/devtools/page/${shop.targetId()}`;
  await expect.poll(() => frame.getAttribute('src')).toBe(`/v1/sessions/${id}/devtools/devtools_app.html?ws=${socket}`);
  await button('DevTools').click();
  expect(await frame.count()).toBe(0);
});

it('shows that the session ended while its page is open', async () => {
  await look(controlLink());
  await worker.close();
  await expect.poll(() => view.locator('h1').innerText()).toContain('Completed');
  await expect.poll(status).toContain('exited');
  for (const name of ['End session', 'Take over', 'Connect again']) expect(await button(name).isVisible()).toBe(false);
});
