import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Driver, type DriverOptions, type Page } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser({ llmClient: new ScriptedModel([]), selfHeal: false });

const PAGE = (far: string): string => `<!doctype html><title>Page</title><div id="plain">Plain</div><nav>Menu</nav>
  <object data="/none"></object><iframe id="near" src="/near"></iframe><iframe id="blocked" src="${far}/blocked"></iframe>`;

beforeAll(async () => {
  const { server, page } = browser;
  server.page('/', PAGE(server.otherOrigin));
  server.page('/near', '<!doctype html><title>Near</title><button>Near button</button>');
  server.page('/blocked', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'x-frame-options': 'DENY' });
    response.end('<button>Blocked</button>');
  });
  server.page(
    '/busy',
    `<!doctype html><title>Busy</title><iframe id="busy" src="${server.otherOrigin}/loop"></iframe>`,
  );
  server.page('/loop', '<!doctype html><title>Loop</title><button>Loop</button>');
  await page.goto(server.origin, { waitUntil: 'load' });
  // A frame that is blocked has its address once the browser has refused it.
  await vi.waitFor(() => {
    if (!page.frames().some((frame) => frame.url() === `${server.otherOrigin}/blocked`))
      throw new TypeError(JSON.stringify(page.frames().map((frame) => frame.url())));
  }, 10_000);
});

type Verb = 'act' | 'observe' | 'extract';
const VERBS: readonly Verb[] = ['act', 'observe', 'extract'];

/** Does what each verb does with a selector: acts on its element, or reads no more than that. */
function bySelector(verb: Verb, selector: string, page: Page = browser.page): Promise<unknown> {
  const { driver } = browser;
  if (verb === 'act') return driver.act({ selector, description: '', method: 'click', arguments: [] }, { page });
  return verb === 'observe' ? driver.observe({ selector, page }) : driver.extract({ selector, page });
}

// The calls of act wait 5 s for their element, so the tests of all errors run at the same time.
const each = (...cases: readonly (readonly [selector: string, word: string | RegExp])[]) =>
  VERBS.flatMap((verb) => cases.map(([selector, word]) => [verb, selector, word] as const));

describe.concurrent('ContentFrameNotFoundError', () => {
  // [spec: errors.ContentFrameNotFoundError]
  it.each(
    each(
      ['xpath=/html[1]/body[1]/div[1]/html[1]/body[1]/p[1]', '<div#plain> is not a frame'],
      ['//nav/html/body/button', '<nav> is not a frame'],
      ['#plain >> frame=content >> button', '<div#plain> is not a frame'],
      ['//object/html/body/p', 'no document'],
      ['object >> frame=content >> p', 'no document'],
    ),
  )('%s() rejects for %s, which enters an element without a document', async (verb, selector, word) => {
    await expect(bySelector(verb, selector)).rejects.toMatchObject({
      name: 'ContentFrameNotFoundError',
      selector,
      message: expect.stringContaining(String(word)) as string,
    });
  });
});

describe.concurrent('DriverIframeError', () => {
  // [spec: errors.DriverIframeError]
  it.each(
    each(
      ['xpath=/html[1]/body[1]/iframe[7]/html[1]/body[1]/p[1]', 'is not on the page'],
      ['//iframe[@id="gone"]/html/body/p', 'is not on the page'],
      ['#blocked >> button', '/blocked'],
      ['//iframe[@id="blocked"]/html/body/button', '/blocked'],
      ['xpath=/html[1]/body[1]/iframe[2]/html[1]/body[1]/button[1]', 'error page'],
    ),
  )('%s() rejects for %s, whose frame is missing or blocked', async (verb, selector, word) => {
    await expect(bySelector(verb, selector)).rejects.toMatchObject({
      name: 'DriverIframeError',
      message: expect.stringContaining(String(word)) as string,
    });
  });
});

describe.concurrent('XPathResolutionError', () => {
  // [spec: errors.XPathResolutionError]
  it.each(
    each(
      ['//button[', '//button['],
      [' //button[', '//button['],
      ['.//button[foo(]', 'foo'],
      ['xpath=count(//button)', 'returns a value'],
      ['#plain >> xpath=//button[', '//button['],
      ['#near >> //button[', '//button['],
    ),
  )('%s() rejects for the invalid XPath %s', async (verb, selector, word) => {
    await expect(bySelector(verb, selector)).rejects.toMatchObject({
      name: 'XPathResolutionError',
      xpath: selector,
      message: expect.stringContaining(String(word)) as string,
    });
  });

  const NOTHING = ['//x[1]', '//div[1]//x[1]', 'xpath=//x', '(//x)[1]', '/html[1]//x[1]', 'xpath = //x[1]'];

  // [spec: errors.XPathResolutionError]
  it.each(NOTHING)('observe() and extract() reject for %s, which matches nothing', async (selector) => {
    for (const verb of ['observe', 'extract'] as const)
      await expect(bySelector(verb, selector)).rejects.toMatchObject({ name: 'XPathResolutionError', xpath: selector });
  });

  // [spec: errors.DriverElementNotFoundError]
  it('act() throws a DriverElementNotFoundError instead when an XPath matches nothing', async () => {
    const { driver } = browser;
    const failures = await Promise.all(
      ['//x[1]', '(//x)[1]', '/html[1]//x[1]'].map((selector) => failureOf(bySelector('act', selector))),
    );
    for (const failure of failures) expect(failure).toMatchObject({ name: 'DriverElementNotFoundError' });
    expect(driver.context.activePage()).toBe(browser.page);
  });
});

