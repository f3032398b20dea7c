import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';

const CONNECT_MS = 3000;

/**
 * Opens a request to another server that copies an incoming one. Rejects if the server is unreachable. The body is not
 * sent yet.
 */
export async function openPeerRequest(
  address: string,
  { method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
): Promise<ClientRequest> {
  const { protocol, hostname, port } = new URL(address);
  const open = protocol === 'https:' ? httpsRequest : httpRequest;
  // The raw path. If two servers normalized it differently, checks could be bypassed.
  const request = open({
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: url,
    method,
    headers,
    agent: false,
  });
  const late = setTimeout(() => request.destroy(new TypeError('connection timed out')), CONNECT_MS);
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  // The listener stays. Later errors also show as the end of the answer.
  request.on('error', reject);
  request.once('socket', (socket) => (socket.connecting ? socket.once('connect', resolve) : resolve()));
  try {
    await connected;
    return request;
  } finally {
    clearTimeout(late);
  }
}

/** Pipes two sockets into each other until one of them ends. */
export function joinSockets(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    // Every error is followed by `close`.
    socket.on('error', () => undefined);
    // It may have closed while the other one was connecting.
    if (socket.destroyed) peer.destroy();
    else socket.on('close', () => peer.destroy());
  }
}

/** Serializes the head of an answer. */
export function answerHead({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1] ?? ''}`] : [],
  );
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n');
}
