import { DriverInvalidArgumentError } from '../../errors.ts';
import type { NetworkControl } from '../../cdp/network/network-control.ts';
import type { PausedRequest, RequestChanges } from '../../cdp/network/paused-request.ts';
import { checkHeaders } from '../../cdp/network/extra-headers.ts';
import { checkOneOf, checkOptions, checkString, describeValue } from '../../util/check-argument.ts';
import type { PageSettings } from '../../actions/call-limits.ts';
import { maskErrorsOf } from '../../actions/public-errors.ts';
import type { Request } from '../request.ts';
import { type Answer, fulfillment } from './fulfillment.ts';

/** Changes to a request. */
export interface RouteChanges {
  /** Another URL with the same scheme. The page does not see it. */
  url?: string;
  method?: string;
  /** Replaces all headers of the request. */
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

/** Why a request fails, as the page sees it. */
export type RouteErrorCode = keyof typeof ERROR_REASONS;

/** Dependencies of a route. */
export interface RouteSetup {
  readonly paused: PausedRequest;
  readonly request: Request;
  readonly control: NetworkControl;
  readonly settings: PageSettings;
  /** Passes the request to handlers registered earlier. */
  readonly next: (changes: RequestChanges) => void;
}

/**
 * A paused request. Its handler must call one of `fulfill`, `abort`, `continue` and `fallback`, once. If the handler
 * throws before, the request fails.
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

  /** The request. */
  request(): Request {
    return this.#setup.request;
  }

  /**
   * Responds instead of the server. Nothing leaves the browser. The default is an empty response with status 200.
   * @throws DriverInvalidArgumentError when the route was answered before, `answer` is invalid or has more than one of
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
   * Fails the request, by default with a general failure.
   * @throws DriverInvalidArgumentError when the route was answered before, or there is no such error code.
   * @example
   * await page.route(/tracker/, (route) => route.abort('connectionrefused'));
   */
  async abort(errorCode: RouteErrorCode = 'failed'): Promise<void> {
    checkOneOf('errorCode', errorCode, Object.keys(ERROR_REASONS) as RouteErrorCode[]);
    this.#answer('abort');
    await this.#setup.paused.fail(ERROR_REASONS[errorCode]);
  }

  /**
   * Sends the request to its server, optionally changed, without calling other handlers. Fails the request instead if
   * the domain policy refuses the changed URL.
   * @throws DriverInvalidArgumentError when the route was answered before, or a change is invalid, such as a URL with
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
   * Passes the request, optionally changed, to the handler registered before this one, and finally to its server. The
   * next handler sees the original request; the changes apply when it is sent.
   * @throws DriverInvalidArgumentError when the route was answered before, or a change is invalid, such as a URL with
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

  /** @internal True if the handler has decided about the request. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  #answer(method: string): void {
    if (this.#isAnswered)
      throw new DriverInvalidArgumentError(
        `route.${method} came too late: this route of ${this.request().url()} was already handled. Handle each route once.`,
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
      `url must be a complete URL that begins with ${protocol}//, like the request's own. Received ${describeValue(url)}.`,
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
