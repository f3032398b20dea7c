import type { Protocol } from 'devtools-protocol';
import { Emitter } from '../../util/emitter.ts';
import type { EventParams } from '../protocol.ts';
import type { Session } from '../session.ts';
import { settleCommands } from './attached-target.ts';
import type { DomainPolicy } from './domain-policy.ts';
import type { Interceptor } from './interceptor.ts';
import { PausedRequest, type RequestChanges } from './paused-request.ts';
import { type ProxyChallenge } from './proxy-challenge.ts';

interface BrowserGateEvents {
  refused: { readonly url: string; readonly frameId: string; readonly isDocument: boolean };
  /** A request failed because the browser rejected the command that should continue or fulfill it. */
  fault: { readonly url: string; readonly error: unknown };
}

/**
 * Intercepts the requests of all pages, frames and workers in the browser session: applies the domain policy and
 * answers proxy authentication. Pauses only requests that the policy, an interceptor or the authentication may concern.
 */
export class BrowserGate {
  readonly events: Emitter<BrowserGateEvents> = new Emitter();
  readonly #browser: Session;
  readonly #challenge: ProxyChallenge | undefined;
  #policy: DomainPolicy | undefined;
  #interceptor: Interceptor | undefined;
  /**
   * True once the browser has the credentials for the proxy. After that, only documents are paused for authentication,
   * in case the proxy challenges the browser again.
   */
  #isAuthenticated = false;

  constructor(browser: Session, { policy, challenge }: { policy?: DomainPolicy; challenge?: ProxyChallenge }) {
    this.#browser = browser;
    this.#policy = policy;
    this.#challenge = challenge;
    browser.on('Fetch.requestPaused', (event) => this.#intercept(event));
    browser.on('Fetch.authRequired', (event) => this.#answer(event));
  }

  get policy(): DomainPolicy | undefined {
    return this.#policy;
  }

  /** Enables interception if the policy or the proxy needs it. Call before the first page is attached. */
  start(): Promise<unknown>[] {
    return this.#patterns().length > 0 ? [this.#update()] : [];
  }

  /** `undefined` removes the policy. */
  async setPolicy(policy: DomainPolicy | undefined): Promise<void> {
    this.#policy = policy;
    await this.#update();
  }

  /** The interceptor handles requests before the policy checks them. `undefined` removes it. */
  setInterceptor(interceptor: Interceptor | undefined): Promise<unknown> {
    this.#interceptor = interceptor;
    return this.#update();
  }

  #update(): Promise<unknown> {
    const patterns = this.#patterns();
    if (patterns.length === 0) return this.#browser.send('Fetch.disable');
    return this.#browser.send('Fetch.enable', { patterns, handleAuthRequests: this.#challenge !== undefined });
  }

  #patterns(): Protocol.Fetch.RequestPattern[] {
    const patterns: Protocol.Fetch.RequestPattern[] = [];
    for (const urlPattern of this.#policy?.fetchPatterns ?? []) patterns.push({ urlPattern });
    for (const urlPattern of this.#interceptor?.patterns ?? []) patterns.push({ urlPattern });
    if (this.#challenge)
      patterns.push({ urlPattern: '*', ...(this.#isAuthenticated ? { resourceType: 'Document' as const } : {}) });
    return patterns;
  }

  #intercept(event: EventParams<'Fetch.requestPaused'>): void {
    const request = new GatedRequest(this.#browser, event, (url) => this.#refuses(url, event));
    const go = (changes: RequestChanges): void => {
      const { url } = request;
      request.continue(changes).catch((error: unknown) => this.events.emit('fault', { url, error }));
    };
    if (this.#interceptor) this.#interceptor.handle(request, go);
    else go({});
  }

  #refuses(url: string, { frameId, resourceType }: EventParams<'Fetch.requestPaused'>): boolean {
    const isRefused = this.#policy?.refuses(url) === true;
    if (isRefused) this.events.emit('refused', { url, frameId, isDocument: resourceType === 'Document' });
    return isRefused;
  }

  #answer(event: EventParams<'Fetch.authRequired'>): void {
    if (!this.#challenge) return;
    const commands: Promise<unknown>[] = [this.#browser.send('Fetch.continueWithAuth', this.#challenge.answer(event))];
    if (!this.#isAuthenticated && this.#challenge.isAnswered) {
      this.#isAuthenticated = true;
      commands.push(this.#update());
    }
    void settleCommands(commands);
  }
}

/**
 * A paused request that the policy checks when it is continued. An interceptor can still fulfill a request that the
 * policy would block.
 */
class GatedRequest extends PausedRequest {
  readonly #isRefused: (url: string) => boolean;

  constructor(browser: Session, event: EventParams<'Fetch.requestPaused'>, isRefused: (url: string) => boolean) {
    super(browser, event);
    this.#isRefused = isRefused;
  }

  override continue(changes: RequestChanges = {}): Promise<void> {
    return this.#isRefused(changes.url ?? this.url) ? this.fail('BlockedByClient') : super.continue(changes);
  }
}
