import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, isIPv6, type Socket } from 'node:net';
import type { DomainPolicy } from '../cdp/network/domain-policy.ts';
import type { NameFailure } from '../cdp/network/name-check.ts';

/** A SOCKS5 proxy on 127.0.0.1 that resolves host names for one browser. */
export interface NameRelay {
  readonly port: number;
  /** Returns why the last connection to `name:port` failed, or `undefined` if no failure is recorded. */
  failureOf(host: string): NameFailure | undefined;
  close(): void;
}

interface Destination {
  readonly name: string;
  readonly port: number;
}

/** Maximum number of recorded failures. The oldest is dropped first. */
const MAX_FAILURES = 1000;
/** Time for a new connection to send its request. Browsers send it immediately. */
const REQUEST_TIMEOUT_MS = 10_000;
/** RFC 1928: protocol version, command, address type and reply codes. */
const SOCKS = { version: 5, connect: 1, name: 3, done: 0, notAllowed: 2, refused: 5 } as const;

/** Chromium's error text by Node's error code. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'net::ERR_NAME_NOT_RESOLVED',
  EAI_AGAIN: 'net::ERR_NAME_NOT_RESOLVED',
  ECONNREFUSED: 'net::ERR_CONNECTION_REFUSED',
  ETIMEDOUT: 'net::ERR_CONNECTION_TIMED_OUT',
  EHOSTUNREACH: 'net::ERR_ADDRESS_UNREACHABLE',
  ENETUNREACH: 'net::ERR_ADDRESS_UNREACHABLE',
};

/**
 * Opens the relay. For each connection, it resolves the name once, checks the addresses and connects to one of them, so
 * a DNS server cannot return another address after the check.
 */
export async function openNameRelay(policy: DomainPolicy): Promise<NameRelay> {
  const failures = new Map<string, NameFailure>();
  const sockets = new Set<Socket>();
  const note = ({ name, port }: Destination, failure: NameFailure | undefined): void => {
    failures.delete(`${name}:${port}`);
    if (failure) failures.set(`${name}:${port}`, failure);
    const [oldest] = failures.keys();
    if (failures.size > MAX_FAILURES && oldest !== undefined) failures.delete(oldest);
  };
  const server = createServer((browser) => {
    hold(sockets, browser);
    serve(browser, { policy, note, sockets }).catch(() => browser.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // `accept` fails when no file descriptor is left. Only that connection is lost.
  server.on('error', () => undefined);
  // Only the connection to the browser should keep the user's process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    port,
    failureOf: (host) => failures.get(host),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Relaying {
  readonly policy: DomainPolicy;
  readonly note: (destination: Destination, failure: NameFailure | undefined) => void;
  readonly sockets: Set<Socket>;
}

async function serve(browser: Socket, { policy, note, sockets }: Relaying): Promise<void> {
  const gone = new AbortController();
  browser.once('close', () => gone.abort());
  browser.setTimeout(REQUEST_TIMEOUT_MS, () => browser.destroy());
  const destination = await readDestination(browser, gone.signal);
  browser.setTimeout(0);
  try {
    const site = await connectTo(destination, policy, sockets);
    if (site) browser.write(answer(SOCKS.done));
    else browser.end(answer(SOCKS.notAllowed));
    note(destination, site ? undefined : { kind: 'refused' });
    if (site) join(browser, site);
  } catch (error) {
    note(destination, { kind: 'unreachable', errorText: errorTextOf(error) });
    browser.end(answer(SOCKS.refused));
  }
}

/** Returns `undefined` if the policy blocks the host or any of its addresses. */
async function connectTo(
  { name, port }: Destination,
  policy: DomainPolicy,
  sockets: Set<Socket>,
): Promise<Socket | undefined> {
  // Request interception checks names too, but does not cover every socket.
  if (policy.refuses(`http://${isIPv6(name) ? `[${name}]` : name}:${port}/`)) return undefined;
  const addresses = await dns.promises.lookup(name, { all: true });
  if (addresses.some(({ address }) => policy.blocksAddress(address, port))) return undefined;
  const site = connect({
    host: name,
    port,
    noDelay: true,
    autoSelectFamily: true,
    lookup: (_name, _options, tell) => tell(null, addresses),
  });
  hold(sockets, site);
  await once(site, 'connect');
  return site;
}

function join(browser: Socket, site: Socket): void {
  browser.once('close', () => site.destroy());
  site.once('close', () => browser.destroy());
  if (browser.destroyed) site.destroy();
  browser.pipe(site).pipe(browser);
}

function hold(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => sockets.delete(socket));
}

function errorTextOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ERROR_TEXTS[code] ?? 'net::ERR_CONNECTION_FAILED';
}

/** SOCKS5 handshake without authentication. Chromium sends the host name, never an address. */
async function readDestination(browser: Socket, signal: AbortSignal): Promise<Destination> {
  const [, methods = 0] = await take(browser, 2, signal);
  await take(browser, methods, signal);
  browser.write(Buffer.from([SOCKS.version, 0]));
  const [version, command, , kind] = await take(browser, 4, signal);
  if (version !== SOCKS.version || command !== SOCKS.connect || kind !== SOCKS.name)
    throw new TypeError('The relay accepts only SOCKS5 CONNECT requests with a host name.');
  const [length = 0] = await take(browser, 1, signal);
  const name = (await take(browser, length, signal)).toString();
  return { name, port: (await take(browser, 2, signal)).readUInt16BE() };
}

function answer(outcome: number): Buffer {
  return Buffer.from([SOCKS.version, outcome, 0, 1, 0, 0, 0, 0, 0, 0]);
}

/** Reads exactly `length` bytes, which may arrive in chunks. Rejects if the socket closes first. */
async function take(socket: Socket, length: number, signal: AbortSignal): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < length) {
    // `read(length)` with fewer buffered bytes emits `readable` immediately, in an endless loop.
    const chunk = socket.read() as Buffer | null;
    if (chunk) bytes = Buffer.concat([bytes, chunk]);
    else await once(socket, 'readable', { signal });
  }
  if (bytes.length > length) socket.unshift(bytes.subarray(length));
  return bytes.subarray(0, length);
}
