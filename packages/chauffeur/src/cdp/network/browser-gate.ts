import type { Protocol } from 'devtools-protocol';
import { Emitter } from '../../util/emitter.ts';
import type { EventParams } from '../protocol.ts';
import type { Session } from '../session.ts';
import { settleCommands } from './attached-target.ts';
import type { DomainPolicy } from './domain-policy.ts';
import { PausedRequest } from './paused-request.ts';
import { type ProxyChallenge } from './proxy-challenge.ts';

interface BrowserGateEvents {
  /** A request did not leave because of the domain policy. */
  refused: { readonly url: string; readonly frameId: string; readonly isDocument: boolean };
  /** A request failed because the browser would not do with it as it was told. */
  fault: { readonly url: string; readonly error: unknown };
}

/**
 * Stands where every request of the browser passes, whichever page, frame or worker it comes from: judges it by the
 * domain policy and answers the proxy. Only requests that the policy may refuse are held up.
 */
export class BrowserGate {
  readonly events: Emitter<BrowserGateEvents> = new Emitter();
  readonly #browser: Session;
  readonly #challenge: ProxyChallenge | undefined;
  #policy: DomainPolicy | undefined;
  /** The proxy knows the browser; from then on only documents are watched, in case that it asks again. */
  #isKnownToProxy = false;

  constructor(browser: Session, { policy, challenge }: { policy?: DomainPolicy; challenge?: ProxyChallenge }) {
    this.#browser = browser;
    this.#policy = policy;
    this.#challenge = challenge;
    browser.on('Fetch.requestPaused', (event) => this.#judge(event));
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

  #update(): Promise<unknown> {
    const patterns = this.#patterns();
    if (patterns.length === 0) return this.#browser.send('Fetch.disable');
    return this.#browser.send('Fetch.enable', { patterns, handleAuthRequests: this.#challenge !== undefined });
  }

  #patterns(): Protocol.Fetch.RequestPattern[] {
    const patterns: Protocol.Fetch.RequestPattern[] = [];
    for (const urlPattern of this.#policy?.fetchPatterns ?? []) patterns.push({ urlPattern });
    if (this.#challenge)
      patterns.push({ urlPattern: '*', ...(this.#isKnownToProxy ? { resourceType: 'Document' as const } : {}) });
    return patterns;
  }

  #judge(event: EventParams<'Fetch.requestPaused'>): void {
    const request = new PausedRequest(this.#browser, event);
    const { url } = request;
    const isRefused = this.#policy?.refuses(url) === true;
    const judged = isRefused ? request.fail('BlockedByClient') : request.continue();
    judged.catch((error: unknown) => this.events.emit('fault', { url, error }));
    if (!isRefused) return;
    const { frameId, resourceType } = event;
    this.events.emit('refused', { url, frameId, isDocument: resourceType === 'Document' });
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
