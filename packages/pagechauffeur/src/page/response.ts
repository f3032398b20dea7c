import type { NetworkRequest } from '../cdp/network-monitor.ts';
import { ProtocolError } from '../cdp/protocol-error.ts';
import { DriverClosedError, DriverNavigationError } from '../errors.ts';
import { checkOptions, checkString } from '../util/check-argument.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { beginCall } from '../actions/call-limits.ts';
import { type Frame, frameOf } from './locator.ts';
import type { RequestContext } from './request-context.ts';
import { type HeaderLine, headerLines, headersByName } from './response-headers.ts';
import { maskErrorsOf } from '../actions/public-errors.ts';

/** Certificate of the server and protocol of the connection. Times are in seconds since 1970. */
export interface SecurityDetails {
  readonly issuer: string;
  readonly protocol: string;
  readonly subjectName: string;
  readonly validFrom: number;
  readonly validTo: number;
}

/**
 * A server's response to a request of a page.
 *
 * @example
 * const response = await page.goto('https://shop.example/api/mugs');
 * if (response?.ok()) console.log(await response.json());
 */
export class Response {
  readonly #request: NetworkRequest;
  readonly #context: RequestContext;
  #body: Promise<Buffer> | undefined;

  /** @internal */
  constructor(request: NetworkRequest, context: RequestContext) {
    this.#request = request;
    this.#context = context;
    maskErrorsOf(this, context.settings);
  }

  /** URL that answered. For a navigation, the last one after redirects. */
  url(): string {
    return this.#request.response?.url ?? this.#request.url;
  }

  /** HTTP status such as 200, or 0 if there is none. */
  status(): number {
    return this.#request.response?.status ?? 0;
  }

  /** Status text. */
  statusText(): string {
    return this.#request.response?.statusText ?? '';
  }

  /** True for a status from 200 to 299. */
  ok(): boolean {
    return this.status() >= 200 && this.status() <= 299;
  }

