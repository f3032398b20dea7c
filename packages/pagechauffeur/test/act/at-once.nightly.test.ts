import { beforeEach, describe, expect, it } from 'vitest';
import { DriverAbortError, DriverClosedError, DriverTimeoutError, type Page } from '../../src/index.ts';
import { startDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { reusedPage } from '../support/reused-page.ts';
import { useBrowser } from '../support/use-browser.ts';

const NUMBERS = Array.from({ length: 20 }, (_, index) => index + 1);
/** What each field held whenever it told of it, and what was clicked. */
const NOTES = `<script>window.notes = []; const at = ({ target }) => target.id;
  addEventListener('input', (event) => notes.push(at(event) + '=' + event.target.value), true);
  addEventListener('click', (event) => notes.push('click ' + at(event)), true);</script>`;

const test = useBrowser({
  routes: {
    '/': '<title>Start</title>',
    '/login': `<title>Login</title><label>Name <input id="name"></label>
      <label>Password <input type="password" id="password"></label><button id="go">Go</button>${NOTES}`,
    '/twenty': `<title>Twenty</title>${NUMBERS.map((number) => `<label>Field ${number} <input id="f${number}"></label>`).join('')}${NOTES}`,
    '/late': `<title>Late</title><button id="late" disabled>Late</button>
      <button id="trigger" onclick="setTimeout(() => { late.disabled = false }, 50)">Trigger</button>${NOTES}`,
    '/restless': `<title>Restless</title><button id="go" onclick="fetch('/held').then(() => { go.textContent = 'Gone' })">Go</button>
      <label>Name <input id="name"></label><button id="other">Other</button>${NOTES}`,
    '/inner': `<label>City <input id="city"></label>${NOTES}`,
    '/held': 'held',
  },
});
const openPage = reusedPage(test);
let page: Page;

beforeEach(async () => {
  page = await openPage();
});

async function show(path: string): Promise<void> {
  await page.goto(`${test.server.origin}${path}`);
}

function notes(): Promise<string[]> {
  return page.evaluate<string[]>('notes');
}

function action(selector: string, method: string, ...args: string[]): Parameters<typeof test.driver.act>[0] {
  return { selector, description: `${method} ${selector}`, method, arguments: args };
}

describe('concurrent actions on one page', () => {
  it('types a secret only into its own field while another act types', async () => {
    const { driver } = test;
    await show('/login');
    for (let round = 1; round <= 10; round += 1) {
      await page.evaluate(
        `notes.length = 0; document.querySelector('#name').value = document.querySelector('#password').value = ''`,
      );
      const results = await Promise.all([
        driver.act('type %password% into Password', { page, variables: { password: `s3cret-${round}` } }),
        driver.act('type Ada into Name', { page }),
      ]);
      expect(results.map(({ success }) => success)).toEqual([true, true]);
      expect(await page.locator('#name').inputValue()).toBe('Ada');
      expect(await page.locator('#password').inputValue()).toBe(`s3cret-${round}`);
      const ofName = (await notes()).filter((note) => note.startsWith('name='));
      expect(ofName.filter((note) => !'Ada'.startsWith(note.slice('name='.length)))).toEqual([]);
    }
  });

  it('runs twenty concurrent acts in call order', async () => {
    await show('/twenty');
    const acts = NUMBERS.map((number) => test.driver.act(action(`#f${number}`, 'fill', `value ${number}`), { page }));
    const results = await Promise.all(acts);
    expect(results.map(({ effect }) => effect)).toEqual(NUMBERS.map(() => 'changed'));
    expect(await notes()).toEqual(NUMBERS.map((number) => `f${number}=value ${number}`));
  });

  it('does not interleave input from locators, the page, the keyboard and the mouse', async () => {
    await show('/login');
    await page.locator('#name').focus();
    const box = await page.locator('#go').boundingBox();
    await Promise.all([
      page.keyboard.type('slowly typed', { delay: 10 }),
      page.locator('#password').fill('secret'),
      page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5, { delay: 30 }),
      page.locator('#name').press('End'),
      page.type('!', { delay: 10 }),
      page.locator('#password').type('word'),
    ]);
    expect(await page.locator('#name').inputValue()).toBe('slowly typed!');
    expect(await page.locator('#password').inputValue()).toBe('secretword');
    const all = await notes();
    expect(all.slice(0, 12)).toEqual(
      [...'slowly typed'].map((_, index) => `name=${'slowly typed'.slice(0, index + 1)}`),
    );
    expect(all.slice(12, 14)).toEqual(['password=secret', 'click go']);
  });

  it.each(['same origin', 'other origin'])(
    'does not interleave typing in the page and in a frame of the %s',
    async (kind) => {
      const origin = kind === 'same origin' ? test.server.origin : test.server.otherOrigin;
      const url = test.server.page(
        '/around',
        `<title>Around</title><label>Name <input id="name"></label><iframe src="${origin}/inner"></iframe>${NOTES}`,
      );
      await page.goto(url, { waitUntil: 'load' });
      await Promise.all([
        page.locator('#name').type('outside'),
        page.frameLocator('iframe').locator('#city').type('inside'),
        page.locator('#name').type(' again'),
      ]);
      expect(await page.locator('#name').inputValue()).toBe('outside again');
      expect(await page.frameLocator('iframe').locator('#city').inputValue()).toBe('inside');
    },
  );

  it('serializes the input of two drivers on one page', async () => {
    await show('/login');
    await using other = await startDriver({ localBrowserLaunchOptions: { cdpUrl: test.driver.connectURL() } });
    const same = other.driver.context.pages().find((candidate) => candidate.targetId() === page.targetId());
    await Promise.all([
      page.locator('#name').type('typed by the first'),
      same?.locator('#password').type('typed by the second'),
      page.locator('#name').type(' driver'),
    ]);
    expect(await page.locator('#name').inputValue()).toBe('typed by the first driver');
    expect(await page.locator('#password').inputValue()).toBe('typed by the second');
  });
});

