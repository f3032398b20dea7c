import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, isIPv6, type Socket } from 'node:net';
import type { DomainPolicy } from '../cdp/network/domain-policy.ts';
import type { NameFailure } from '../cdp/network/name-check.ts';

/** A proxy that resolves host names for one browser. */
export interface NameRelay {
  /** Its port on 127.0.0.1. */
  readonly port: number;
  /** Returns why the last connection to `name:port` failed; undefined if it succeeded. */
  failureOf(host: string): NameFailure | undefined;
  close(): void;
}

/** The host to connect to. */
interface Destination {
  readonly name: string;
  readonly port: number;
}

/** Maximum number of failures to keep. The oldest are dropped first. */
const MAX_FAILURES = 1000;
/** Maximum ms until the request of a connection arrives. Browsers send it immediately. */
const REQUEST_TIMEOUT_MS = 10_000;
/** SOCKS5 constants. */
const SOCKS = { version: 5, connect: 1, name: 3, done: 0, notAllowed: 2, refused: 5 } as const;

/** Chromium's error codes for failed lookups and connections. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'net::ERR_NAME_NOT_RESOLVED',
  EAI_AGAIN: 'net::ERR_NAME_NOT_RESOLVED',
  ECONNREFUSED: 'net::ERR_CONNECTION_REFUSED',
  ETIMEDOUT: 'net::ERR_CONNECTION_TIMED_OUT',
  EHOSTUNREACH: 'net::ERR_ADDRESS_UNREACHABLE',
  ENETUNREACH: 'net::ERR_ADDRESS_UNREACHABLE',
};

/**
 * Opens a SOCKS5 proxy (RFC 1928) for one browser. It resolves each name once, checks the addresses and connects to one
 * of them, so that a DNS server cannot change the address after the check.
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
  // Accepting fails if no file descriptor is left. Only that connection is lost.
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

/** State that all connections of a relay share. */
interface Relaying {
  readonly policy: DomainPolicy;
  readonly note: (destination: Destination, failure: NameFailure | undefined) => void;
  readonly sockets: Set<Socket>;
}

/** Reads the request of a connection and connects it to its host, or responds with a failure. */
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

/** Connects to one of the checked addresses. Returns `undefined` if any of them is blocked. */
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

/** Tracks a socket until it closes. */
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

/** Runs the SOCKS5 handshake without authentication. Browsers send a name, not an address. */
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

/** Reads this many bytes, which may arrive in pieces. Rejects if the socket closes first. */
async function take(socket: Socket, length: number, signal: AbortSignal): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (bytes.length < length) {
    // `read(length)` with fewer buffered bytes would emit `readable` immediately, in an endless loop.
    const chunk = socket.read() as Buffer | null;
    if (chunk) bytes = Buffer.concat([bytes, chunk]);
    else await once(socket, 'readable', { signal });
  }
  if (bytes.length > length) socket.unshift(bytes.subarray(length));
  return bytes.subarray(0, length);
}