  /**
   * Response headers, by lower-case name. Does not include cookie headers or others that page scripts cannot read. See
   * `allHeaders`.
   */
  headers(): Record<string, string> {
    return headersByName(headerLines(this.#request.response?.headers ?? {}));
  }

  /**
   * All headers by lower-case name, cookies included. Values of one name are joined with `, `, cookies with line ends.
   * @throws DriverTimeoutError when the headers are not complete within `timeout` ms.
   */
  async allHeaders(options?: CallOptions): Promise<Record<string, string>> {
    return headersByName(await this.headersArray(options));
  }

  /**
   * Value of one header, several joined with `, `, or `null`. The case of `name` does not matter.
   * @throws DriverTimeoutError when the headers are not complete within `timeout` ms.
   */
  async headerValue(name: string, options?: CallOptions): Promise<string | null> {
    checkString('name', name);
    return (await this.allHeaders(options))[name.toLowerCase()] ?? null;
  }

  /**
   * All values of one header, in order. The case of `name` does not matter.
   * @throws DriverTimeoutError when the headers are not complete within `timeout` ms.
   * @example
   * const response = await page.goto('https://shop.example');
   * console.log(await response?.headerValues('set-cookie'));
   */
  async headerValues(name: string, options?: CallOptions): Promise<string[]> {
    checkString('name', name);
    const lines = await this.headersArray(options);
    return lines.filter((line) => line.name.toLowerCase() === name.toLowerCase()).map(({ value }) => value);
  }

  /**
   * All header lines as received, in order.
   * @throws DriverTimeoutError when the headers are not complete within `timeout` ms.
   */
  async headersArray(options?: CallOptions): Promise<HeaderLine[]> {
    using progress = this.#begin('headersArray', options);
    await progress.race(this.#context.network.whenHeadersAreWhole(this.#request));
    const { rawHeaders, response } = this.#request;
    return headerLines(rawHeaders ?? response?.headers ?? {});
  }

  /**
   * The body as bytes, once it is complete. Empty if the response has none. Read it before the page navigates or
   * closes.
   * @throws DriverNavigationError when the body did not arrive, belongs to a redirect, or was dropped because the page
   * navigated.
   * @throws DriverClosedError when the page has closed.
   * @throws DriverTimeoutError when the body is not complete within `timeout` ms.
   */
  async body(options?: CallOptions): Promise<Buffer> {
    using progress = this.#begin('body', options);
    this.#body ??= this.#readBody();
    return await progress.race(this.#body);
  }

  /**
   * The body as UTF-8 text, once it is complete.
   * @throws DriverNavigationError when the body did not arrive, belongs to a redirect, or was dropped because the page
   * navigated.
   * @throws DriverClosedError when the page has closed.
   * @throws DriverTimeoutError when the body is not complete within `timeout` ms.
   */
  async text(options?: CallOptions): Promise<string> {
    return (await this.body(options)).toString('utf8');
  }

  /**
   * The body parsed as JSON, once it is complete.
   * @throws DriverNavigationError when the body is not JSON, did not arrive, belongs to a redirect, or was dropped
   * because the page navigated.
   * @throws DriverClosedError when the page has closed.
   * @throws DriverTimeoutError when the body is not complete within `timeout` ms.
   * @example
   * const response = await page.goto('https://shop.example/api/mugs');
   * const mugs = (await response?.json()) as { name: string }[];
   */
  async json(options?: CallOptions): Promise<unknown> {
    const text = await this.text(options);
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw this.#failure(
        `is not JSON: it begins with ${JSON.stringify(text.slice(0, 60))}. Read it with text()`,
        error,
      );
    }
  }

  /**
   * Waits until the response is complete. Returns `null`, or an error that says why it is not.
   * @throws DriverTimeoutError when the response does not end within `timeout` ms.
   */
  async finished(options?: CallOptions): Promise<DriverNavigationError | null> {
    using progress = this.#begin('finished', options);
    await progress.race(this.#context.network.whenEnded(this.#request));
    const { failure } = this.#request;
    return failure === undefined ? null : this.#failure(`did not arrive: ${failure}`);
  }

  /** The frame that sent the request. `null` if it is gone, or for a worker. */
  frame(): Frame | null {
    const { page, settings } = this.#context;
    const node = page?.frames.frame(this.#request.frameId);
    return page && node ? frameOf(page, settings, node) : null;
  }

  /** True if a service worker of the page answered. */
  fromServiceWorker(): boolean {
    return this.#request.response?.fromServiceWorker ?? false;
  }

  /** IP address and port of the server, or of a proxy in between. `null` if no server was contacted. */
  async serverAddr(): Promise<{ ipAddress: string; port: number } | null> {
    const { remoteIPAddress, remotePort } = this.#request.response ?? {};
    if (!remoteIPAddress || remotePort === undefined) return null;
    return { ipAddress: remoteIPAddress.replace(/^\[(.*)\]$/, '$1'), port: remotePort };
  }

  /** Certificate and protocol of a secure connection, else `null`. Times are in seconds since 1970. */
  async securityDetails(): Promise<SecurityDetails | null> {
    const details = this.#request.response?.securityDetails;
    if (!details) return null;
    const { issuer, protocol, subjectName, validFrom, validTo } = details;
    return { issuer, protocol, subjectName, validFrom, validTo };
  }

  #begin(method: string, options: CallOptions | undefined): Progress {
    checkOptions(options);
    return beginCall(`response.${method}`, this.#context.settings, options);
  }

  async #readBody(): Promise<Buffer> {
    if (this.#isRedirection())
      throw this.#failure('is not available: the browser followed the redirect without reading it');
    await this.#context.network.whenEnded(this.#request);
    const { failure, session, id } = this.#request;
    if (failure !== undefined) throw this.#failure(`did not arrive: ${failure}`);
    try {
      const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId: id });
      return Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
    } catch (error) {
      if (error instanceof ProtocolError && this.#hasNoContent()) return Buffer.alloc(0);
      if (this.#context.page?.isClosed)
        throw new DriverClosedError(
          `The body of ${this.url()} is gone with its page. Read it before the page closes.`,
          { cause: error },
        );
      if (!(error instanceof ProtocolError || error instanceof DriverClosedError)) throw error;
      throw this.#failure('is gone: the browser keeps bodies only until the next navigation. Read it earlier', error);
    }
  }

  #isRedirection(): boolean {
    return this.status() >= 300 && this.status() <= 399 && 'location' in this.headers();
  }

  #hasNoContent(): boolean {
    return this.status() === 204 || this.status() === 304 || this.#request.sent.method === 'HEAD';
  }

  #failure(what: string, cause?: unknown): DriverNavigationError {
    return new DriverNavigationError(`The body of ${this.url()} ${what}.`, { url: this.url(), cause });
  }
}
