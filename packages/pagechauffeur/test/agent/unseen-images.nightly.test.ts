import { describe, expect, it } from 'vitest';
import { tool } from 'ai';
import { z } from 'zod';
import type { LogLine } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import type { ReceivedCall, ServerAnswer } from '../model/provider-server.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { PICTURE } from '../tools/mcp-server.ts';
import { IMAGE_FORMATS, type ImageFormat, imagesIn, OPENAI_BY_CHAT, strictServer } from './image-formats.ts';
import { done, step } from './steps-for-test.ts';

const browser = useBrowser();

const PAGE = '<title>Dial</title><button>Turn</button>';
const PNG = Buffer.from(PICTURE, 'base64');
const CAMERA = tool({ description: 'Takes a picture', inputSchema: z.object({}), execute: () => PNG });

/** How servers refuse pictures that their models cannot see. */
const REFUSALS: readonly (readonly [string, number, string])[] = [
  ['Ollama', 400, 'this model does not support image input'],
  ['OpenRouter', 404, 'No endpoints found that support image input'],
  ['llama.cpp', 500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
  ['vLLM', 400, 'At most 0 image(s) may be provided in one prompt.'],
  ['OpenAI', 400, 'Invalid content type. image_url is only supported by certain models.'],
  ['a server that only reports an expected string', 422, "messages.1.content: Input should be a valid 'string'"],
];

/** Asks for a picture, then for another one, and is done; a request with more pictures than the model sees is refused. */
function answers(format: ImageFormat, { most = 0, refusal }: { most?: number; refusal: readonly [number, string] }) {
  let count = 0;
  return (call: ReceivedCall): ServerAnswer => {
    const [status, message] = refusal;
    if (imagesIn(format, call).length > most) return { status, body: format.provider.error(message) };
    count += 1;
    const end = { tool: 'done', input: { success: true, message: 'Seen.' } };
    return format.agent.answer([{ id: `call_${count}`, ...(count < 3 ? { tool: 'camera', input: {} } : end) }]);
  };
}

function warningsSince(count: number): readonly LogLine[] {
  return browser.lines
    .slice(count)
    .filter(({ message }) => /does not accept images|one image per request|rejected images/.test(message));
}

function run(format: ImageFormat, server: { readonly url: string }, options: object = {}) {
  const agent = browser.driver.agent({ model: format.model(server, options), tools: { camera: CAMERA } });
  return agent.execute({ instruction: 'Take pictures', page: browser.page });
}

describe('a model without image input', () => {
  it.each(REFUSALS)(
    'receives no more images after %s refuses one (HTTP %i: %s), and the run continues',
    async (_server, ...refusal) => {
      await browser.page.setContent(PAGE);
      const format = OPENAI_BY_CHAT;
      await using server = await strictServer(format, answers(format, { refusal }));
      const lines = browser.lines.length;
      expect(await run(format, server)).toMatchObject({ success: true, message: 'Seen.' });
      const sent = server.calls.map((call) => imagesIn(format, call).length);
      // One request is refused; all that was asked after it came without pictures.
      expect(sent.filter((count) => count > 0).length).toBeLessThanOrEqual(2);
      expect(sent.slice(-2)).toEqual([0, 0]);
      const warnings = warningsSince(lines);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatchObject({ category: 'model', message: expect.stringContaining(refusal[1]) });
      expect(server.calls.at(-1)?.bytes).toContain('because you cannot view images');
    },
  );

  it.each(IMAGE_FORMATS)(
    'receives no more images from requests to %s after a refusal, with one warning',
    async (name, format) => {
      await browser.page.setContent(PAGE);
      // A driver warns of the same once.
      const refusal = [400, `${name} does not support image input`] as const;
      await using server = await strictServer(format, answers(format, { refusal }));
      const lines = browser.lines.length;
      expect(await run(format, server)).toMatchObject({ success: true, message: 'Seen.' });
      expect(server.calls.map((call) => imagesIn(format, call).length)).toEqual([0, 1, 0, 0]);
      expect(warningsSince(lines)).toHaveLength(1);
    },
  );

  it('gets `extract` requests without the screenshot after the first refusal', async () => {
    await browser.page.setContent(PAGE);
    const format = OPENAI_BY_CHAT;
    const answer = format.provider.answer(JSON.stringify({ extraction: 'a button' }));
    const refuse = (call: ReceivedCall): ServerAnswer =>
      imagesIn(format, call).length > 0 ? { status: 400, body: format.provider.error('no vision support') } : answer;
    await using server = await strictServer(format, refuse);
    const options = { page: browser.page, model: format.model(server), screenshot: true };
    expect(await browser.driver.extract('what is seen', undefined, options)).toMatchObject({ extraction: 'a button' });
    expect(await browser.driver.extract('what is left', undefined, options)).toMatchObject({ extraction: 'a button' });
    expect(server.calls.map((call) => imagesIn(format, call).length)).toEqual([1, 0, 0]);
  });

  it('gets text and no screenshots in hybrid mode with `takesImages: false`, with one warning', async () => {
    await browser.page.setContent(PAGE);
    const format = OPENAI_BY_CHAT;
    const end = { id: 'call_1', tool: 'done', input: { success: true, message: 'Seen.' } };
    await using server = await strictServer(format, format.agent.answer([end]));
    const lines = browser.lines.length;
    const agent = browser.driver.agent({ model: format.model(server, { takesImages: false }), mode: 'hybrid' });
    expect(await agent.execute({ instruction: 'Look', page: browser.page })).toMatchObject({ success: true });
    const [call] = server.calls;
    expect(call && imagesIn(format, call)).toEqual([]);
    expect(call?.bytes).not.toMatch(/clickAt|takesImages|"screenshot"/);
    expect(warningsSince(lines)).toMatchObject([{ category: 'agent', message: expect.stringContaining('"hybrid"') }]);
  });

  it('gets no images as a custom model client with `takesImages: false`', async () => {
    await browser.page.setContent(PAGE);
    const scripted = new ScriptedModel([step({ tool: 'camera' }), done('Seen.')], { allowUnknownRefs: true });
    const model = { takesImages: false, generate: scripted.generate.bind(scripted) };
    const lines = browser.lines.length;
    const agent = browser.driver.agent({ model, tools: { camera: CAMERA } });
    expect(await agent.execute({ instruction: 'Look', page: browser.page })).toMatchObject({ success: true });
    expect(JSON.stringify(scripted.requests.map(({ messages }) => messages))).not.toContain('mediaType');
    expect(warningsSince(lines)).toHaveLength(1);
  });

  it('throws when `takesImages` is not a boolean', async () => {
    const model = OPENAI_BY_CHAT.model({ url: 'http://127.0.0.1:9' }, { takesImages: 'no' });
    const failure = await failureOf(browser.driver.observe('all', { page: browser.page, model }));
    expect(failure).toMatchObject({
      name: 'DriverInvalidArgumentError',
      message: expect.stringContaining('model.takesImages must be a boolean'),
    });
  });
});

it('sends only the newest image to a model that accepts one image per request', async () => {
  await browser.page.setContent(PAGE);
  const format = OPENAI_BY_CHAT;
  const refusal = [400, 'At most 1 image(s) may be provided in one prompt.'] as const;
  await using server = await strictServer(format, answers(format, { most: 1, refusal }));
  const lines = browser.lines.length;
  expect(await run(format, server)).toMatchObject({ success: true });
  expect(server.calls.map((call) => imagesIn(format, call).length)).toEqual([0, 1, 2, 1]);
  expect(warningsSince(lines)).toMatchObject([{ message: expect.stringContaining('one image per request') }]);
});

it('keeps sending images after the provider refuses one for its size', async () => {
  await browser.page.setContent(PAGE);
  const format = OPENAI_BY_CHAT;
  let asked = 0;
  const next = answers(format, { most: 9, refusal: [400, ''] });
  await using server = await strictServer(format, (call) => {
    asked += 1;
    return asked === 2 ? { status: 400, body: format.provider.error('image exceeds 5 MB maximum') } : next(call);
  });
  const lines = browser.lines.length;
  expect(await run(format, server)).toMatchObject({ success: true });
  expect(server.calls.map((call) => imagesIn(format, call).length)).toEqual([0, 1, 0, 2]);
  expect(warningsSince(lines)).toMatchObject([{ message: expect.stringContaining('image exceeds 5 MB maximum') }]);
});

it('reports the provider error when a request is refused for a reason other than images', async () => {
  await browser.page.setContent(PAGE);
  const format = OPENAI_BY_CHAT;
  await using server = await strictServer(format, {
    status: 400,
    body: format.provider.error('The model is on leave'),
  });
  const options = { page: browser.page, model: format.model(server), screenshot: true };
  const failure = await failureOf(browser.driver.extract('what is seen', undefined, options));
  expect(failure).toMatchObject({ name: 'LLMResponseError', message: expect.stringContaining('on leave') });
});
