import { createHash } from 'node:crypto';
import { tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentConfig } from '../../src/index.ts';
import type { ReceivedCall, ServerAnswer } from '../model/provider-server.ts';
import { readPng } from '../screenshot/png.ts';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';
import { McpServer, PICTURE } from '../tools/mcp-server.ts';
import { COMPUTER_FORMATS } from './computer-formats.ts';
import { driverFor, openPage, strictServer as strictComputerServer } from './computer-server.ts';
import { IMAGE_FORMATS, type ImageFormat, imagesIn, OPENAI_BY_CHAT, strictServer } from './image-formats.ts';
import { refIn, type WireCall } from './wire-formats.ts';

const mcp = new McpServer();
const browser = useBrowser({ routes: { '/mcp': mcp.http } });

const PAGE = `<title>Dial</title><style>body { margin: 0 }</style>
  <button style="width: 120px; height: 40px" onclick="document.body.style.background = 'hsl(' + (turn += 40) + ' 80% 60%)'">Turn</button>
  <script>var turn = 0;</script>`;

const PNG = Buffer.from(PICTURE, 'base64');
/** A JPEG as far as its signature goes, which is what it is known by. */
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]);

/** A call of an answer; `on` says by its line which element it is for. */
type WrittenCall = Omit<WireCall, 'id'> & { readonly on?: RegExp };

const DONE: WrittenCall = { tool: 'done', input: { success: true, message: 'Turned.' } };

/** Answers that ask for these calls, one list a step, and then for the end. */
function steps({ agent }: ImageFormat, ...all: readonly (readonly WrittenCall[])[]): ServerAnswer[] {
  return [...all, [DONE]].map((calls, step) => (call: ReceivedCall) => {
    const withRefs = calls.map(({ on, input, ...one }, index) => ({
      ...one,
      id: `call_${step}_${index}`,
      input: on ? { ...input, ref: refIn(call, on) } : input,
    }));
    return agent.answer(withRefs);
  });
}

const TURN = { tool: 'click', input: {}, on: /button \\*"Turn/ };

/** Tools that give a picture in each of the forms in which the AI SDK and programs hand pictures over. */
const CAMERAS: NonNullable<AgentConfig['tools']> = {
  bytes: camera(() => PNG),
  jpeg: camera(() => JPEG),
  nested: camera(() => ({ page: 'front', shots: [{ at: 1, shot: PNG }] })),
  file: answering({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array(PNG) } }),
  url: answering({
    type: 'file',
    mediaType: 'image',
    data: { type: 'url', url: new URL(`data:image/png;base64,${PICTURE}`) },
  }),
  fileData: answering({ type: 'file-data', mediaType: 'image/png', data: PICTURE }),
  imageData: answering({ type: 'image-data', mediaType: 'image/png', data: PICTURE }),
  imageUrl: answering({ type: 'image-url', url: `data:image/png;base64,${PICTURE}` }),
};

function camera(execute: () => unknown): NonNullable<AgentConfig['tools']>[string] {
  return tool({ description: 'Takes a picture', inputSchema: z.object({}), execute });
}

function answering(part: object): NonNullable<AgentConfig['tools']>[string] {
  const parts = { type: 'content', value: [{ type: 'text', text: 'Look:' }, part] };
  return { ...camera(() => 'taken'), toModelOutput: () => parts };
}

/** Equal for pictures that are. */
function signs(pictures: readonly Buffer[]): string[] {
  return pictures.map((picture) => createHash('sha256').update(picture).digest('hex'));
}

/** What each request has of pictures of which one is taken before each step. */
function lastTwoOf(shots: readonly Buffer[]): string[][] {
  return shots.map((_shot, index) => signs(shots.slice(Math.max(0, index - 1), index + 1)));
}

// Servers of the OpenAI-compatible package get the same bodies as chat completions.
const inChat = ([name]: (typeof IMAGE_FORMATS)[number]): boolean => name === 'OpenAI by chat completions';
const others = IMAGE_FORMATS.filter((format) => !inChat(format));

