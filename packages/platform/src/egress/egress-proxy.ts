import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type GuardedHandler, guardHandler } from '../guard-handler.ts';
import { PlatformError } from '../errors.ts';
import { destroySoon } from '../gateway/reject-upgrade.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { AddressRules } from './address-rules.ts';

/** A tenant's proxy, to which the egress proxy forwards all requests. */
export interface UpstreamProxy {
  readonly host: string;
  readonly port: number;
  /** Value of the `Proxy-Authorization` header. */
  readonly authorization: string | undefined;
}

interface EgressProxyOptions {
  readonly upstream?: UpstreamProxy | undefined;
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on. Default: any free port. */
  readonly port?: number;
  /** Returns false to drop a connection from this address. Default: accepts all. */
  readonly admits?: (address: string) => boolean;
  readonly log?: PlatformLog | undefined;
}

/** Proxy for one browser. Blocks internal networks. */
export interface EgressProxy {
  readonly port: number;
  close(): Promise<void>;
}

interface Egress {
  readonly rules: AddressRules;
  readonly upstream: UpstreamProxy | undefined;
  readonly log: PlatformLog | undefined;
  readonly sockets: Set<Duplex>;
  /**
   * Keep-alive connections. Not shared with other sessions: a shared connection could end early or receive data for
   * another session.
   */
  readonly agent: Agent;
}

const CONNECT_TIMEOUT_MS = 30_000;
/** Lifetime of idle connections. Same as the Node.js default. */
const IDLE_MS = 5000;
/**
 * Maximum connections per browser. Each Chromium context opens at most 64 to a proxy. Without a limit, pages could
 * accumulate connections that nobody reads and whose end is not noticed.
 */
const MAX_CONNECTIONS = 1000;
/** Headers for this proxy only, not forwarded. */
const OWN_HEADERS = ['proxy-connection', 'proxy-authorization'];

/**
 * Opens the proxy for one browser. Resolves host names itself and connects to the address it checked, which prevents
 * DNS rebinding.
 */
export async function openEgressProxy(
  rules: AddressRules,
  { upstream, host = '127.0.0.1', port: wanted = 0, admits, log }: EgressProxyOptions = {},
): Promise<EgressProxy> {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const egress: Egress = { rules, upstream, log, sockets: new Set(), agent };
  const server = createServer(
    guardHandler(guardFor(egress, finish), (incoming: IncomingMessage, response: ServerResponse) =>
      passRequest(egress, incoming, response),
    ),
  );
  server.on(
    'connect',
    guardHandler(
      guardFor(egress, (_incoming, client: Duplex) => client.destroy()),
      (incoming: IncomingMessage, client: Duplex) => openTunnel(egress, incoming, client),
    ),
  );
  server.on(
    'connection',
    guardHandler(
      guardFor(egress, (socket: Socket) => socket.destroy()),
      (socket: Socket) => {
        track(egress, socket);
        if (admits?.(addressOf(socket)) !== false) return;
        log?.warn(
          { address: addressOf(socket), port: wanted },
          'dropped a connection to an egress proxy from an unknown address',
        );
        socket.destroy();
      },
    ),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host, port: wanted });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => close(server, egress) };
}

/**
 * Rejects if the tenant's proxy has a blocked or unknown address. Each request checks this again, because DNS records
 * change.
 */
export async function checkUpstream(rules: AddressRules, upstream: UpstreamProxy | undefined): Promise<void> {
  if (upstream && (await resolveHop(rules, upstream)).state !== 'allowed')
    throw new PlatformError('invalid_request', 'proxy.server: must resolve to an address that browsers can reach.');
}

async function close(server: Server, { sockets, agent }: Egress): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  agent.destroy();
  for (const socket of sockets) socket.destroy();
  await closed;
}

/** Handles `CONNECT`, which browsers use for `https:` and WebSockets. */
async function openTunnel(egress: Egress, { url = '' }: IncomingMessage, client: Duplex): Promise<void> {
  client.on('error', () => client.destroy());
  const { hostname, port } = parts(`http://${url}`);
  const target = await nextHop(egress, { hostname, port: Number(port || 443) });
  if (target.state !== 'allowed')
    return refuse(client, target.state === 'blocked' ? '403 Forbidden' : '502 Bad Gateway');
  const socket = connect({ ...target.hop, timeout: CONNECT_TIMEOUT_MS });
  track(egress, socket);
  const fail = (): void => refuse(client, '502 Bad Gateway');
  socket.once('timeout', () => socket.destroy());
  socket.once('error', fail);
  const open = (): void => {
    socket.setTimeout(0);
    socket.setNoDelay(true);
    // With a tenant's proxy, that proxy sends this response.
    if (!egress.upstream) client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    socket.off('error', fail);
    join(client, socket);
  };
  const closeBoth = (): void => {
    client.destroy();
    socket.destroy();
  };
  if (egress.upstream) socket.write(connectHead(url, egress.upstream));
  // Piping starts before `connect`, to notice a browser that gives up.
  client.pipe(socket);
  client.once('end', () => socket.connecting && closeBoth());
  client.once('close', () => socket.destroy());
  socket.once('connect', guardHandler(guardFor(egress, closeBoth), open));
}

