import type { Protocol } from 'devtools-protocol';
import { DriverClosedError } from '../../errors.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { EventParams, Params } from '../protocol.ts';
import type { Session } from '../session.ts';

export interface RequestChanges {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly postData?: Buffer;
}

/** A request that the browser holds until `fulfill`, `fail` or `continue` is called. */
export class PausedRequest {
  readonly event: EventParams<'Fetch.requestPaused'>;
  readonly session: Session;

  constructor(session: Session, event: EventParams<'Fetch.requestPaused'>) {
    this.session = session;
    this.event = event;
  }

  get url(): string {
    return this.event.request.url;
  }

  /** True for a CORS preflight, which the browser itself sends. */
  get isPreflight(): boolean {
    const { method, headers } = this.event.request;
    return method === 'OPTIONS' && headerOf(headers, 'access-control-request-method') !== undefined;
  }

  /** Returns a request header. `name` must be in lower case. */
  header(name: string): string | undefined {
    return headerOf(this.event.request.headers, name);
  }

  fulfill(answer: Omit<Params<'Fetch.fulfillRequest'>, 'requestId'>): Promise<void> {
    return this.#settleOrFail(
      this.session.send('Fetch.fulfillRequest', { requestId: this.event.requestId, ...answer }),
    );
  }

  fail(errorReason: Protocol.Network.ErrorReason): Promise<void> {
    return settle(this.session.send('Fetch.failRequest', { requestId: this.event.requestId, errorReason }));
  }

  /** Sends the request to the server, optionally changed. */
  continue({ url, method, headers, postData }: RequestChanges = {}): Promise<void> {
    return this.#settleOrFail(
      this.session.send('Fetch.continueRequest', {
        requestId: this.event.requestId,
        ...(url === undefined ? {} : { url }),
        ...(method === undefined ? {} : { method }),
        ...(headers === undefined ? {} : { headers: headerEntries(headers) }),
        ...(postData === undefined ? {} : { postData: postData.toString('base64') }),
      }),
    );
  }

  /** If the browser rejects the command, fails the request, which would otherwise hang. */
  async #settleOrFail(command: Promise<unknown>): Promise<void> {
    try {
      await settle(command);
    } catch (error) {
      await this.fail('Failed');
      throw error;
    }
  }
}

/** Ignores a request whose page has navigated or closed. */
async function settle(command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof DriverClosedError || isGone(error))) throw error;
  }
}

/** Converts headers to the form of the Fetch domain. Each line of a value becomes a header. */
export function headerEntries(headers: Readonly<Record<string, string>>): Protocol.Fetch.HeaderEntry[] {
  return Object.entries(headers).flatMap(([name, value]) => value.split('\n').map((line) => ({ name, value: line })));
}

function headerOf(headers: Protocol.Network.Headers, name: string): string | undefined {
  return Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
}

function isGone(error: unknown): boolean {
  return error instanceof ProtocolError && /Invalid InterceptionId|Fetch domain is not enabled/.test(error.reason);
}