describe.each(rows(others, IMAGE_FORMATS.filter(inChat)))('%s', (_name, format) => {
  it('receives a screenshot in each hybrid step, and at most the last two in one request', async () => {
    const { page, driver } = browser;
    await page.setContent(PAGE);
    await using server = await strictServer(format, ...steps(format, [TURN], [TURN], [TURN], [TURN]));
    const shots: Buffer[] = [];
    const agent = driver.agent({ model: format.model(server), mode: 'hybrid' });
    const onBeforeAction = async (): Promise<void> => void shots.push(await page.screenshot({ scale: 'css' }));
    const result = await agent.execute({ instruction: 'Turn it', page, callbacks: { onBeforeAction } });
    shots.push(await page.screenshot({ scale: 'css' }));
    expect(result).toMatchObject({ success: true, message: 'Turned.' });

    const sent = server.calls.map((call) => imagesIn(format, call));
    expect(sent.map(({ length }) => length)).toEqual([1, 2, 2, 2, 2]);
    expect(sent.flat().every(({ mediaType }) => mediaType === 'image/png')).toBe(true);
    expect(sent.map((images) => signs(images.map(({ data }) => data)))).toEqual(lastTwoOf(shots));
    const last = readPng(sent.at(-1)?.at(-1)?.data ?? Buffer.alloc(0));
    expect([last.width, last.height]).toEqual([1280, 720]);
    expect(last.at(640, 400)).not.toEqual([255, 255, 255, 255]);
    expect(server.calls[4]?.bytes).toContain('This screenshot is now omitted');
    expect(result.usage.promptTokens).toBe(format.provider.usage.promptTokens * 5);
  });

  it('receives the element screenshot of `zoom` at 4 times its size', async () => {
    const { page, driver } = browser;
    await page.setContent(PAGE);
    const zoom = { ...TURN, tool: 'zoom' };
    await using server = await strictServer(format, ...steps(format, [zoom]));
    await driver.agent({ model: format.model(server) }).execute({ instruction: 'Look at it', page });
    const [image] = imagesIn(format, server.calls[1] ?? { body: {} });
    expect(image?.mediaType).toBe('image/png');
    const { width, height } = readPng(image?.data ?? Buffer.alloc(0));
    expect({ width, height }).toEqual({ width: 480, height: 160 });
    expect(signs([image?.data ?? Buffer.alloc(0)])).toEqual(
      signs([await page.locator('button').screenshot({ scale: 4 })]),
    );
  });

  it('receives a viewport screenshot from `extract` with `screenshot: true`', async () => {
    const { page, driver } = browser;
    await page.setContent(PAGE);
    await using server = await strictServer(format, format.provider.answer(JSON.stringify({ extraction: 'a button' })));
    await driver.extract('what is seen', undefined, { page, model: format.model(server), screenshot: true });
    const [call] = server.calls;
    const images = call ? imagesIn(format, call) : [];
    expect(images.map(({ mediaType }) => mediaType)).toEqual(['image/png']);
    expect(signs(images.map(({ data }) => data))).toEqual(signs([await page.screenshot()]));
  });

  const forms = Object.keys(CAMERAS);
  // How a tool gives a picture is the same for all providers, so one of them is tried with all forms.
  const inOtherForms = forms.filter((form) => form !== 'jpeg');
  it.each(format === IMAGE_FORMATS[0]?.[1] ? forms : rows(['jpeg'], inOtherForms))(
    'receives the image that a custom tool returns as %s',
    async (name) => {
      const { page, driver } = browser;
      await page.setContent(PAGE);
      await using server = await strictServer(format, ...steps(format, [{ tool: name, input: {} }]));
      const agent = driver.agent({ model: format.model(server), tools: CAMERAS });
      expect(await agent.execute({ instruction: 'Take a picture', page })).toMatchObject({ success: true });
      const wanted = name === 'jpeg' ? { mediaType: 'image/jpeg', data: JPEG } : { mediaType: 'image/png', data: PNG };
      expect(imagesIn(format, server.calls[1] ?? { body: {} })).toEqual([wanted]);
    },
  );

  it('receives images of MCP and custom tools in call order, and the last two in the next step', async () => {
    const { page, driver } = browser;
    await page.setContent(PAGE);
    const calls = ['picture', 'bytes', 'echo', 'jpeg'].map((name) => ({ tool: name, input: {} }));
    await using server = await strictServer(format, ...steps(format, calls, [{ tool: 'echo', input: {} }]));
    const agent = driver.agent({
      model: format.model(server),
      tools: CAMERAS,
      integrations: [`${browser.server.origin}/mcp`],
    });
    expect(await agent.execute({ instruction: 'Take pictures', page })).toMatchObject({ success: true });
    const [, second, third] = server.calls.map((call) => imagesIn(format, call).map(({ data }) => data));
    expect(second).toEqual([PNG, PNG, JPEG]);
    // In the step after that only two of them are left.
    expect(third).toEqual([PNG, JPEG]);
  });
});