describe('waiting for an element', () => {
  it('releases the page lock so that another action can enable the element', async () => {
    await show('/late');
    await Promise.all([page.locator('#late').click(), page.locator('#trigger').click()]);
    expect(await notes()).toEqual(['click trigger', 'click late']);
    await show('/late');
    const { driver } = test;
    await Promise.all([
      driver.act(action('#late', 'click'), { page }),
      driver.act(action('#trigger', 'click'), { page }),
    ]);
    expect(await notes()).toEqual(['click trigger', 'click late']);
  });

  it.each([
    ['is disabled', 'click', 'disabled'],
    ['is read-only', 'fill', 'readonly'],
    ['is hidden', 'click', 'style="display:none"'],
    ['is behind a modal dialog', 'fill', 'data-behind'],
  ])('leaves focus and scroll position unchanged while the element %s', async (_what, method, attribute) => {
    const field = '<label>Name <input id="name"></label>';
    const isBehind = attribute === 'data-behind';
    const url = test.server.page(
      '/waiting',
      `<title>Waiting</title>${isBehind ? `<dialog id="modal">${field}</dialog>` : field}<div style="height:3000px"></div>
       <input id="wanted" ${attribute}>${isBehind ? '<script>modal.showModal()</script>' : ''}`,
    );
    await page.goto(url);
    await page.locator('#name').focus();
    const abort = new AbortController();
    const waiting = failureOf(
      method === 'fill'
        ? page.locator('#wanted').fill('x', { signal: abort.signal })
        : page.locator('#wanted').click({ signal: abort.signal }),
    );
    await page.keyboard.type('Ada, slowly', { delay: 60 });
    expect(await page.locator('#name').inputValue()).toBe('Ada, slowly');
    expect(await page.evaluate('[document.activeElement.id, scrollY]')).toEqual(['name', 0]);
    abort.abort();
    expect(await waiting).toBeInstanceOf(DriverAbortError);
  });
});

describe('call that waits for the page lock', () => {
  it('sends no input when it is aborted, and lets the next call run', async () => {
    await show('/login');
    await page.locator('#name').focus();
    const abort = new AbortController();
    const typing = page.keyboard.type('a text that takes its time', { delay: 10 });
    const aborted = failureOf(page.locator('#password').fill('never', { signal: abort.signal }));
    const next = page.locator('#password').fill('next');
    abort.abort();
    expect(await aborted).toBeInstanceOf(DriverAbortError);
    await Promise.all([typing, next]);
    expect((await notes()).filter((note) => note.startsWith('password'))).toEqual(['password=next']);
  });

  it('names the call that holds the page lock in the timeout error', async () => {
    await show('/login');
    await page.locator('#name').focus();
    const abort = new AbortController();
    const typing = failureOf(page.keyboard.type('x'.repeat(1000), { delay: 50, signal: abort.signal }));
    const { driver } = test;
    const failures = await Promise.all([
      failureOf(page.locator('#go').click({ timeout: 300 })),
      failureOf(page.keyPress('Enter', { timeout: 300 })),
      failureOf(driver.act(action('#go', 'click'), { page, timeout: 2000 })),
    ]);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(DriverTimeoutError);
      expect((failure as DriverTimeoutError).message).toContain('waiting for the page lock: keyboard.type is running');
    }
    abort.abort();
    await typing;
    expect(await notes()).not.toContain('click go');
  });

  it('rejects with a DriverClosedError when the page closes', async () => {
    const closing = await test.driver.context.newPage(`${test.server.origin}/login`);
    await closing.locator('#name').focus();
    const calls = [
      closing.keyboard.type('x'.repeat(1000), { delay: 50 }),
      closing.locator('#go').click(),
      test.driver.act(action('#go', 'click'), { page: closing }),
    ];
    const failures = Promise.all(calls.map(failureOf));
    await closing.waitForFunction(`document.querySelector('#name').value !== ''`);
    await closing.close();
    for (const failure of await failures) expect(failure).toBeInstanceOf(DriverClosedError);
  });

  it('starts after the page has processed all input of an aborted call', async () => {
    await show('/login');
    await page.locator('#name').focus();
    for (let round = 0; round < 5; round += 1) {
      const abort = new AbortController();
      const typing = failureOf(page.keyboard.type('k'.repeat(200), { signal: abort.signal }));
      const next = page.locator('#password').fill('exact');
      setTimeout(() => abort.abort(), 20);
      await Promise.all([typing, next]);
      expect(await page.locator('#password').inputValue()).toBe('exact');
      await page.locator('#name').focus();
    }
  });
});

