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

/** TLS protocol and server certificate. `validFrom` and `validTo` are in seconds since 1970. */
export interface SecurityDetails {
  readonly issuer: string;
  readonly protocol: string;
  readonly subjectName: string;
  readonly validFrom: number;
  readonly validTo: number;
}

/**
 * The response to a request from a page.
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

  /** URL of the response. The response from `page.goto()` has the final URL after redirects. */
  url(): string {
    return this.#request.response?.url ?? this.#request.url;
  }

  /** HTTP status such as 200, or 0 if there is none. */
  status(): number {
    return this.#request.response?.status ?? 0;
  }

  /** HTTP status text, such as `Not Found`. HTTP/2 has none. */
  statusText(): string {
    return this.#request.response?.statusText ?? '';
  }

  /** True for a status from 200 to 299. */
  ok(): boolean {
    return this.status() >= 200 && this.status() <= 299;
  }

  /**
   * Response headers by lower-case name. Headers that page scripts cannot read, such as `set-cookie`, are only in
   * `allHeaders()`.
   */
  headers(): Record<string, string> {
    return headersByName(headerLines(this.#request.response?.headers ?? {}));
  }

  /**
   * All response headers by lower-case name, including `set-cookie`. Values of repeated headers are joined with `, `,
   * those of `set-cookie` with `\n`.
   * @throws DriverTimeoutError when the headers are not complete within `timeout` ms.
   */
  async allHeaders(options?: CallOptions): Promise<Record<string, string>> {
    return headersByName(await this.headersArray(options));
  }

  /**
   * Value of a header, or `null`. `name` is case-insensitive. Values of a repeated header are joined with `, `, those
   * of `set-cookie` with `\n`.
   * @throws DriverTimeoutError when the headers are not complete within `timeout` ms.
   */
  async headerValue(name: string, options?: CallOptions): Promise<string | null> {
    checkString('name', name);
    return (await this.allHeaders(options))[name.toLowerCase()] ?? null;
  }

  /**
   * All values of a header, in the order received. `name` is case-insensitive.
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
   * All response headers in the order received, with one entry per value.
   * @throws DriverTimeoutError when the headers are not complete within `timeout` ms.
   */
  async headersArray(options?: CallOptions): Promise<HeaderLine[]> {
    using progress = this.#begin('headersArray', options);
    await progress.race(this.#context.network.whenHeadersAreWhole(this.#request));
    const { rawHeaders, response } = this.#request;
    return headerLines(rawHeaders ?? response?.headers ?? {});
  }

  /**
   * Waits for the complete body and returns its bytes; empty if there is none. Call it before the page navigates or
   * closes, because the browser then drops the body.
   * @throws DriverNavigationError when the body did not arrive, the response is a redirect, or the browser dropped the
   * body because the page navigated.
   * @throws DriverClosedError when the page has closed.
   * @throws DriverTimeoutError when the body is not complete within `timeout` ms.
   */
  async body(options?: CallOptions): Promise<Buffer> {
    using progress = this.#begin('body', options);
    this.#body ??= this.#readBody();
    return await progress.race(this.#body);
  }

  /**
   * Waits for the complete body and returns it as UTF-8 text.
   * @throws DriverNavigationError when the body did not arrive, the response is a redirect, or the browser dropped the
   * body because the page navigated.
   * @throws DriverClosedError when the page has closed.
   * @throws DriverTimeoutError when the body is not complete within `timeout` ms.
   */
  async text(options?: CallOptions): Promise<string> {
    return (await this.body(options)).toString('utf8');
  }

  /**
   * Waits for the complete body and parses it as JSON.
   * @throws DriverNavigationError when the body is not JSON or did not arrive, the response is a redirect, or the
   * browser dropped the body because the page navigated.
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
   * Waits until the response has ended. Returns `null` if it is complete, else the error.
   * @throws DriverTimeoutError when the response does not end within `timeout` ms.
   */
  async finished(options?: CallOptions): Promise<DriverNavigationError | null> {
    using progress = this.#begin('finished', options);
    await progress.race(this.#context.network.whenEnded(this.#request));
    const { failure } = this.#request;
    return failure === undefined ? null : this.#failure(`did not arrive: ${failure}`);
  }

  /** The frame that sent the request. `null` if the frame is detached, or for a request from a worker. */
  frame(): Frame | null {
    const { page, settings } = this.#context;
    const node = page?.frames.frame(this.#request.frameId);
    return page && node ? frameOf(page, settings, node) : null;
  }

  /** True if a service worker responded instead of the server. */
  fromServiceWorker(): boolean {
    return this.#request.response?.fromServiceWorker ?? false;
  }

  /** IP address and port of the server, or of the proxy. `null` if no server was contacted. */
  async serverAddr(): Promise<{ ipAddress: string; port: number } | null> {
    const { remoteIPAddress, remotePort } = this.#request.response ?? {};
    if (!remoteIPAddress || remotePort === undefined) return null;
    return { ipAddress: remoteIPAddress.replace(/^\[(.*)\]$/, '$1'), port: remotePort };
  }

  /** TLS protocol and certificate, or `null` for an insecure connection. */
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
          `Cannot read the body of ${this.url()}: its page has closed. Read the body before the page closes.`,
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
