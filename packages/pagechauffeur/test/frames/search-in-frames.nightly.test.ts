import { beforeEach, describe, expect, it } from 'vitest';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser({ selfHeal: false });
const near = (word: string, rest = ''): string =>
  `<!doctype html><title>${word}</title><button class="go" onclick="this.textContent = 'Done'">${word} button</button>${rest}`;

beforeEach(() => {
  const { server } = browser;
  server.page('/first', near('First'));
  server.page('/second', near('Second'));
  server.page('/nested', near('Nested', `<iframe src="${server.otherOrigin}/deep"></iframe>`));
  server.page('/deep', '<!doctype html><title>Deep</title><button id="deep">Deep button</button>');
  server.page(
    '/target',
    '<!doctype html><title>Target</title><div id="drop" style="height: 80px" ondragover="event.preventDefault()" ondrop="this.textContent = \'Dropped\'">Drop here</div>',
  );
});

async function open(html: string): Promise<void> {
  const { page, server } = browser;
  await page.goto(
    server.page('/', `<!doctype html><title>Page</title>${html.replaceAll('OTHER', server.otherOrigin)}`),
    {
      waitUntil: 'load',
    },
  );
}

const act = (selector: string, method = 'click', ...args: string[]) =>
  browser.driver.act({ selector, description: '', method, arguments: args });

describe('selector without a match in the main frame', () => {
  it.each(rows(['.go', 'role=button[name="Second button"]'], ['//button[@class="go"]', 'text=Second button']))(
    'act(), observe() and extract() find %s in the first matching frame and name the frame',
    async (selector) => {
      await open('<p>Words</p><iframe src="/deep"></iframe><iframe src="OTHER/second"></iframe>');
      const frame = `${browser.server.otherOrigin}/second`;
      const path = 'xpath=/html[1]/body[1]/iframe[2]/html[1]/body[1]/button[1]';
      expect(await browser.driver.observe({ selector })).toMatchObject([{ selector: path }]);
      expect((await browser.driver.extract({ selector })).pageText).toMatch(/^f\d+e\d+ button "Second button"$/);
      const result = await act(selector);
      expect(result.message).toContain(`in the frame ${frame}`);
      expect(result).toMatchObject({ success: true, effect: 'changed', actions: [{ selector: path }] });
      const lines = browser.lines.map(({ category, message }) => `${category}: ${message}`);
      for (const verb of ['act', 'observe', 'extract'])
        expect(lines).toContain(`${verb}: Found ${selector} in the frame ${frame}.`);
    },
  );

  it('act() rejects before its timeout when nth exceeds the matches, but waits for a late match', async () => {
    await open('<i class="go">Page</i><iframe src="/first"></iframe>');
    const action = { selector: '.go >> nth=5', description: '', method: 'click', arguments: [] };
    const failure = browser.driver.act(action, { timeout: 2 ** 31 });
    await expect(failure).rejects.toMatchObject({ name: 'DriverElementNotFoundError' });
    await open('<i class="go">Page</i><iframe src="/first"></iframe>');
    await browser.page.evaluate(
      `setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button class="go" onclick="this.textContent = 1">Late</button>'), 300)`,
    );
    expect(await browser.driver.act({ ...action, selector: '.go >> nth=1' })).toMatchObject({ success: true });
  });

  it('extract() and act() use the first frame in document order, not in load order', async () => {
    await open('<main></main><iframe src="/second"></iframe>');
    await browser.page.evaluate(`new Promise((loaded) => {
      const frame = Object.assign(document.createElement('iframe'), { src: '/first', onload: loaded });
      document.querySelector('main').append(frame);
    })`);
    expect((await browser.driver.extract({ selector: '.go' })).pageText).toContain('First button');
    expect((await act('.go')).message).toContain('/first');
  });

  it('act() and extract() find an element in a cross-origin frame inside a frame', async () => {
    await open('<iframe src="/nested"></iframe>');
    expect((await act('#deep')).actions).toMatchObject([
      { selector: 'xpath=/html[1]/body[1]/iframe[1]/html[1]/body[1]/iframe[1]/html[1]/body[1]/button[1]' },
    ]);
    expect((await browser.driver.extract({ selector: '#deep' })).pageText).toContain('Deep button');
  });

  it('act() waits for a frame that appears later', async () => {
    await open(`<p>Words</p><script>setTimeout(() => {
      document.body.append(Object.assign(document.createElement('iframe'), { src: '/first' })) }, 700)</script>`);
    expect((await act('.go')).message).toContain('/first');
  });

  it('act() drops on an element in a frame', async () => {
    await open('<p id="card" draggable="true">Card</p><iframe src="/target"></iframe>');
    await act('#card', 'dragAndDrop', '#drop');
    expect(await browser.page.locator('iframe >> #drop').textContent()).toBe('Dropped');
  });
});

describe('main frame', () => {
  it('extract() and act() prefer a match in the main frame', async () => {
    await open('<iframe src="/first"></iframe><button class="go">Own button</button>');
    expect((await browser.driver.extract({ selector: '.go' })).pageText).toContain('Own button');
    const { message } = await act('.go');
    expect(message).toContain('Own button');
    expect(message).not.toContain('in the frame');
  });

  it('act() prefers a match that the main frame adds while it loads', async () => {
    const { server } = browser;
    server.page('/slow.js', (_request, response) => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'text/javascript' });
        response.end(`document.body.insertAdjacentHTML('beforeend', '<button class="go">Own button</button>')`);
      }, 600);
    });
    await open(`<iframe src="/first"></iframe><script>onload = () => {
      document.body.append(Object.assign(document.createElement('script'), { src: '/slow.js' })) }</script>`);
    expect((await act('.go')).message).toContain('Own button');
  });

  it('act() and extract() resolve an indexed absolute XPath only in the main frame', async () => {
    await open('<p>Words</p><iframe src="/first"></iframe>');
    const selector = 'xpath=/html[1]/body[1]/button[1]';
    await expect(act(selector)).rejects.toMatchObject({ name: 'DriverElementNotFoundError' });
    await expect(browser.driver.extract({ selector })).rejects.toMatchObject({ name: 'XPathResolutionError' });
    expect((await act('/html/body/button')).message).toContain('/first');
  });

  it('locators search only the main frame', async () => {
    await open('<p>Words</p><iframe src="/first"></iframe>');
    await expect(browser.page.locator('.go').click({ timeout: 1000 })).rejects.toMatchObject({
      name: 'DriverElementNotFoundError',
    });
  });
});