describe('event handlers during an action', () => {
  it('lets a dialog listener act on the page after it answers the dialog', async () => {
    await show('/restless');
    await page.evaluate(`go.onclick = () => { notes.push(confirm('sure?') ? 'yes' : 'no'); }`);
    const handled = Promise.withResolvers<void>();
    page.once('dialog', (dialog) => {
      const act = async (): Promise<void> => {
        await dialog.accept();
        await page.locator('#other').click();
        await test.driver.act(action('#name', 'fill', 'Ada'), { page });
      };
      return act().then(handled.resolve, handled.reject);
    });
    const result = await test.driver.act(action('#go', 'click'), { page });
    await handled.promise;
    expect(result).toMatchObject({ success: true, effect: 'opened' });
    expect(await notes()).toEqual(['click go', 'yes', 'click other', 'name=Ada']);
  });

  it('lets a route handler act on the page before it continues the request', async () => {
    await show('/restless');
    const [held, handled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/held', async (route) => {
      held.resolve();
      try {
        await page.locator('#other').click();
        await page.locator('#name').type('typed by the handler');
        await route.continue();
        handled.resolve();
      } catch (error) {
        handled.reject(error);
      }
    });
    const acting = test.driver.act(action('#go', 'click'), { page });
    await held.promise;
    const afterwards = page.locator('#name').type(' and afterwards');
    await handled.promise;
    expect(await acting).toMatchObject({ success: true, effect: 'changed' });
    await afterwards;
    await page.unroute('**/held');
    expect(await page.locator('#go').textContent()).toBe('Gone');
    expect(await page.locator('#name').inputValue()).toBe('typed by the handler and afterwards');
  });

  it('does not interleave an unawaited action of a dialog listener with the next call', async () => {
    await show('/restless');
    await page.evaluate(`go.onclick = () => { alert('hello'); }`);
    page.once('dialog', async (dialog) => {
      await dialog.accept();
      await page.locator('#name').type('typed by the handler');
    });
    await page.locator('#go').click();
    await page.locator('#name').type(' of dialogs');
    await expect
      .poll(() => page.locator('#name').inputValue())
      .toMatch(/^(typed by the handler of dialogs| of dialogstyped by the handler)$/);
  });
});

describe('reading during an action', () => {
  it('keeps the hit-target check of an action active while other calls read the page', async () => {
    const url = test.server.page(
      '/guarded',
      `<title>Guarded</title><button id="buy" style="position:fixed;left:100px;top:100px;width:200px;height:60px">Buy</button>
       <div id="veil" style="display:none;position:fixed;inset:0"></div>${NOTES}<script>
       // Something comes between as soon as the pointer does.
       let times = 0; addEventListener('mousemove', () => { if (times++ === 0) { veil.style.display = 'block'; setTimeout(() => { veil.style.display = 'none' }, 400) } }, true);</script>`,
    );
    for (let round = 0; round < 5; round += 1) {
      await page.goto(url);
      const reading = Array.from({ length: 5 }, () => [
        test.driver.extract({ page }),
        page.snapshot(),
        test.driver.observe('find the Buy button', { page }),
      ]).flat();
      const [result] = await Promise.all([test.driver.act(action('#buy', 'click'), { page }), ...reading]);
      expect(result.success).toBe(true);
      expect(await notes()).toEqual(['click buy']);
    }
  });

  it('extracts and takes a screenshot without waiting for the running action', async () => {
    await show('/login');
    await page.locator('#name').focus();
    const abort = new AbortController();
    const typing = failureOf(page.keyboard.type('x'.repeat(2000), { delay: 50, signal: abort.signal }));
    const { pageText } = await test.driver.extract({ page });
    expect(pageText).toContain('Password');
    expect(await page.locator('#password').inputValue()).toBe('');
    expect((await page.screenshot()).length).toBeGreaterThan(0);
    abort.abort();
    await typing;
  });
});
