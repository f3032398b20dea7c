import { DriverHTTPHeadersError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import type { Session } from '../session.ts';
import { type AttachedTarget, settleCommands } from './attached-target.ts';

export type HeaderMap = Readonly<Record<string, string>>;

const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/;
/** The browser sets these itself and rejects other values. */
const RESERVED: ReadonlySet<string> = new Set(['connection', 'content-length', 'host', 'transfer-encoding', 'upgrade']);

/** Extra request headers. Those of a page override those of all pages. */
export class ExtraHeaders {
  readonly #targets = new Map<Session, AttachedTarget>();
  readonly #headersByPage = new Map<string, HeaderMap>();
  #shared: HeaderMap = {};

  /** Replaces the headers of one page or, without `pageId`, of all pages. */
  async set(pageId: string | undefined, headers: HeaderMap): Promise<void> {
    if (pageId === undefined) this.#shared = headers;
    else this.#headersByPage.set(pageId, headers);
    const concerned = [...this.#targets.values()].filter((target) => pageId === undefined || target.pageId === pageId);
    await settleCommands(concerned.map((target) => this.#send(target)));
  }

  /** Sends the commands for a new target, and returns their replies. */
  attach(target: AttachedTarget): Promise<unknown>[] {
    const { session } = target;
    this.#targets.set(session, target);
    session.on('closed', () => this.#targets.delete(session));
    return Object.keys(this.#headersOf(target)).length > 0 ? [this.#send(target)] : [];
  }

  #send(target: AttachedTarget): Promise<unknown> {
    const headers = this.#headersOf(target);
    // In workers, extra headers have no effect before `Network.enable`.
    if (target.type.endsWith('worker')) target.session.sendOnce('Network.enable').catch(ignoreRejection);
    return target.session.send('Network.setExtraHTTPHeaders', { headers });
  }

  #headersOf({ pageId }: AttachedTarget): Record<string, string> {
    const merged: Record<string, string> = {};
    const own = pageId === undefined ? {} : (this.#headersByPage.get(pageId) ?? {});
    for (const [name, value] of [...Object.entries(this.#shared), ...Object.entries(own)])
      merged[name.toLowerCase()] = value;
    return merged;
  }
}

interface HeaderChecks {
  /** True for the headers of a whole request or response: no name is reserved, and each line of a value is a header. */
  readonly isMessage?: boolean;
}

/**
 * Returns a copy of valid headers.
 * @throws DriverHTTPHeadersError that names the first invalid header.
 */
export function checkHeaders(headers: unknown, { isMessage = false }: HeaderChecks = {}): HeaderMap {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new DriverHTTPHeadersError(
      `headers must be an object of strings by header name. Received ${describeValue(headers)}.`,
    );
  for (const [name, value] of Object.entries(headers)) {
    if (!isMessage && RESERVED.has(name.toLowerCase()))
      throw new DriverHTTPHeadersError(`Cannot set the header ${name}: the browser controls it.`);
    checkHeader(name, isMessage && typeof value === 'string' ? value.replaceAll('\n', '') : value);
  }
  return { ...headers };
}

function checkHeader(name: string, value: unknown): void {
  if (!TOKEN.test(name))
    throw new DriverHTTPHeadersError(
      `${JSON.stringify(name)} is not a valid header name. Use letters, digits and !#$%&'*+-.^_\`|~ only.`,
    );
  if (typeof value !== 'string')
    throw new DriverHTTPHeadersError(`The value of header ${name} must be a string. Received ${describeValue(value)}.`);
  if (/[\0\r\n]/.test(value))
    throw new DriverHTTPHeadersError(
      `The value of header ${name} must be one line. It contains a line break or a zero byte.`,
    );
}
