import { DriverInvalidArgumentError } from '../../errors.ts';
import type { NetworkControl } from '../../cdp/network/network-control.ts';
import type { PausedRequest, RequestChanges } from '../../cdp/network/paused-request.ts';
import { checkHeaders } from '../../cdp/network/extra-headers.ts';
import { checkOneOf, checkOptions, checkString, describeValue } from '../../util/check-argument.ts';
import type { PageSettings } from '../../actions/call-limits.ts';
import { maskErrorsOf } from '../../actions/public-errors.ts';
import type { Request } from '../request.ts';
import { type Answer, fulfillment } from './fulfillment.ts';

/** Changes for `route.continue()` and `route.fallback()`. */
export interface RouteChanges {
  /** New URL with the same scheme. The page still sees the original URL. */
  url?: string;
  method?: string;
  /** Replaces all request headers. */
  headers?: Readonly<Record<string, string>>;
  postData?: string | Uint8Array;
}

const ERROR_REASONS = {
  aborted: 'Aborted',
  accessdenied: 'AccessDenied',
  addressunreachable: 'AddressUnreachable',
  blockedbyclient: 'BlockedByClient',
  blockedbyresponse: 'BlockedByResponse',
  connectionaborted: 'ConnectionAborted',
  connectionclosed: 'ConnectionClosed',
  connectionfailed: 'ConnectionFailed',
  connectionrefused: 'ConnectionRefused',
  connectionreset: 'ConnectionReset',
  failed: 'Failed',
  internetdisconnected: 'InternetDisconnected',
  namenotresolved: 'NameNotResolved',
  timedout: 'TimedOut',
} as const;

/** Error code for `route.abort()`, as in Playwright. */
export type RouteErrorCode = keyof typeof ERROR_REASONS;

export interface RouteSetup {
  readonly paused: PausedRequest;
  readonly request: Request;
  readonly control: NetworkControl;
  readonly settings: PageSettings;
  /** Passes the request to the next matching handler. */
  readonly next: (changes: RequestChanges) => void;
}

/**
 * A request that is paused until its handler calls one of `fulfill`, `abort`, `continue` and `fallback`. If the handler
 * throws first, the request fails.
 * @example
 * await page.route(/\.png$/, (route) => route.abort());
 * await page.route('https://shop.example/api/mugs', (route) => route.fulfill({ json: ['blue mug'] }));
 */
export class Route {
  readonly #setup: RouteSetup;
  #isAnswered = false;

  /** @internal */
  constructor(setup: RouteSetup) {
    this.#setup = setup;
    maskErrorsOf(this, setup.settings);
  }

  /** The paused request. */
  request(): Request {
    return this.#setup.request;
  }

  /**
   * Responds without sending the request, by default with status 200 and an empty body.
   * @throws DriverInvalidArgumentError when the route was already handled, `answer` is invalid or has more than one of
   * `body`, `json` and `path`, or its file cannot be read.
   * @throws DriverHTTPHeadersError when a header cannot be sent.
   * @example
   * await page.route('https://shop.example/api/stock', (route) =>
   *   route.fulfill({ status: 503, contentType: 'text/plain', body: 'Try later' }),
   * );
   */
  async fulfill(answer: Answer = {}): Promise<void> {
    checkOptions(answer, 'answer');
    const message = await fulfillment(answer, this.#setup.paused);
    this.#answer('fulfill');
    await this.#setup.paused.fulfill(message);
  }

  /**
   * Fails the request with a network error, by default `net::ERR_FAILED`.
   * @throws DriverInvalidArgumentError when the route was already handled, or the error code is unknown.
   * @example
   * await page.route(/tracker/, (route) => route.abort('connectionrefused'));
   */
  async abort(errorCode: RouteErrorCode = 'failed'): Promise<void> {
    checkOneOf('errorCode', errorCode, Object.keys(ERROR_REASONS) as RouteErrorCode[]);
    this.#answer('abort');
    await this.#setup.paused.fail(ERROR_REASONS[errorCode]);
  }

  /**
   * Sends the request to the server, with these changes and without calling other handlers. If the domain policy
   * refuses the new URL, the request fails.
   * @throws DriverInvalidArgumentError when the route was already handled, or a change is invalid, such as a URL with
   * another scheme.
   * @throws DriverHTTPHeadersError when a header cannot be sent.
   * @example
   * await page.route(/\/api\//, (route, request) =>
   *   route.continue({ headers: { ...request.headers(), 'x-test': '1' } }),
   * );
   */
  async continue(changes: RouteChanges = {}): Promise<void> {
    const checked = this.#checkChanges(changes);
    this.#answer('continue');
    const { paused } = this.#setup;
    await (this.#isRefused(checked) ? paused.fail('BlockedByClient') : paused.continue(checked));
  }

  /**
   * Passes the request to the next matching handler, or to the server after the last one. Unlike in Playwright, other
   * handlers see the original request: the changes apply when it is sent.
   * @throws DriverInvalidArgumentError when the route was already handled, or a change is invalid, such as a URL with
   * another scheme.
   * @throws DriverHTTPHeadersError when a header cannot be sent.
   * @example
   * await page.route('https://shop.example/**', (route, request) =>
   *   request.method() === 'POST' ? route.abort() : route.fallback(),
   * );
   */
  async fallback(changes: RouteChanges = {}): Promise<void> {
    const checked = this.#checkChanges(changes);
    this.#answer('fallback');
    if (this.#isRefused(checked)) await this.#setup.paused.fail('BlockedByClient');
    else this.#setup.next(checked);
  }

  /** @internal True once the handler has called one of the four methods. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  #answer(method: string): void {
    if (this.#isAnswered)
      throw new DriverInvalidArgumentError(
        `Cannot call route.${method}(): the route for ${this.request().url()} was already handled. Handle each route once.`,
        { argument: 'route' },
      );
    this.#isAnswered = true;
  }

  // A changed URL must pass the domain policy again.
  #isRefused({ url }: RequestChanges): boolean {
    return url !== undefined && this.#setup.control.policy?.refuses(url) === true;
  }

  #checkChanges(changes: RouteChanges): RequestChanges {
    checkOptions(changes, 'changes');
    const { url, method, headers, postData } = changes;
    return {
      ...(url === undefined ? {} : { url: this.#checkUrl(url) }),
      ...(method === undefined ? {} : { method: checkMethod(method) }),
      ...(headers === undefined ? {} : { headers: checkHeaders(headers, { isMessage: true }) }),
      ...(postData === undefined ? {} : { postData: checkBody(postData) }),
    };
  }

  #checkUrl(url: string): string {
    checkString('url', url);
    const { protocol } = new URL(this.#setup.paused.url);
    if (URL.canParse(url) && new URL(url).protocol === protocol) return new URL(url).href;
    throw new DriverInvalidArgumentError(
      `url must be an absolute URL with the scheme of the request, ${protocol}. Received ${describeValue(url)}.`,
      { argument: 'url' },
    );
  }
}

function checkMethod(method: string): string {
  checkString('method', method);
  return method;
}

function checkBody(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new DriverInvalidArgumentError(`postData must be a string or a Buffer. Received ${describeValue(body)}.`, {
    argument: 'postData',
  });
}
