import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  DriverElementNotFoundError,
  DriverInvalidArgumentError,
  SchemaValidationError,
  UnsupportedModelError,
} from '../../src/errors.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

const PAGE = `<!doctype html><title>Mugs</title><h1>Mugs</h1>
  <table><tr><th>Name</th><th>Price</th></tr>
  <tr><td><a href="/mugs/blue">Blue mug</a></td><td>€ 8.50</td></tr>
  <tr><td><a href="/mugs/red">Red mug</a></td><td>€ 9.00</td></tr></table><footer>Imprint</footer>`;

let server: TestServer;
let started: TestDriver;
let script: (request: ModelRequest) => unknown;
let model: ScriptedModel;

beforeAll(async () => {
  server = await serve({ '/': PAGE });
  model = new ScriptedModel((request) => script(request));
  started = await startDriver({ llmClient: model });
  await started.page.goto(server.origin, { waitUntil: 'load' });
});

afterAll(async () => {
  await started?.driver.close();
  await server?.close();
});

const mugs = z.object({ mugs: z.array(z.object({ name: z.string(), price: z.number().positive(), url: z.url() })) });

// [spec: extract-calls.none, extract-calls.options, extract-result.pageText, extract-result.pageText-options]
// [spec: extract-options.none]
test('returns the page text without a model if there is no instruction', async () => {
  const asked = model.requests.length;
  const { pageText } = await started.driver.extract();
  expect(pageText).toContain('heading 1 "Mugs"');
  expect(pageText).toContain('| € 8.50');
  expect(await started.driver.extract({ selector: 'footer' })).toEqual({ pageText: 'contentinfo "Imprint"' });
  expect(model.requests.length).toBe(asked);
});

// [spec: extract-calls.instruction, extract-result.extraction]
test('answers an instruction without a schema as text', async () => {
  script = () => ({ extraction: 'Red mug' });
  expect(await started.driver.extract('the dearest mug')).toEqual({ extraction: 'Red mug' });
});

// [spec: extract-calls.schema, extract-result.object, extract-result.nested, extract-result.url]
test('returns data with the type of the schema, takes URLs from the page, and needs one model call', async () => {
  script = () => ({
    mugs: [
      { name: 'Blue mug', price: 8.5, url: '#0' },
      { name: 'Red mug', price: 9, url: '#1' },
    ],
  });
  const asked = model.requests.length;
  const result = await started.driver.extract('all mugs', mugs);
  expectTypeOf(result).toEqualTypeOf<{
    mugs: { name: string; price: number; url: string }[];
    readonly cacheStatus?: 'HIT' | 'MISS';
  }>();
  expect(result.mugs).toEqual([
    { name: 'Blue mug', price: 8.5, url: `${server.origin}/mugs/blue` },
    { name: 'Red mug', price: 9, url: `${server.origin}/mugs/red` },
  ]);
  expect(model.requests.length - asked).toBe(1);
});

// [spec: extract-result.array, extract-result.scalar]
test('accepts arrays and scalars at the root of a schema', async () => {
  script = () => ({ value: ['Blue mug', 'Red mug'] });
  expect(await started.driver.extract('the names', z.array(z.string()))).toEqual(['Blue mug', 'Red mug']);
  script = () => ({ value: 2 });
  expect(await started.driver.extract('how many mugs', z.number())).toBe(2);
});

// [spec: extract-calls.object, extract-options.selector]
test('accepts instruction, selector and schema in one object', async () => {
  script = () => ({ name: 'Blue mug' });
  const result = await started.driver.extract({
    instruction: 'the first mug',
    selector: 'table',
    schema: z.object({ name: z.string() }),
  });
  expect(result).toEqual({ name: 'Blue mug' });
  expect(model.requests.at(-1)?.page.text).not.toContain('Imprint');
});

// [spec: errors.SchemaValidationError, extract-result.bounds]
test('asks once more for invalid data, then throws a SchemaValidationError with issues and value', async () => {
  const asked = model.requests.length;
  const wrong = { mugs: [{ name: 'Blue mug', price: -1, url: '#0' }] };
  script = () => wrong;
  const failure = started.driver.extract('all mugs', mugs);
  await expect(failure).rejects.toThrow(SchemaValidationError);
  await expect(failure).rejects.toMatchObject({ issues: [{ path: ['mugs', 0, 'price'] }], value: wrong });
  expect(model.requests.length - asked).toBe(2);
});

test('accepts a repaired answer', async () => {
  const answers: unknown[] = [{ mugs: [{ name: 'Blue mug', price: 'eight', url: '#0' }] }, { mugs: [] }];
  script = () => answers.shift();
  expect(await started.driver.extract('all mugs', mugs)).toEqual({ mugs: [] });
});

// [spec: extract-options.screenshot, limits.screenshot]
test('sends a PNG of the viewport with the request', async () => {
  script = () => ({ extraction: 'ok' });
  await started.driver.extract('what is seen', undefined, { screenshot: true });
  const [image] = model.requests.at(-1)?.messages.flatMap(({ images = [] }) => images) ?? [];
  expect(image?.mediaType).toBe('image/png');
  const header = Buffer.from(image?.data ?? []);
  expect([header.readUInt32BE(16), header.readUInt32BE(20)]).toEqual([1280, 720]);
});

