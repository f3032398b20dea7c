import { DriverHTTPHeadersError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import { ignoreRejection } from '../../util/deferred.ts';
import type { Session } from '../session.ts';
import { type AttachedTarget, settleCommands } from './attached-target.ts';

/** HTTP headers by name. */
export type HeaderMap = Readonly<Record<string, string>>;

const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/;
/** The browser frames messages by these itself, and refuses to send others in their place. */
const RESERVED: ReadonlySet<string> = new Set(['connection', 'content-length', 'host', 'transfer-encoding', 'upgrade']);

/** Headers that are added to every request: those of all pages, and over them those of one page. */
export class ExtraHeaders {
  readonly #targets = new Map<Session, AttachedTarget>();
  readonly #headersByPage = new Map<string, HeaderMap>();
  #shared: HeaderMap = {};

  /** Sets the headers of a page, or of all when none is named, in place of those set before. */
  async set(pageId: string | undefined, headers: HeaderMap): Promise<void> {
    if (pageId === undefined) this.#shared = headers;
    else this.#headersByPage.set(pageId, headers);
    const concerned = [...this.#targets.values()].filter((target) => pageId === undefined || target.pageId === pageId);
    await settleCommands(concerned.map((target) => this.#send(target)));
  }

  /** Commands for a target that was attached to. */
  attach(target: AttachedTarget): Promise<unknown>[] {
    const { session } = target;
    this.#targets.set(session, target);
    session.on('closed', () => this.#targets.delete(session));
    return Object.keys(this.#headersOf(target)).length > 0 ? [this.#send(target)] : [];
  }

  #send(target: AttachedTarget): Promise<unknown> {
    const headers = this.#headersOf(target);
    // Workers do not listen to the domain before it is enabled.
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

/** How headers are checked. */
interface HeaderChecks {
  /** They make up a whole message: nothing is reserved, and a value of several lines is several headers. */
  readonly isMessage?: boolean;
}

/** The headers as they are when each can be sent; throws a `DriverHTTPHeadersError` that names the first that cannot. */
export function checkHeaders(headers: unknown, { isMessage = false }: HeaderChecks = {}): HeaderMap {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new DriverHTTPHeadersError(
      `headers must be an object of strings by header name; it is ${describeValue(headers)}.`,
    );
  for (const [name, value] of Object.entries(headers)) {
    if (!isMessage && RESERVED.has(name.toLowerCase()))
      throw new DriverHTTPHeadersError(`The header ${name} belongs to the browser and cannot be set.`);
    checkHeader(name, isMessage && typeof value === 'string' ? value.replaceAll('\n', '') : value);
  }
  return { ...headers };
}

function checkHeader(name: string, value: unknown): void {
  if (!TOKEN.test(name))
    throw new DriverHTTPHeadersError(
      `${JSON.stringify(name)} is not a header name: it may hold letters, digits and !#$%&'*+-.^_\`|~ only.`,
    );
  if (typeof value !== 'string')
    throw new DriverHTTPHeadersError(
      `The header ${name} must have a string as its value; it is ${describeValue(value)}.`,
    );
  if (/[\0\r\n]/.test(value))
    throw new DriverHTTPHeadersError(
      `The header ${name} must be one line: its value holds a line break or a zero byte.`,
    );
}
