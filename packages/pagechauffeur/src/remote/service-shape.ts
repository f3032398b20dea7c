import { isRecord } from '../util/is-record.ts';
import type { PlatformRequest } from './platform-request.ts';
import type { RemoteSession } from './remote-session.ts';

/** A request to a service. */
export type ServiceRequest = Pick<PlatformRequest, 'method' | 'path' | 'body'>;

/** Everything that differs between services. */
export interface ServiceShape {
  /** Name of the service in messages. */
  readonly name: string;
  /** Its default URL. */
  readonly baseUrl: string;
  /** Returns the headers that carry the API key. */
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** Request that creates a session from our parameters and the service's own. */
  create(parameters: RemoteParameters, apiKey: string): ServiceRequest;
  /** Request that returns a session. Undefined if the service has none. */
  find(id: string): ServiceRequest | undefined;
  /** Request that ends a session. `answer` is the service's description of it. */
  release(id: string, answer: Readonly<Record<string, unknown>>): ServiceRequest;
  /** Request for the debug URL, if it needs one of its own. */
  debug?(id: string): ServiceRequest;
  /** Parses the service's description of a session. */
  read(answer: Readonly<Record<string, unknown>>, apiKey: string): ServiceSession;
  /** Parses the answer to `debug`. */
  readDebug?(answer: Readonly<Record<string, unknown>>): string | undefined;
}

/** A session as the service describes it. */
export type ServiceSession = Pick<RemoteSession, 'isRunning' | 'connectUrl' | 'sessionUrl' | 'debugUrl'> & {
  readonly id: string | undefined;
};

/** Session parameters with the names of docs/remote.md. Other parameters belong to the service. */
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

/** Returns the fields that have a value. */
export function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns the value if it is a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Adds the API key to a URL's query, unless it has one. */
export function withQuery(address: string | undefined, name: string, value: string): string | undefined {
  if (address === undefined || !URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url.href;
}

/** Returns a proxy as a URL, including its credentials. */
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
