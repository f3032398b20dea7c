import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  DriverInvalidArgumentError,
  DriverTimeoutError,
  type Integration,
  McpConnectionError,
} from '../../src/index.ts';
import { failedCall } from '../../src/tools/failed-call.ts';
import type { ToolContext } from '../../src/tools/tool-context.ts';
import type { ToolOutcome } from '../../src/tools/tool-outcome.ts';
import { openToolbox, type Toolbox } from '../../src/tools/toolbox.ts';
import { done } from '../../src/tools/browser-tools.ts';
import { Progress } from '../../src/util/progress.ts';
import { VariableTable } from '../../src/policy/variables.ts';
import { failureOf } from '../support/failure-of.ts';
import { isRunning } from '../support/processes.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { McpServer, PICTURE } from './mcp-server.ts';

const SERVER_FILE = fileURLToPath(new URL('./mcp-server.ts', import.meta.url));

const http = new McpServer();
const old = new McpServer();
let server: TestServer;

beforeAll(async () => {
  const gone = (_request: unknown, response: { writeHead(status: number): { end(): void } }): void =>
    response.writeHead(500).end();
  const events: McpServer['http'] = (request, response) => {
    if (request.method === 'GET') runRoute(old.events, request, response);
    else response.writeHead(405).end();
  };
  server = await serve({ '/mcp': http.http, '/sse': events, '/messages': old.messages, '/gone': gone });
});
afterAll(() => server.close());

function runRoute(route: McpServer['http'], ...args: Parameters<Exclude<McpServer['http'], string>>): void {
  if (typeof route === 'function') route(...args);
}

/** The tools of these servers, beside those of the library. */
function toolboxOf(progress: Progress, integrations: readonly Integration[]): Promise<Toolbox> {
  const rest = {
    excludeTools: [],
    ending: done,
    isAnswered: true,
    takesImages: true,
    hasPoints: false,
  };
  return openToolbox(progress, { integrations, ...rest });
}

/** Calls a tool, outside of any page. */
async function call(
  { tools }: Toolbox,
  [name, input]: readonly [name: string, input: object],
  { timeout = 5000, variables = new VariableTable() } = {},
): Promise<ToolOutcome> {
  using progress = new Progress({ operation: name, timeout });
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new TypeError(`no tool ${name} among ${tools.map((one) => one.name).join(', ')}`);
  const context = { progress, variables } as unknown as ToolContext;
  return await tool.run(context, input).catch((error: unknown) => failedCall(name, error, () => true));
}

const KINDS: readonly (readonly [string, () => Promise<Integration>])[] = [
  ['over streamable HTTP', () => Promise.resolve(`${server.origin}/mcp`)],
  ['over server-sent events', () => Promise.resolve({ url: new URL(`${server.origin}/sse`), transport: 'sse' })],
  ['over server-sent events after it refuses streamable HTTP', () => Promise.resolve(`${server.origin}/sse`)],
  ['over stdio', () => Promise.resolve({ command: process.execPath, args: [SERVER_FILE] })],
  [
    'through a connected AI SDK client',
    () => createMCPClient({ transport: { type: 'http', url: `${server.origin}/mcp` } }),
  ],
  ['through a client with the interface of the official SDK', () => Promise.resolve({ client: otherClient() })],
];

/** Takes what it needs where the official client does. */
function otherClient(): Extract<Integration, { client: unknown }>['client'] {
  const inner = new McpServer();
  const ask = (method: string, params: object): Promise<never> => {
    const { result } = inner.answer({ id: 1, method, params }) as { result: never };
    return Promise.resolve(result);
  };
  return {
    listTools: (params?: object) => ask('tools/list', params ?? {}),
    callTool: (params: object) => ask('tools/call', params),
  };
}

it.each(KINDS)('lists and calls the tools of a server %s', async (_kind, given) => {
  using progress = new Progress({ operation: 'agent', timeout: 20_000 });
  const integration = await given();
  await using toolbox = await toolboxOf(progress, [integration]);
  expect(toolbox.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['click', 'echo', 'picture', 'fail', 'never', 'data', 'done']),
  );
  expect(await call(toolbox, ['echo', { text: 'good day' }])).toMatchObject({
    text: 'echo returned:',
    quoted: 'You said: {"text":"good day"}',
  });
  expect(await call(toolbox, ['data', {}])).toMatchObject({ quoted: '{"degrees":21}', data: { degrees: 21 } });
  if (typeof integration === 'object' && 'close' in integration) await (integration.close as () => Promise<void>)();
});

it('returns images of a server tool, and marks its errors with `isError`', async () => {
  using progress = new Progress({ operation: 'agent', timeout: 20_000 });
  await using toolbox = await toolboxOf(progress, [`${server.origin}/mcp`]);
  expect(await call(toolbox, ['picture', {}])).toMatchObject({
    quoted: 'Here it is',
    images: [{ mediaType: 'image/png', data: Buffer.from(PICTURE, 'base64') }],
  });
  expect(await call(toolbox, ['fail', {}])).toMatchObject({ isError: true, quoted: 'The database is gone' });
});

