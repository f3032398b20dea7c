import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { usePlatform } from '../../../platform/test/support/use-platform.ts';
import { Driver, type DriverOptions, type Page } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

const shared = usePlatform({ allowNetworks: ['127.0.0.1'] });
const pageWith = (name: string, price: number): string => `<!doctype html><title>Shop</title>
  <p>Mug</p><p>Price: ${price}</p><button onclick="this.textContent += '!'">${name}</button>`;
const PRICE = z.object({ price: z.number() });
/** Answers every verb by what it was shown, as a model would. */
const model = new ScriptedModel(({ verb, page, schema }) => {
  const ref = /(e\d+) button/.exec(page.text)?.[1] ?? 'none';
  const price = Number(/Price: (\d+)/.exec(page.text)?.[1]);
  if (verb === 'extract')
    return 'extraction' in (schema['properties'] as object) ? { extraction: `It costs ${price}.` } : { price };
  const action = { ref, description: 'the button', method: 'click', arguments: [] };
  return verb === 'observe' ? { elements: [action] } : { action, twoStep: false, reason: '', candidates: [] };
});
/** What a schema may make of a price. */
class Price {
  readonly #euros: number;

  constructor(euros: number) {
    this.#euros = euros;
  }

  get euros(): number {
    return this.#euros;
  }
}
let server: TestServer;
let driver: Driver;
let page: Page;

async function open(options: Partial<DriverOptions> = {}): Promise<Driver> {
  const opened = new Driver({
    env: 'REMOTE',
    apiKey: shared.key,
    remoteBaseURL: shared.platform.url,
    llmClient: model,
    disableLoggerBackend: true,
    ...options,
  });
  await opened.init();
  return opened;
}

async function show(name: string, price = 5): Promise<void> {
  await page.goto(server.page('/', pageWith(name, price)));
}

beforeAll(async () => {
  server = await serve();
  driver = await open();
  page = firstPage(driver);
});

afterAll(async () => {
  await driver?.close();
  await server?.close();
});

beforeEach(() => model.requests.splice(0));

describe('platform cache', () => {
  // [spec: act-result.cacheStatus, driver-options.serverCache, act-options.serverCache]
  it('replays act() without a model on the same page and misses on a changed one', async () => {
    await show('Buy');
    expect(await driver.act('buy it')).toMatchObject({ success: true, cacheStatus: 'MISS' });
    await show('Buy');
    expect(await driver.act('buy it')).toMatchObject({ success: true, effect: 'changed', cacheStatus: 'HIT' });
    expect(model.requests).toHaveLength(1);
    expect((await driver.metrics).totalPromptTokens).toBe(0);
    await show('Sell');
    expect(await driver.act('buy it')).toMatchObject({ cacheStatus: 'MISS' });
    await show('Buy');
    const fresh = await driver.act('buy it', { serverCache: false });
    expect(fresh).not.toHaveProperty('cacheStatus');
    expect(model.requests).toHaveLength(3);
  });

  // [spec: extract-result.cacheStatus, extract-options.serverCache]
  it('replays extract() while the page is unchanged', async () => {
    await show('Buy');
    expect(await driver.extract('the price', PRICE)).toEqual({ price: 5, cacheStatus: 'MISS' });
    expect(await driver.extract('the price', PRICE)).toEqual({ price: 5, cacheStatus: 'HIT' });
    expect(await driver.extract('the price')).toEqual({ extraction: 'It costs 5.', cacheStatus: 'MISS' });
    expect(await driver.extract('the price')).toEqual({ extraction: 'It costs 5.', cacheStatus: 'HIT' });
    await show('Buy', 6);
    expect(await driver.extract('the price', PRICE)).toEqual({ price: 6, cacheStatus: 'MISS' });
    expect(model.requests).toHaveLength(3);
    expect(await driver.extract('the price', PRICE, { serverCache: false })).toEqual({ price: 6 });
    expect(await driver.extract()).not.toHaveProperty('cacheStatus');
    await expect(driver.extract('the price', z.object({ price: z.string() }))).rejects.toThrow('schema');
  });

  it('adds cacheStatus to plain objects only, also in the type', async () => {
    await show('Buy', 7);
    const asInstance = PRICE.transform(({ price }) => new Price(price));
    const instance: Price = await driver.extract('the price', asInstance);
    expect([instance instanceof Price, instance.euros]).toEqual([true, 7]);
    expect(instance).not.toHaveProperty('cacheStatus');
    const list: number[] = await driver.extract(
      'the price',
      PRICE.transform(({ price }) => [price]),
    );
    expect(list).toEqual([7]);
    const object = await driver.extract('the price', PRICE);
    const status: 'HIT' | 'MISS' | undefined = object.cacheStatus;
    expect(status).toBe('HIT');
  });

  // [spec: observe-options.serverCache]
  it('replays observe() without a model', async () => {
    await show('Look');
    const first = await driver.observe('what to click');
    await show('Look');
    expect(await driver.observe('what to click')).toEqual(first);
    expect(model.requests).toHaveLength(1);
    await driver.observe('what to click', { serverCache: false });
    expect(model.requests).toHaveLength(2);
  });

  it('is off with `serverCache: false` of the driver unless a call turns it on', async () => {
    const id = driver.remoteSessionID ?? '';
    const other = await open({ remoteSessionID: id, serverCache: false, keepAlive: true });
    await firstPage(other).goto(server.page('/', pageWith('Buy', 5)));
    expect(await other.extract('the price', PRICE)).toEqual({ price: 5 });
    expect(await other.extract('the price', PRICE, { serverCache: true })).toEqual({ price: 5, cacheStatus: 'HIT' });
    await other.close();
    expect(model.requests).toHaveLength(1);
  });
});
