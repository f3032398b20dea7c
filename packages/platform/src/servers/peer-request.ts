import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';

const CONNECT_MS = 3000;

/**
 * Opens a copy of an incoming request to another server. Resolves when connected; the caller sends the body. Rejects if
 * the server is unreachable.
 */
export async function openPeerRequest(
  address: string,
  { method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
): Promise<ClientRequest> {
  const { protocol, hostname, port } = new URL(address);
  const open = protocol === 'https:' ? httpsRequest : httpRequest;
  // Not normalized: if two servers normalized it differently, a path could bypass checks.
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
  // Stays attached, because later errors also close the response.
  request.on('error', reject);
  request.once('socket', (socket) => (socket.connecting ? socket.once('connect', resolve) : resolve()));
  try {
    await connected;
    return request;
  } finally {
    clearTimeout(late);
  }
}

/** Pipes both sockets into each other. The end of one ends the other. */
export function joinSockets(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    // `close` follows every error.
    socket.on('error', () => undefined);
    // The socket may have closed while the other one was connecting.
    if (socket.destroyed) peer.destroy();
    else socket.on('close', () => peer.destroy());
  }
}

/** Serializes the status line and headers of a response. */
export function answerHead({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1] ?? ''}`] : [],
  );
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n');
}
