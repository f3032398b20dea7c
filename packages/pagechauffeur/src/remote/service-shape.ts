import { isRecord } from '../util/is-record.ts';
import type { PlatformRequest } from './ask-platform.ts';
import type { RemoteSession } from './remote-session.ts';

/** A request as a service wants it. */
export type ServiceRequest = Pick<PlatformRequest, 'method' | 'path' | 'body'>;

/** How one service is spoken to. Everything that differs between services stands in its shape, and nothing else. */
export interface ServiceShape {
  /** What people call it. */
  readonly name: string;
  /** Its own address, used when none is given. */
  readonly baseUrl: string;
  /** The headers that carry the key. */
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** Rents a browser with parameters by our names, beside those of the service. */
  create(parameters: RemoteParameters, apiKey: string): ServiceRequest;
  /** Asks for a session; undefined when the service knows no such question. */
  find(id: string): ServiceRequest | undefined;
  /** Ends a session; what it is told by may be in what the service said of it. */
  release(id: string, answer: Readonly<Record<string, unknown>>): ServiceRequest;
  /** Asks where the browser can be looked into, when that is a question of its own. */
  debug?(id: string): ServiceRequest;
  /** Reads what the service says of a session. */
  read(answer: Readonly<Record<string, unknown>>, apiKey: string): ServiceSession;
  /** Reads the answer to `debug`. */
  readDebug?(answer: Readonly<Record<string, unknown>>): string | undefined;
}

/** What a service tells of a session. */
export type ServiceSession = Pick<RemoteSession, 'isRunning' | 'connectUrl' | 'sessionUrl' | 'debugUrl'> & {
  readonly id: string | undefined;
};

/** Parameters of a session by the names that docs/remote.md gives them; others belong to the service. */
export interface RemoteParameters {
  readonly viewport?: unknown;
  readonly userAgent?: unknown;
  readonly proxy?: unknown;
  readonly region?: unknown;
  /** Milliseconds. */
  readonly timeout?: unknown;
  readonly keepAlive?: unknown;
  readonly metadata?: unknown;
  readonly [name: string]: unknown;
}

/** The fields that have a value. */
export function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A field of text; undefined when it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An address with the key in its query, unless it already has one there. */
export function withQuery(address: string | undefined, name: string, value: string): string | undefined {
  if (address === undefined || !URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url.href;
}

/** A proxy as one address, with its user's name and password where it has them. */
export function proxyAddress(proxy: unknown): string | undefined {
  if (!isRecord(proxy)) return undefined;
  const { server, username, password } = proxy;
  const text = textOf(server);
  if (text === undefined) return undefined;
  const url = new URL(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  url.username = textOf(username) ?? '';
  url.password = textOf(password) ?? '';
  return url.href.replace(/\/$/, '');
}
