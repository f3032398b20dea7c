import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type GuardedHandler, guardHandler } from '../guard-handler.ts';
import { PlatformError } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { AddressRules } from './address-rules.ts';

/** A tenant's own proxy, which a browser's requests go on to. */
export interface UpstreamProxy {
  readonly host: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string | undefined;
}

/** Where a way to the network begins, and whether it leads through a tenant's proxy. */
interface EgressProxyOptions {
  readonly upstream?: UpstreamProxy | undefined;
  /** Address to listen at; default 127.0.0.1. */
  readonly host?: string;
  /** Port to listen at; default any. */
  readonly port?: number;
  /** Whether the machine at an address may use it; default: all that reach it. */
  readonly admits?: (address: string) => boolean;
  /** Told of what a browser or a server sends that cannot be handled. */
  readonly log?: PlatformLog | undefined;
}

/** The one way from a rented browser to the network. */
export interface EgressProxy {
  readonly port: number;
  close(): Promise<void>;
}

interface Egress {
  readonly rules: AddressRules;
  readonly upstream: UpstreamProxy | undefined;
  readonly log: PlatformLog | undefined;
  readonly sockets: Set<Duplex>;
}

const CONNECT_TIMEOUT_MS = 30_000;
/** Headers that concern the connection to this proxy only. */
const OWN_HEADERS = ['proxy-connection', 'proxy-authorization'];

/**
 * Opens a proxy for one browser. It looks names up itself and connects to the very address that was judged, so that a
 * name cannot lead to another place a moment later.
 */
export async function openEgressProxy(
  rules: AddressRules,
  { upstream, host = '127.0.0.1', port: wanted = 0, admits, log }: EgressProxyOptions = {},
): Promise<EgressProxy> {
  const egress: Egress = { rules, upstream, log, sockets: new Set() };
  const server = createServer(
    guardHandler(door(egress, breakOff), (incoming: IncomingMessage, response: ServerResponse) =>
      passRequest(egress, incoming, response),
    ),
  );
  server.on(
    'connect',
    guardHandler(
      door(egress, (_incoming, client: Duplex) => client.destroy()),
      (incoming: IncomingMessage, client: Duplex) => openTunnel(egress, incoming, client),
    ),
  );
  server.on(
    'connection',
    guardHandler(
      door(egress, (socket: Socket) => socket.destroy()),
      (socket: Socket) => {
        track(egress, socket);
        if (admits?.(addressOf(socket)) !== false) return;
        log?.warn({ address: addressOf(socket), port: wanted }, 'a stranger at the way to the network was cut off');
        socket.destroy();
      },
    ),
  );
  server.listen({ host, port: wanted });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => close(server, egress) };
}

/** Refuses a tenant's proxy that browsers may not reach now; it is judged again with each request. */
export async function checkUpstream(rules: AddressRules, upstream: UpstreamProxy | undefined): Promise<void> {
  if (upstream && (await hopTo(rules, upstream)) === undefined)
    throw new PlatformError('invalid_request', 'proxy.server: leads nowhere that browsers may reach.');
}

async function close(server: Server, { sockets }: Egress): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}

/** A tunnel for `https:` and sockets. */
async function openTunnel(egress: Egress, { url = '' }: IncomingMessage, client: Duplex): Promise<void> {
  client.on('error', () => client.destroy());
  const { hostname, port } = parts(`http://${url}`);
  const target = await nextHop(egress, { hostname, port: Number(port || 443) });
  if (!target) return refuse(client, '403 Forbidden');
  const socket = connect({ ...target, timeout: CONNECT_TIMEOUT_MS });
  track(egress, socket);
  socket.once('timeout', () => socket.destroy());
  socket.once('error', () => refuse(client, '502 Bad Gateway'));
  const open = (): void => {
    socket.setTimeout(0);
    socket.setNoDelay(true);
    if (egress.upstream) socket.write(connectHead(url, egress.upstream));
    // The tenant's proxy answers for itself.
    else client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    join(client, socket);
  };
  const breakBoth = (): void => {
    client.destroy();
    socket.destroy();
  };
  socket.once('connect', guardHandler(door(egress, breakBoth), open));
}

function connectHead(authority: string, { authorization }: UpstreamProxy): string {
  const secret = authorization === undefined ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${secret}\r\n`;
}

function join(client: Duplex, socket: Socket): void {
  client.pipe(socket);
  socket.pipe(client);
  client.once('close', () => socket.destroy());
  socket.once('close', () => client.destroy());
  socket.on('error', () => client.destroy());
}

/** A plain request, whose head names the whole address. */
async function passRequest(egress: Egress, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = parts(incoming.url ?? '');
  if (address.protocol !== 'http:') return answer(response, 400);
  const target = await nextHop(egress, { hostname: address.hostname, port: Number(address.port || 80) });
  if (!target) return answerRefusal(response, address.hostname);
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !OWN_HEADERS.includes(name)));
  const { authorization } = egress.upstream ?? {};
  const outgoing = request({
    ...target,
    method: incoming.method,
    path: egress.upstream ? address.href : address.pathname + address.search,
    headers: { ...headers, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
    setHost: false,
    timeout: CONNECT_TIMEOUT_MS,
  });
  outgoing.once('socket', (socket) => track(egress, socket));
  outgoing.once('error', () => answer(response, 502));
  // Of an answer that switches to another protocol nothing else is told.
  outgoing.once('close', () => response.headersSent || answer(response, 502));
  outgoing.once(
    'response',
    guardHandler(
      door(egress, () => answer(response, 502)),
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

function door<Given extends readonly unknown[]>(
  { log }: Egress,
  end: (...given: Given) => unknown,
): GuardedHandler<Given> {
  return { name: 'egress proxy', log, end };
}

function breakOff(_incoming: IncomingMessage, response: ServerResponse): void {
  answer(response, 502);
}

/** Trailers are not passed on, and a head that announces some is refused where the body does not come in chunks. */
function withoutTrailers(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_text, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== 'trailer');
}

interface Hop {
  readonly host: string;
  readonly port: number;
}

/** Where a request goes; undefined when that is refused. With a proxy of the tenant's, that proxy looks the name up. */
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
    // A name that nobody knows is answered as one that is refused.
    return undefined;
  }
}

function parts(address: string): Pick<URL, 'protocol' | 'hostname' | 'port' | 'pathname' | 'search' | 'href'> {
  const empty = { protocol: '', hostname: '', port: '', pathname: '', search: '', href: '' };
  return URL.canParse(address) ? new URL(address) : empty;
}

function refuse(client: Duplex, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

/** Drivers know by the header that no server gave this answer; a page that is opened by a link shows the text. */
function answerRefusal(response: ServerResponse, host: string): void {
  response.writeHead(403, {
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
    'x-chauffeur-refused': 'network',
  });
  response.end(
    `The network policy of this platform refuses ${host}: rented browsers reach no address inside its network, loopback included.\n` +
      'Whoever runs the platform can allow a network with --allow-network, for example --allow-network 127.0.0.1/32.\n',
  );
}

function answer(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  // A text that was refused is kept, and would be refused again.
  response.statusMessage = '';
  response.writeHead(status, { connection: 'close' }).end();
}

/** An address of IPv4 may come in the form of IPv6. */
function addressOf({ remoteAddress = '' }: Socket): string {
  return remoteAddress.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

function track({ sockets }: Egress, socket: Duplex): void {
  if (sockets.has(socket)) return;
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}
