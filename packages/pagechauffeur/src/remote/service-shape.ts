import { isRecord } from '../util/is-record.ts';
import type { PlatformRequest } from './platform-request.ts';
import type { RemoteSession } from './remote-session.ts';

export type ServiceRequest = Pick<PlatformRequest, 'method' | 'path' | 'body'>;

/** What differs between third-party services: requests, and how to read the responses. */
export interface ServiceShape {
  /** Shown in error messages. */
  readonly name: string;
  /** Default URL of the API. */
  readonly baseUrl: string;
  /** Authentication headers. */
  headers(apiKey: string): Readonly<Record<string, string>>;
  /** Request that creates a session. Parameters with unknown names are passed on unchanged. */
  create(parameters: RemoteParameters, apiKey: string): ServiceRequest;
  /** Returns `undefined` if the service cannot look up sessions by id. */
  find(id: string): ServiceRequest | undefined;
  /** Request that ends a session. `answer` is the response that created or found it. */
  release(id: string, answer: Readonly<Record<string, unknown>>): ServiceRequest;
  /** Request for the debug URL, if other responses do not contain it. */
  debug?(id: string): ServiceRequest;
  /** Reads a session from a response. */
  read(answer: Readonly<Record<string, unknown>>, apiKey: string): ServiceSession;
  /** Reads the response to `debug`. */
  readDebug?(answer: Readonly<Record<string, unknown>>): string | undefined;
}

/** A session as far as the response describes it. `id` is undefined if the response contains no session. */
export type ServiceSession = Pick<RemoteSession, 'isRunning' | 'connectUrl' | 'sessionUrl' | 'debugUrl'> & {
  readonly id: string | undefined;
};

/** Session parameters with the names in docs/remote.md. All others are passed to the service. */
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

/** Drops fields that are `undefined`. */
export function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns non-empty strings, and `undefined` for everything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Sets a query parameter, unless the URL already has it. */
export function withQuery(address: string | undefined, name: string, value: string): string | undefined {
  if (address === undefined || !URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url.href;
}

/** Formats a proxy as a URL with credentials. */
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
