import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type GuardedHandler, guardHandler } from '../guard-handler.ts';
import { PlatformError } from '../errors.ts';
import { destroySoon } from '../gateway/reject-upgrade.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { AddressRules } from './address-rules.ts';

/** A tenant's own proxy, to which requests are forwarded. */
export interface UpstreamProxy {
  readonly host: string;
  readonly port: number;
  /** Value of `Proxy-Authorization`. */
  readonly authorization: string | undefined;
}

/** Settings of an egress proxy: its address, its clients, and the tenant's proxy behind it. */
interface EgressProxyOptions {
  readonly upstream?: UpstreamProxy | undefined;
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on. Default: any. */
  readonly port?: number;
  /** True if the machine with this address may use it. Default: all. */
  readonly admits?: (address: string) => boolean;
  /** Logs malformed messages of a browser or a server. */
  readonly log?: PlatformLog | undefined;
}

/** The only route from a platform browser to the network. */
export interface EgressProxy {
  readonly port: number;
  close(): Promise<void>;
}

interface Egress {
  readonly rules: AddressRules;
  readonly upstream: UpstreamProxy | undefined;
  readonly log: PlatformLog | undefined;
  readonly sockets: Set<Duplex>;
  /** Idle connections of this proxy. If sessions shared connections, one would end with another session, and could receive data meant for it. */
  readonly agent: Agent;
}

const CONNECT_TIMEOUT_MS = 30_000;
/** Lifetime of an idle connection to a web server. The default of Node.js. */
const IDLE_MS = 5000;
/**
 * Maximum number of connections per browser. Each context of Chromium opens at most 64 to a proxy. A connection that nobody reads does not
 * report its end, so a page could accumulate them.
 */
const MAX_CONNECTIONS = 1000;
/** Headers for the connection to this proxy only. */
const OWN_HEADERS = ['proxy-connection', 'proxy-authorization'];

/**
 * Opens a proxy for one browser. It resolves names itself and connects to the address it has checked, so that a
 * name cannot point to another address a moment later.
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

/** Rejects a tenant's proxy that browsers may not reach. Checked again for each request. */
export async function checkUpstream(rules: AddressRules, upstream: UpstreamProxy | undefined): Promise<void> {
  if (upstream && (await hopTo(rules, upstream)) === undefined)
    throw new PlatformError('invalid_request', 'proxy.server: must resolve to an address that browsers can reach.');
}

async function close(server: Server, { sockets, agent }: Egress): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  agent.destroy();
  for (const socket of sockets) socket.destroy();
  await closed;
}

/** A tunnel for `https:` and WebSockets. */
async function openTunnel(egress: Egress, { url = '' }: IncomingMessage, client: Duplex): Promise<void> {
  client.on('error', () => client.destroy());
  const { hostname, port } = parts(`http://${url}`);
  const target = await nextHop(egress, { hostname, port: Number(port || 443) });
  if (!target) return refuse(client, '403 Forbidden');
  const socket = connect({ ...target, timeout: CONNECT_TIMEOUT_MS });
  track(egress, socket);
  const fail = (): void => refuse(client, '502 Bad Gateway');
  socket.once('timeout', () => socket.destroy());
  socket.once('error', fail);
  const open = (): void => {
    socket.setTimeout(0);
    socket.setNoDelay(true);
    // The tenant's proxy sends its own answer.
    if (!egress.upstream) client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    socket.off('error', fail);
    join(client, socket);
  };
  const breakBoth = (): void => {
    client.destroy();
    socket.destroy();
  };
  if (egress.upstream) socket.write(connectHead(url, egress.upstream));
  // Reading from now on shows when a browser gives up. Its connection is destroyed at once.
  client.pipe(socket);
  client.once('end', () => socket.connecting && breakBoth());
  client.once('close', () => socket.destroy());
  socket.once('connect', guardHandler(guardFor(egress, breakBoth), open));
}

function connectHead(authority: string, { authorization }: UpstreamProxy): string {
  const secret = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${secret}\r\n`;
}

/** Connects a client to its tunnel. When one of them ends, the other one ends too. */
function join(client: Duplex, socket: Socket): void {
  socket.pipe(client);
  socket.once('close', () => client.destroy());
  socket.on('error', () => client.destroy());
}

/** A plain HTTP request with an absolute URL. */
async function passRequest(egress: Egress, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = parts(incoming.url ?? '');
  if (address.protocol !== 'http:') return answer(response, 400);
  const target = await nextHop(egress, { hostname: address.hostname, port: Number(address.port || 80) });
  if (!target) return answerRefusal(response, address.hostname);
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !OWN_HEADERS.includes(name)));
  const { authorization } = egress.upstream ?? {};
  const outgoing = request({
    ...target,
    agent: egress.agent,
    method: incoming.method,
    path: egress.upstream ? address.href : address.pathname + address.search,
    headers: { ...headers, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
    setHost: false,
    timeout: CONNECT_TIMEOUT_MS,
  });
  outgoing.once('socket', (socket) => track(egress, socket));
  // Once connected, a server may take longer to answer.
  outgoing.once('timeout', () => outgoing.socket?.connecting && outgoing.destroy());
  outgoing.once('error', () => answer(response, 502));
  // An upgrade answer emits no other event.
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

/** Trailers are not forwarded, and Node refuses a head that announces trailers without a chunked body. */
function withoutTrailers(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_text, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== 'trailer');
}

interface Hop {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the next hop of a request. Resolves with `undefined` if it is blocked. A tenant's proxy resolves names
 * itself.
 */
async function nextHop(
  { rules, upstream }: Egress,
  { hostname, port }: { readonly hostname: string; readonly port: number },
): Promise<Hop | undefined> {
  return hopTo(rules, upstream ?? { host: hostname, port });
}

async function hopTo(rules: AddressRules, { host: name, port }: Hop): Promise<Hop | undefined> {
  try {
    const host = await rules.addressOf(name);
    return host === undefined ? undefined : { host, port };
  } catch {
    // An unknown name gets the same answer as a blocked one.
    return undefined;
  }
}

function parts(address: string): Pick<URL, 'protocol' | 'hostname' | 'port' | 'pathname' | 'search' | 'href'> {
  const empty = { protocol: '', hostname: '', port: '', pathname: '', search: '', href: '' };
  return URL.canParse(address) ? new URL(address) : empty;
}

function refuse(client: Duplex, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  destroySoon(client);
}

/** The header tells drivers that this answer comes from no web server. A page opened by a link shows the text. */
function answerRefusal(response: ServerResponse, host: string): void {
  response.writeHead(403, {
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
    'x-chauffeur-refused': 'network',
  });
  response.end(
    `The network policy of this platform blocks ${host}: browsers cannot reach addresses inside its network, including loopback.\n` +
      'The platform operator can allow a network with --allow-network, for example --allow-network 127.0.0.1/32.\n',
  );
}

function answer(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  // Node keeps an invalid status text and would reject it again.
  response.statusMessage = '';
  response.writeHead(status, { connection: 'close' }).end();
}

/** Maps IPv4-mapped IPv6 addresses to IPv4. */
function addressOf({ remoteAddress = '' }: Socket): string {
  return remoteAddress.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

function track({ sockets }: Egress, socket: Duplex): void {
  if (sockets.has(socket)) return;
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}
