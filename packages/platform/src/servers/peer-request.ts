import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';

const CONNECT_MS = 3000;

/** Begins a request to another server like one that came here; fails when that server cannot be reached. Nothing of the body is sent yet. */
export async function openPeerRequest(
  address: string,
  { method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
): Promise<ClientRequest> {
  const { protocol, hostname, port } = new URL(address);
  const open = protocol === 'https:' ? httpsRequest : httpRequest;
  // The path as it came: what two servers read in two ways would be a hole.
  const request = open({
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: url,
    method,
    headers,
    agent: false,
  });
  const late = setTimeout(() => request.destroy(new TypeError('no connection in time')), CONNECT_MS);
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  // It stays: what goes wrong later is told by the end of the answer as well.
  request.on('error', reject);
  request.once('socket', (socket) => (socket.connecting ? socket.once('connect', resolve) : resolve()));
  try {
    await connected;
    return request;
  } finally {
    clearTimeout(late);
  }
}

/** Joins two sockets until one of them ends. */
export function joinSockets(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    // An error is always followed by 'close'.
    socket.on('error', () => undefined);
    // It may have closed while the other was connecting.
    if (socket.destroyed) peer.destroy();
    else socket.on('close', () => peer.destroy());
  }
}

/** The head of an answer, as it goes over the wire. */
export function answerHead({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1] ?? ''}`] : [],
  );
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n');
}
