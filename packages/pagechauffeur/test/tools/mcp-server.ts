import type { IncomingMessage, ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import type { Route } from '../support/serve.ts';

/** A request or a notification of the protocol for tools. */
interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown>; readonly cursor?: string };
}

/** The smallest picture there is. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const OBJECT = { type: 'object', properties: {} };
const TOOLS = [
  { name: 'echo', description: 'Says it again', inputSchema: { ...OBJECT, properties: { text: { type: 'string' } } } },
  { name: 'picture', description: 'A picture', inputSchema: OBJECT },
  { name: 'fail', description: 'Fails', inputSchema: OBJECT },
  { name: 'never', description: 'Never answers', inputSchema: OBJECT },
  { name: 'data', description: 'Data', inputSchema: OBJECT },
  { name: 'pid', description: 'Which process it is', inputSchema: OBJECT },
];

/** A server of the protocol for tools, as far as tools go: it tells them on two pages of a list. */
export class McpServer {
  /** What it was asked, oldest first. */
  readonly asked: Message[] = [];
  /** How streamable HTTP asks and is answered. */
  readonly http: Route = (request, response) => void this.#serveHttp(request, response);
  /** How the transport of the time before begins: a stream of events, and an address for messages. */
  readonly events: Route = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: endpoint\ndata: /messages\n\n');
    this.#stream = response;
  };
  readonly messages: Route = async (request, response) => {
    const answer = this.answer(await bodyOf(request));
    response.writeHead(202).end();
    if (answer) this.#stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
  };
  #stream: ServerResponse | undefined;

  /** The answer to a message; undefined for one that gets none. */
  answer(message: Message): object | undefined {
    this.asked.push(message);
    const { id } = message;
    if (id === undefined) return undefined;
    const result = this.#resultOf(message);
    if (result === 'never') return undefined;
    if (result) return { jsonrpc: '2.0', id, result };
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'There is no such method' } };
  }

  #resultOf({ method, params }: Message): object | 'never' | undefined {
    if (method === 'initialize')
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'for tests', version: '1' },
      };
    if (method === 'tools/list')
      return params?.cursor === 'rest' ? { tools: TOOLS.slice(1) } : { tools: TOOLS.slice(0, 1), nextCursor: 'rest' };
    return method === 'tools/call' ? called(params?.name, params?.arguments ?? {}) : undefined;
  }

  async #serveHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const answer = this.answer(await bodyOf(request));
    if (this.asked.at(-1)?.params?.name === 'never') return;
    if (!answer) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }
}

function called(name: string | undefined, input: Record<string, unknown>): object | 'never' {
  const text = (words: string): object => ({ type: 'text', text: words });
  if (name === 'echo') return { content: [text(`You said: ${JSON.stringify(input)}`)] };
  if (name === 'picture')
    return { content: [text('Here it is'), { type: 'image', data: PICTURE, mimeType: 'image/png' }] };
  if (name === 'fail') return { content: [text('The database is gone')], isError: true };
  if (name === 'pid') return { content: [text(String(process.pid))] };
  if (name === 'data') return { content: [], structuredContent: { degrees: 21 } };
  return 'never';
}

async function bodyOf(request: IncomingMessage): Promise<Message> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Message;
}

if (import.meta.main) {
  const server = new McpServer();
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = server.answer(JSON.parse(line) as Message);
    if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