function connectHead(authority: string, { authorization }: UpstreamProxy): string {
  const secret = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${secret}\r\n`;
}

function join(client: Duplex, socket: Socket): void {
  socket.pipe(client);
  socket.once('close', () => client.destroy());
  socket.on('error', () => client.destroy());
}

/** Handles a plain HTTP request, whose URL is absolute. */
async function passRequest(egress: Egress, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = parts(incoming.url ?? '');
  if (address.protocol !== 'http:') return answer(response, 400);
  const target = await nextHop(egress, { hostname: address.hostname, port: Number(address.port || 80) });
  if (target.state !== 'allowed') return answerFailedHop(response, target, egress);
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !OWN_HEADERS.includes(name)));
  const { authorization } = egress.upstream ?? {};
  const outgoing = request({
    ...target.hop,
    agent: egress.agent,
    method: incoming.method,
    path: egress.upstream ? address.href : address.pathname + address.search,
    headers: { ...headers, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
    setHost: false,
    timeout: CONNECT_TIMEOUT_MS,
  });
  outgoing.once('socket', (socket) => track(egress, socket));
  // The timeout applies only until the connection is open: a server may respond late.
  outgoing.once('timeout', () => outgoing.socket?.connecting && outgoing.destroy());
  outgoing.once('error', () => answer(response, 502));
  // After an upgrade response (101), Node.js emits only `close`.
  outgoing.once('close', () => response.headersSent || answer(response, 502));
  outgoing.once(
    'response',
    guardHandler(
      guardFor(egress, () => answer(response, 502)),
      (reply: IncomingMessage) => {
        outgoing.setTimeout(0);
        response.writeHead(reply.statusCode ?? 502, reply.statusMessage, withoutTrailers(reply.rawHeaders));
        reply.pipe(response);
        reply.once('error', () => response.destroy());
      },
    ),
  );
  response.once('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

function guardFor<Given extends readonly unknown[]>(
  { log }: Egress,
  end: (...given: Given) => unknown,
): GuardedHandler<Given> {
  return { name: 'egress proxy', log, end };
}

function finish(_incoming: IncomingMessage, response: ServerResponse): void {
  answer(response, 502);
}

/** Drops `Trailer` headers: trailers are not forwarded, and Node.js refuses the header without a chunked body. */
function withoutTrailers(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_text, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== 'trailer');
}

interface Hop {
  readonly host: string;
  readonly port: number;
}

/** `blocked`: the rules refuse an address of the name. `unresolved`: the name has no address, or no DNS server answers. */
type ResolvedHop =
  | { readonly state: 'allowed'; readonly hop: Hop }
  | { readonly state: 'blocked' | 'unresolved'; readonly name: string };

/** Resolves the next hop: the tenant's proxy if there is one, otherwise the web server. */
async function nextHop(
  { rules, upstream }: Egress,
  { hostname, port }: { readonly hostname: string; readonly port: number },
): Promise<ResolvedHop> {
  return resolveHop(rules, upstream ?? { host: hostname, port });
}

async function resolveHop(rules: AddressRules, { host: name, port }: Hop): Promise<ResolvedHop> {
  try {
    const host = await rules.addressOf(name);
    return host === undefined ? { state: 'blocked', name } : { state: 'allowed', hop: { host, port } };
  } catch (error) {
    if (!isLookupError(error)) throw error;
    return { state: 'unresolved', name };
  }
}

function isLookupError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo';
}

function parts(address: string): Pick<URL, 'protocol' | 'hostname' | 'port' | 'pathname' | 'search' | 'href'> {
  const empty = { protocol: '', hostname: '', port: '', pathname: '', search: '', href: '' };
  return URL.canParse(address) ? new URL(address) : empty;
}

function refuse(client: Duplex, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  destroySoon(client);
}

/**
 * Responds instead of a web server. Drivers read the reason from the header; the page shows the text. For `CONNECT` only
 * the status differs: Chromium reports neither headers nor status of a failed tunnel.
 */
function answerFailedHop(
  response: ServerResponse,
  { state, name }: Exclude<ResolvedHop, { state: 'allowed' }>,
  { upstream }: Egress,
): void {
  const isBlocked = state === 'blocked';
  response.writeHead(isBlocked ? 403 : 502, {
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
    ...(isBlocked ? { 'x-chauffeur-refused': 'network' } : { 'x-chauffeur-unresolved': upstream ? 'proxy' : 'host' }),
  });
  response.end(
    isBlocked
      ? `The network policy of this platform blocks ${name}: browsers cannot reach addresses inside the platform's network, including loopback.\n` +
          'The platform operator can allow a network with --allow-network, for example --allow-network 127.0.0.1/32.\n'
      : `The host name ${name} cannot be resolved.\n`,
  );
}

function answer(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  // Clears a status text that `writeHead` has rejected before.
  response.statusMessage = '';
  response.writeHead(status, { connection: 'close' }).end();
}

/** `::ffff:10.0.0.1` → `10.0.0.1`. */
function addressOf({ remoteAddress = '' }: Socket): string {
  return remoteAddress.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

function track({ sockets }: Egress, socket: Duplex): void {
  if (sockets.has(socket)) return;
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}