// [spec: extract-options.screenshot, limits.screenshot]
// [spec: limits.screenshot]
test('takes the screenshot at the scroll position of a long page', async () => {
  await started.page.goto(
    server.page('/long', '<body style="margin: 0; height: 5000px; background: linear-gradient(red, blue)">'),
  );
  await started.page.evaluate('scrollTo(0, 1000)');
  script = () => ({ extraction: 'ok' });
  await started.driver.extract({ instruction: 'what is seen', screenshot: true });
  const [image] = model.requests.at(-1)?.messages.flatMap(({ images = [] }) => images) ?? [];
  const seen = Buffer.from(await started.page.screenshot());
  expect(Buffer.from(image?.data ?? []).equals(seen)).toBe(true);
  expect(seen.readUInt32BE(20)).toBe(720);
  await started.page.goto(server.origin, { waitUntil: 'load' });
});

// [spec: extract-options.screenshot, errors.UnsupportedModelError]
test('throws an UnsupportedModelError with the model name if a model without images gets a screenshot', async () => {
  const failure = started.driver.extract('the heading', undefined, { screenshot: true, model: 'offline/lexical' });
  await expect(failure).rejects.toThrow(UnsupportedModelError);
  await expect(failure).rejects.toMatchObject({
    model: 'offline/lexical',
    message: expect.stringContaining('screenshot'),
  });
});

// [spec: extract-result.url, extract-result.optional]
test('restores URLs in nested lists, optional fields and unions, from every frame', async () => {
  server.page('/frame', '<title>Frame</title><a href="pot?size=1#lid">Pot</a>');
  await started.page.goto(
    server.page(
      '/nested/',
      `<h2>Mugs</h2><a href="blue"><img src="/blue.png" alt="Blue"></a><a href="//x.test/red">Red</a>
      <iframe src="${server.otherOrigin}/frame"></iframe>`,
    ),
    { waitUntil: 'load' },
  );
  const schema = z.object({
    groups: z.array(
      z.object({
        items: z.array(z.object({ url: z.url(), image: z.url().optional(), more: z.union([z.url(), z.null()]) })),
      }),
    ),
  });
  script = ({ page: { text } }) => {
    const numberOf = (name: string): string | undefined => new RegExp(`"${name}" (#\\d+)`).exec(text)?.[1];
    return {
      groups: [
        { items: [{ url: /link "Blue" (#\d+)/.exec(text)?.[1], image: /img.* (#\d+)/.exec(text)?.[1], more: null }] },
        { items: [{ url: numberOf('Red'), more: numberOf('Pot') }] },
      ],
    };
  };
  const { groups } = await started.driver.extract({ schema });
  expect(groups[0]?.items[0]).toEqual({
    url: `${server.origin}/nested/blue`,
    image: `${server.origin}/blue.png`,
    more: null,
  });
  expect(groups[1]?.items[0]).toEqual({ url: 'http://x.test/red', more: `${server.otherOrigin}/pot?size=1#lid` });
  await started.page.goto(server.origin, { waitUntil: 'load' });
});

test('throws for a selector without matches and for an invalid schema', async () => {
  await expect(started.driver.extract({ selector: '#absent' })).rejects.toThrow(DriverElementNotFoundError);
  await expect(started.driver.extract('x', 'not a schema' as never)).rejects.toThrow(DriverInvalidArgumentError);
  await expect(started.driver.extract('x', { selector: '#a', timeout: 5 } as never)).rejects.toThrow(
    'Received options (selector, timeout). Options come third: `extract(instruction, undefined, { selector, timeout })`',
  );
  await expect(started.driver.extract('x', { price: z.number() } as never)).rejects.toThrow(
    'Received an object of schemas. Wrap it: `z.object({ price })`.',
  );
  await expect(started.driver.extract('x', {} as never)).rejects.toThrow('Received an empty object.');
});

test('sums metrics by verb and in total, and records each call in the history', async () => {
  const before = await started.driver.metrics;
  const metered = new ScriptedModel(() => ({ extraction: 'x' }), {
    usage: { promptTokens: 100, completionTokens: 7, reasoningTokens: 3, cachedInputTokens: 60 },
  });
  await started.driver.extract('anything', undefined, { model: metered });
  const after = await started.driver.metrics;
  expect(Object.keys(after)).toHaveLength(25);
  expect(after.extractPromptTokens - before.extractPromptTokens).toBe(100);
  expect(after.totalCachedInputTokens - before.totalCachedInputTokens).toBe(60);
  expect(after.totalInferenceTimeMs).toBeGreaterThanOrEqual(before.totalInferenceTimeMs);
  expect((await started.driver.history).at(-1)).toMatchObject({
    method: 'extract',
    parameters: { instruction: 'anything' },
    result: { extraction: 'x' },
  });
  expect((await started.driver.history)[0]).toMatchObject({ method: 'navigate', parameters: { method: 'goto' } });
});
