import type { NetworkRequest } from '../cdp/network-monitor.ts';
import { checkOptions } from '../util/check-argument.ts';
import type { CallOptions } from '../util/progress.ts';
import { beginCall } from '../actions/call-limits.ts';
import { type Frame, frameOf } from './locator.ts';
import type { RequestContext } from './request-context.ts';
import { Response } from './response.ts';
import { maskErrorsOf } from '../actions/public-errors.ts';

const requestByFacts = new WeakMap<NetworkRequest, Request>();
const responseByFacts = new WeakMap<NetworkRequest, Response>();

/** Returns the request's public object, always the same one. */
export function requestOf(facts: NetworkRequest, context: RequestContext): Request {
  const request = requestByFacts.get(facts) ?? new Request(facts, context);
  requestByFacts.set(facts, request);
  return request;
}

/** Returns the public object of the request's response, always the same one. */
export function responseOf(facts: NetworkRequest, context: RequestContext): Response {
  const response = responseByFacts.get(facts) ?? new Response(facts, context);
  responseByFacts.set(facts, response);
  return response;
}

/**
 * A network request that a page or its workers sent.
 * @example
 * page.on('request', (request) => console.log(request.method(), request.url(), request.resourceType()));
 */
export class Request {
  readonly #facts: NetworkRequest;
  readonly #sent: NetworkRequest['sent'];
  readonly #context: RequestContext;

  /** @internal `sent` has the long texts that `facts.sent` lacks. */
  constructor(facts: NetworkRequest, context: RequestContext, sent: NetworkRequest['sent'] = facts.sent) {
    this.#facts = facts;
    this.#sent = sent;
    this.#context = context;
    maskErrorsOf(this, context.settings);
  }

  /** URL including the fragment. */
  url(): string {
    const { url, sent } = this.#facts;
    return url + (sent.urlFragment ?? '');
  }

  /** HTTP method, such as `GET`. */
  method(): string {
    return this.#sent.method;
  }

  /** Request headers by lower-case name, without those that the browser adds later, such as `cookie`. */
  headers(): Record<string, string> {
    const headers = Object.entries(this.#sent.headers);
    return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  }

  /**
   * The request body as UTF-8 text, or `null` if there is none. A route handler gets the whole body. Otherwise, a body
   * over 1 MiB may be truncated, and one with files is `null`.
   */
  postData(): string | null {
    const { postDataEntries } = this.#sent;
    if (!postDataEntries) return null;
    return Buffer.concat(postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))).toString('utf8');
  }

  /**
   * Resource type: `document`, `stylesheet`, `script`, `image`, `font`, `media`, `fetch`, `xhr`, `websocket`, `other`
   * and so on.
   */
  resourceType(): string {
    return (this.#facts.type ?? 'Other').toLowerCase();
  }

  /** The frame that sent the request. `null` if the frame is detached, or for a request from a worker. */
  frame(): Frame | null {
    const { page, settings } = this.#context;
    const node = page?.frames.frame(this.#facts.frameId);
    return page && node ? frameOf(page, settings, node) : null;
  }

  /** True if the request loads a new document into a frame. */
  isNavigationRequest(): boolean {
    const { type, id, loaderId } = this.#facts;
    return type === 'Document' && id === loaderId;
  }

  /** The request that redirected to this one, or `null`. */
  redirectedFrom(): Request | null {
    const { redirectedFrom } = this.#facts;
    return redirectedFrom ? requestOf(redirectedFrom, this.#context) : null;
  }

  /** Why the request failed, such as `net::ERR_CONNECTION_REFUSED`. `null` if it succeeded or has not ended. */
  failure(): { readonly errorText: string } | null {
    const { failure } = this.#facts;
    return failure === undefined ? null : { errorText: failure };
  }

  /**
   * Waits for the response. Returns `null` if the request fails without one.
   * @throws DriverTimeoutError when no response arrives within `timeout` ms.
   * @example
   * const [request] = await Promise.all([page.waitForEvent('request'), page.locator('#refresh').click()]);
   * console.log((await request.response())?.status(), request.failure()?.errorText);
   */
  async response(options?: CallOptions): Promise<Response | null> {
    checkOptions(options);
    using progress = beginCall('request.response', this.#context.settings, options);
    if (!this.#facts.response) await progress.race(this.#answered());
    return this.#facts.response ? responseOf(this.#facts, this.#context) : null;
  }

  async #answered(): Promise<void> {
    const { network } = this.#context;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = network.events.on('response', (request) => request === this.#facts && resolve());
    await Promise.race([promise, network.whenEnded(this.#facts)]);
    stop();
  }
}
