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
  /** A request did not leave because of the domain policy. */
  refused: { readonly url: string; readonly frameId: string; readonly isDocument: boolean };
  /** A request failed because the browser would not do with it as it was told. */
  fault: { readonly url: string; readonly error: unknown };
}

/**
 * Stands where every request of the browser passes, whichever page, frame or worker it comes from: judges it by the
 * domain policy and answers the proxy. Only requests that the policy may refuse or an interceptor may want are held up.
 */
export class BrowserGate {
  readonly events: Emitter<BrowserGateEvents> = new Emitter();
  readonly #browser: Session;
  readonly #challenge: ProxyChallenge | undefined;
  #policy: DomainPolicy | undefined;
  #interceptor: Interceptor | undefined;
  /** The proxy knows the browser; from then on only documents are watched, in case that it asks again. */
  #isKnownToProxy = false;

  constructor(browser: Session, { policy, challenge }: { policy?: DomainPolicy; challenge?: ProxyChallenge }) {
    this.#browser = browser;
    this.#policy = policy;
    this.#challenge = challenge;
    browser.on('Fetch.requestPaused', (event) => this.#show(event));
    browser.on('Fetch.authRequired', (event) => this.#answer(event));
  }

  get policy(): DomainPolicy | undefined {
    return this.#policy;
  }

  /** Takes its place before any page is attached to; without policy and proxy nothing is sent. */
  start(): Promise<unknown>[] {
    return this.#patterns().length > 0 ? [this.#update()] : [];
  }

  /** Judges by another policy from now on, or by none. */
  async setPolicy(policy: DomainPolicy | undefined): Promise<void> {
    this.#policy = policy;
    await this.#update();
  }

  /** Shows requests to this one from now on, before they are judged, or to none. */
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
      patterns.push({ urlPattern: '*', ...(this.#isKnownToProxy ? { resourceType: 'Document' as const } : {}) });
    return patterns;
  }

  #show(event: EventParams<'Fetch.requestPaused'>): void {
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
    if (!this.#isKnownToProxy && this.#challenge.isAnswered) {
      this.#isKnownToProxy = true;
      commands.push(this.#update());
    }
    void settleCommands(commands);
  }
}

/** A request that is judged when it is let go, by whomever; an interceptor may answer what the policy would refuse. */
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
