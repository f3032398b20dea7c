import type { NetworkRequest } from '../cdp/network-monitor.ts';
import { checkOptions } from '../util/check-argument.ts';
import type { CallOptions } from '../util/progress.ts';
import { beginCall } from './call-limits.ts';
import { type Frame, frameOf } from './locator.ts';
import type { RequestContext } from './request-context.ts';
import { Response } from './response.ts';
import { maskErrorsOf } from './public-errors.ts';

const requestByFacts = new WeakMap<NetworkRequest, Request>();
const responseByFacts = new WeakMap<NetworkRequest, Response>();

/** The object that users hold for a request; the same one each time. */
export function requestOf(facts: NetworkRequest, context: RequestContext): Request {
  const request = requestByFacts.get(facts) ?? new Request(facts, context);
  requestByFacts.set(facts, request);
  return request;
}

/** The object that users hold for a request's answer; the same one each time. */
export function responseOf(facts: NetworkRequest, context: RequestContext): Response {
  const response = responseByFacts.get(facts) ?? new Response(facts, context);
  responseByFacts.set(facts, response);
  return response;
}

/**
 * Something that a page asked a server for.
 *
 * @example
 * page.on('request', (request) => console.log(request.method(), request.url(), request.resourceType()));
 */
export class Request {
  readonly #facts: NetworkRequest;
  readonly #context: RequestContext;

  /** @internal */
  constructor(facts: NetworkRequest, context: RequestContext) {
    this.#facts = facts;
    this.#context = context;
    maskErrorsOf(this, context.settings);
  }

  /** The address. */
  url(): string {
    const { url, sent } = this.#facts;
    return url + (sent.urlFragment ?? '');
  }

  /** The HTTP method. */
  method(): string {
    return this.#facts.sent.method;
  }

  /** Headers by lower-case name, without those that the browser adds on the way, such as cookies. */
  headers(): Record<string, string> {
    const headers = Object.entries(this.#facts.sent.headers);
    return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  }

  /** The body as text; null when there is none. */
  postData(): string | null {
    const { postDataEntries } = this.#facts.sent;
    if (!postDataEntries) return null;
    return Buffer.concat(postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))).toString('utf8');
  }

  /** What it is for: `document`, `stylesheet`, `script`, `image`, `font`, `media`, `fetch`, `xhr`, `websocket`, `other` and the like. */
  resourceType(): string {
    return (this.#facts.type ?? 'Other').toLowerCase();
  }

  /** The frame that asks; null when it is gone, or a worker asks. */
  frame(): Frame | null {
    const { page, settings } = this.#context;
    const node = page?.frames.frame(this.#facts.frameId);
    return page && node ? frameOf(page, settings, node) : null;
  }

  /** Whether it asks for a frame's new document. */
  isNavigationRequest(): boolean {
    const { type, id, loaderId } = this.#facts;
    return type === 'Document' && id === loaderId;
  }

  /** The request whose answer sent the browser here; null when there is none. */
  redirectedFrom(): Request | null {
    const { redirectedFrom } = this.#facts;
    return redirectedFrom ? requestOf(redirectedFrom, this.#context) : null;
  }

  /** Why it failed; null when it did not, or not yet. */
  failure(): { readonly errorText: string } | null {
    const { failure } = this.#facts;
    return failure === undefined ? null : { errorText: failure };
  }

  /** Waits for the answer; null when the request fails without one. */
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