describe('prompt cache', () => {
  it('keeps the request prefix unchanged up to the first image', async () => {
    const { page, driver } = browser;
    for (const [, format] of IMAGE_FORMATS) {
      await page.setContent(PAGE);
      await using server = await strictServer(format, ...steps(format, [TURN], [TURN], [TURN], [TURN]));
      await driver.agent({ model: format.model(server), mode: 'hybrid' }).execute({ instruction: 'Turn it', page });
      const pieces = server.calls.map((call) => format.agent.pieces(call));
      // Some protocols have the words of a message and its picture as two pieces.
      const plain = pieces.map((all) => all.findIndex((piece) => piece.includes('iVBORw0KGgo')) - 1);
      expect(plain.at(-1)).toBeGreaterThan(4);
      for (const [index, all] of pieces.slice(0, -1).entries())
        expect(pieces[index + 1]?.slice(0, plain[index])).toEqual(all.slice(0, plain[index]));
    }
  });

  it('gets Anthropic cache marks before the first image and on the last message part', async () => {
    const { page, driver } = browser;
    const [, format] = IMAGE_FORMATS[3] ?? [];
    if (!format) throw new TypeError('there is an Anthropic format');
    await page.setContent(PAGE);
    await using server = await strictServer(format, ...steps(format, [TURN], [TURN], [TURN], [TURN]));
    await driver.agent({ model: format.model(server), mode: 'hybrid' }).execute({ instruction: 'Turn it', page });
    const parts = server.calls.at(-1)?.body['messages'] as { content: Record<string, unknown>[] }[];
    const told = parts.flatMap(({ content }) => content);
    const firstImage = told.findIndex((part) => JSON.stringify(part).includes('iVBORw0KGgo'));
    const marked = told.flatMap((part, index) => (part['cache_control'] ? [index] : []));
    expect(marked).toHaveLength(2);
    expect(marked[0]).toBeLessThan(firstImage);
    expect(marked[1]).toBe(told.length - 1);
  });
});

describe.each(COMPUTER_FORMATS)('computer use with %s', (_name, format) => {
  it('receives the last two screenshots, and a note in place of earlier ones', async () => {
    const click = (call: number): ServerAnswer => format.actions(call, [format.clickAt({ x: 0.04, y: 0.03 }, SCREEN)]);
    const end = format.tool(5, 'done', { success: true, message: 'Turned.' });
    await using provider = await strictComputerServer(format, [click(1), click(2), click(3), click(4), end]);
    await using driver = await driverFor(format, provider, { driver: browser.driver });
    const page = await openPage(driver, browser.server.page('/dial', PAGE));
    const shots: Buffer[] = [];
    const onBeforeAction = async (): Promise<void> => void shots.push(await page.screenshot({ scale: 'css' }));
    const task = { instruction: 'Turn it', callbacks: { onBeforeAction } };
    expect(await driver.agent({ mode: 'cua' }).execute(task)).toMatchObject({ success: true, completed: true });
    shots.push(await page.screenshot({ scale: 'css' }));
    expect(provider.calls.map((call) => signs(format.pictures(call)))).toEqual(lastTwoOf(shots));
    for (const { bytes } of provider.calls) expect(bytes).not.toMatch(/Buffer|(?:\d{1,3},){30}/);
    expect(provider.calls.at(-1)?.bytes).toContain('This screenshot is now omitted');
    // Each click is still told of.
    const clicks = provider.calls.at(-1)?.bytes.match(/\\?"(?:left_click|click)\\?"/g) ?? [];
    expect(clicks.length).toBeGreaterThanOrEqual(4);
  });
});

const SCREEN = { width: 1280, height: 720 };

it('sends no images of an earlier conversation when it continues from its messages', async () => {
  const { page, driver } = browser;
  await page.setContent(PAGE);
  const format = OPENAI_BY_CHAT;
  await using server = await strictServer(format, ...steps(format, [{ tool: 'bytes', input: {} }]), ...steps(format));
  const agent = driver.agent({ model: format.model(server), tools: CAMERAS });
  const first = await agent.execute({ instruction: 'Take a picture', page });
  // As it comes back from a file.
  const messages = JSON.parse(JSON.stringify(first.messages)) as typeof first.messages;
  const second = await agent.execute({ instruction: 'Go on', page, messages });
  expect(second.success).toBe(true);
  expect(imagesIn(format, server.calls.at(-1) ?? { body: {} })).toEqual([]);
});