describe.concurrent('DriverShadowRootMissingError', () => {
  // [spec: errors.DriverShadowRootMissingError]
  it.each(each(['xpath=/html[1]/body[1]/div[1]//button[1]', '/html[1]/body[1]/div[1] has none']))(
    '%s() rejects for %s, whose host has no shadow root',
    async (verb, selector, word) => {
      await expect(bySelector(verb, selector)).rejects.toMatchObject({
        name: 'DriverShadowRootMissingError',
        message: expect.stringContaining(String(word)) as string,
      });
    },
  );
});

describe.concurrent('DriverElementNotFoundError', () => {
  // [spec: errors.DriverElementNotFoundError]
  it.each(each(['#absent', '#absent'], ['#near >> #absent', '#absent']))('%s() rejects %s', async (verb, selector) => {
    await expect(bySelector(verb, selector)).rejects.toMatchObject({
      name: 'DriverElementNotFoundError',
      selectors: [selector],
    });
  });
});

// These tests open pages, so they do not run beside those that use the active one.
describe('DriverIframeError in a separate page', () => {
  // [spec: errors.DriverIframeError]
  it.concurrent.each(VERBS)('%s() rejects for an XPath into a removed frame', async (verb) => {
    const { driver, server } = browser;
    const other = await driver.context.newPage(
      server.page('/leaving', '<title>Leaving</title><iframe src="/near"></iframe>'),
    );
    await other.waitForLoadState('load');
    const button = (await driver.observe({ page: other })).find(({ description }) => description.startsWith('button'));
    const selector = button?.selector ?? '';
    expect(selector).toContain('/iframe[1]/html[1]/');
    await other.evaluate(`document.querySelector('iframe').remove()`);
    await expect(bySelector(verb, selector, other)).rejects.toMatchObject({
      name: 'DriverIframeError',
      message: expect.stringContaining(selector) as string,
    });
    await other.close();
  });

  it('rejects for a frame whose script never ends, and reads the rest of the page', async () => {
    const { page, driver, server } = browser;
    const other = await driver.context.newPage(`${server.origin}/busy`);
    await other.waitForLoadState('load');
    const loop = other.frames().find((frame) => frame.url().endsWith('/loop'));
    await loop?.evaluate('void setTimeout(() => { for (;;); }, 0)');
    for (const verb of VERBS)
      expect(await failureOf(bySelector(verb, '#busy >> button', other)), verb).toMatchObject({
        name: 'DriverIframeError',
        message: expect.stringContaining('/loop, which does not respond') as string,
      });
    expect((await driver.extract()).pageText).toContain('This frame does not respond');
    expect((await driver.observe()).map(({ description }) => description)).toEqual(['frame']);
    await other.close();
    driver.context.setActivePage(page);
  });
});

describe('model errors', () => {
  const asking = (driver: Driver, verb: Verb, options: object = {}): Promise<unknown> =>
    verb === 'extract' ? driver.extract('the menu', undefined, options) : driver[verb]('the menu', options);

  // [spec: errors.LLMResponseError]
  it.each(VERBS)('%s() throws an LLMResponseError after two unusable responses', async (verb) => {
    const model = new ScriptedModel(() => ({ nonsense: true }));
    await expect(asking(browser.driver, verb, { model })).rejects.toMatchObject({ name: 'LLMResponseError' });
    expect(model.requests).toHaveLength(2);
  });

  // [spec: errors.InvalidSdkModelFormatError, errors.UnsupportedModelError]
  it.each(
    VERBS.flatMap((verb) => [
      [verb, 'gpt', 'InvalidSdkModelFormatError'] as const,
      [verb, 'nobody/knows', 'UnsupportedModelError'] as const,
    ]),
  )('%s() with the model %j throws an %s', async (verb, model, name) => {
    await expect(asking(browser.driver, verb, { model })).rejects.toMatchObject({ name, model });
  });

  // [spec: errors.MissingLLMConfigurationError]
  it('act(), observe() and extract() throw a MissingLLMConfigurationError without a model', async () => {
    const names = Object.keys(process.env).filter((name) => /^(OPENAI|ANTHROPIC|GOOGLE|GEMINI)\w*_API_KEY$/.test(name));
    const kept = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) delete process.env[name];
    const options: DriverOptions = {
      env: 'LOCAL',
      disableLoggerBackend: true,
      localBrowserLaunchOptions: { cdpUrl: browser.driver.connectURL() },
    };
    const bare = new Driver(options);
    try {
      await bare.init();
      for (const verb of VERBS)
        expect(await failureOf(asking(bare, verb)), verb).toMatchObject({ name: 'MissingLLMConfigurationError' });
    } finally {
      await bare.close();
      for (const [name, value] of kept) if (value !== undefined) process.env[name] = value;
    }
  });
});