it('times out an unanswered server call, and keeps the connection usable', async () => {
  using progress = new Progress({ operation: 'agent', timeout: 20_000 });
  await using toolbox = await toolboxOf(progress, [{ command: process.execPath, args: [SERVER_FILE] }]);
  expect(await call(toolbox, ['never', {}], { timeout: 50 })).toMatchObject({
    isError: true,
    text: expect.stringContaining('It timed out'),
  });
  expect(await call(toolbox, ['echo', {}])).toMatchObject({ quoted: 'You said: {}' });
});

it('sends a server only the variables that its integration lists', async () => {
  using progress = new Progress({ operation: 'agent', timeout: 20_000 });
  await using toolbox = await toolboxOf(progress, [{ url: `${server.origin}/mcp`, variables: ['city'] }]);
  const variables = new VariableTable({ city: 'Oslo', password: 'hunter2' });
  expect(await call(toolbox, ['echo', { text: 'in %city%' }], { variables })).toMatchObject({
    quoted: 'You said: {"text":"in Oslo"}',
  });
  const before = http.asked.length;
  expect(await call(toolbox, ['echo', { text: '%city% %password%' }], { variables })).toEqual({
    isError: true,
    text: 'echo was not called. This server does not receive the value of %password%. Omit the variable. To allow it, the user lists it in the integration: variables: ["password"]',
  });
  expect(http.asked).toHaveLength(before);
});

it('adds the prefix of each server to its tools, and offers only the listed tools', async () => {
  using progress = new Progress({ operation: 'agent', timeout: 20_000 });
  const url = `${server.origin}/mcp`;
  const servers = [
    { url, prefix: 'one', tools: ['echo'] },
    { url, prefix: 'two', tools: ['fail', 'data'] },
  ];
  await using toolbox = await toolboxOf(progress, servers);
  const names = toolbox.tools.map(({ name }) => name).filter((name) => name.includes('_'));
  expect(names).toEqual(['one_echo', 'two_fail', 'two_data']);
  expect(await call(toolbox, ['one_echo', { text: 'x' }])).toMatchObject({ quoted: 'You said: {"text":"x"}' });
});

/** What the types would not let through. */
function odd(given: object): Integration {
  return given as Integration;
}

it.each([
  ['two servers with equal tool names', () => [`${server.origin}/mcp`, `${server.origin}/mcp`], /prefix/],
  ['a tool that a server does not have', () => [{ url: `${server.origin}/mcp`, tools: ['nope'] }], /no tool nope/],
  ['an invalid URL', () => ['files/server.js'], /http or https URL/],
  ['a number as a server', () => [42 as unknown as Integration], /the number 42/],
  ['an unknown option', () => [odd({ url: server.origin, header: {} })], /\[0\]\.header is not an option.*headers/],
  ['an unknown transport', () => [odd({ url: server.origin, transport: 'ws' })], /\[0\]\.transport must be/],
  ['a number as a header', () => [odd({ url: server.origin, headers: { a: 1 } })], /\[0\]\.headers must be an/],
  ['a string as `args`', () => [odd({ command: 'node', args: 'server.js' })], /\[0\]\.args must be an array/],
  ['a string as `variables`', () => [odd({ url: server.origin, variables: 'city' })], /\[0\]\.variables must be an/],
] as [string, () => Integration[], RegExp][])(
  'throws DriverInvalidArgumentError for %s',
  async (_case, integrations, message) => {
    using progress = new Progress({ operation: 'agent', timeout: 20_000 });
    const error = await failureOf(toolboxOf(progress, integrations()));
    expect(error).toBeInstanceOf(DriverInvalidArgumentError);
    expect(String(error)).toMatch(message);
  },
);

it.each([
  ['a URL that refuses connections', () => 'http://127.0.0.1:1/mcp'],
  ['a server that answers 500', () => `${server.origin}/gone`],
  ['an unknown command', () => ({ command: 'no-such-program-anywhere' })],
  ['a program that exits without an answer', () => ({ command: process.execPath, args: ['-e', 'process.exit(3)'] })],
] as [string, () => Integration][])(
  'throws McpConnectionError with the server name for %s',
  async (_case, integration) => {
    using progress = new Progress({ operation: 'agent', timeout: 3000 });
    const given = integration();
    const error = await failureOf(toolboxOf(progress, [given]));
    const label = typeof given === 'object' && 'command' in given ? given.command : String(given);
    if (error instanceof DriverTimeoutError) throw error;
    expect(error).toBeInstanceOf(McpConnectionError);
    expect((error as McpConnectionError).server).toContain(label);
    expect(String(error)).not.toMatch(/failed\. Check/);
  },
);

const DEAF_FILE = fileURLToPath(new URL('./deaf-program.ts', import.meta.url));

it.each([
  ['exits on SIGTERM', [SERVER_FILE]],
  ['ignores SIGTERM', ['--import', DEAF_FILE, SERVER_FILE]],
])('ends a server program that %s when the toolbox is disposed', async (_how, args) => {
  using progress = new Progress({ operation: 'agent', timeout: 20_000 });
  const toolbox = await toolboxOf(progress, [{ command: process.execPath, args }]);
  const { quoted = '' } = await call(toolbox, ['pid', {}]);
  expect(isRunning(Number(quoted))).toBe(true);
  await toolbox[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(isRunning(Number(quoted))).toBe(false), { timeout: 5000 });
});
