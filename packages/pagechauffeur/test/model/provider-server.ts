import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** One call as it came over the wire. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** Everything that was sent: address, headers and body, as one text. */
  readonly bytes: string;
}

interface HttpAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * What the server answers a call with; `'hang'` keeps the connection open and says nothing, `'reset'` ends it, and
 * `'break-off'` ends it in the midst of the answer.
 */
export type ServerAnswer = HttpAnswer | 'hang' | 'reset' | 'break-off' | ((call: ReceivedCall) => ServerAnswer);

/** A local HTTP server that answers in a provider's format and keeps what it was asked. */
export interface ProviderServer extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
  /** Settles when a call has arrived whose answer hangs. */
  readonly hanging: Promise<void>;
  /** Settles when the client has closed the connection of a hanging call. */
  readonly closedByClient: Promise<void>;
}

/** Starts a server that gives the answers in order, and the last one from then on. */
export async function startProviderServer(...answers: readonly ServerAnswer[]): Promise<ProviderServer> {
  const calls: ReceivedCall[] = [];
  const hanging = Promise.withResolvers<void>();
  const closedByClient = Promise.withResolvers<void>();

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request);
    calls.push(call);
    const answer = finalAnswer(answers[Math.min(calls.length, answers.length) - 1], call);
    if (answer === 'hang') {
      response.on('close', closedByClient.resolve);
      hanging.resolve();
    } else if (answer === 'reset') {
      request.socket.resetAndDestroy();
    } else if (answer === 'break-off') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id":', () => request.socket.destroy());
    } else {
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    }
  };

  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    hanging: hanging.promise,
    closedByClient: closedByClient.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

type FinalAnswer = Exclude<ServerAnswer, (call: ReceivedCall) => ServerAnswer>;

function finalAnswer(answer: ServerAnswer | undefined, call: ReceivedCall): FinalAnswer {
  if (typeof answer === 'function') return finalAnswer(answer(call), call);
  return answer ?? 'hang';
}

async function readCall(request: IncomingMessage): Promise<ReceivedCall> {
  const { url: path = '', headers } = request;
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const bytes = `${path}\n${JSON.stringify(headers)}\n${text}`;
  return { path, headers, body: JSON.parse(text) as Record<string, unknown>, bytes };
}
