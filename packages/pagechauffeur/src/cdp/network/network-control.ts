import { Emitter } from '../../util/emitter.ts';
import { withTimeout } from '../../util/with-timeout.ts';
import type { Connection } from '../connection.ts';
import type { EventParams } from '../protocol.ts';
import type { Session } from '../session.ts';
import { type AttachedTarget, settleCommands } from './attached-target.ts';
import { BrowserGate } from './browser-gate.ts';
import type { DomainPolicy } from './domain-policy.ts';
import { ExtraHeaders } from './extra-headers.ts';
import { Interception } from './interception.ts';
import { PageHideGuard } from './page-hide-guard.ts';
import type { NameCheck } from './name-check.ts';
import { ProxyChallenge, type ProxyCredentials } from './proxy-challenge.ts';

interface NetworkControlEvents {
  documentRefused: { readonly frameId: string; readonly url: string };
  /** Applies to later requests. `undefined` if the policy was removed. */
  policySet: DomainPolicy | undefined;
  /** A request failed because the browser rejected the command that should continue or fulfill it. */
  requestFault: { readonly url: string; readonly error: unknown };
}

export interface NetworkSetup {
  /** The driver's policy. Later policies can only be stricter. */
  readonly policy?: DomainPolicy;
  readonly proxyCredentials?: ProxyCredentials;
  /** Set if host names that resolve to blocked addresses are blocked. */
  readonly names?: NameCheck;
}

/**
 * Removes the socket classes of a shared worker, because CDP does not report its sockets. Deleting a class that does
 * not exist has no effect.
 */
const REMOVE_SOCKETS =
  'delete globalThis.WebSocket; delete globalThis.WebSocketStream; delete globalThis.WebTransport;';

/** All rules for the requests of a browser: domain policy, proxy, routes, extra headers. */
export class NetworkControl {
  readonly events: Emitter<NetworkControlEvents> = new Emitter();
  readonly headers: ExtraHeaders = new ExtraHeaders();
  readonly interception: Interception;
  readonly bounds: DomainPolicy | undefined;
  readonly names: NameCheck | undefined;
  readonly #connection: Connection;
  readonly #gate: BrowserGate;
  readonly #pageHideGuard = new PageHideGuard();
  readonly #targets = new Map<Session, AttachedTarget>();

  constructor(connection: Connection, { policy, proxyCredentials, names }: NetworkSetup) {
    this.#connection = connection;
    this.bounds = policy;
    this.names = names;
    this.#gate = new BrowserGate(connection.browser, {
      ...(policy ? { policy } : {}),
      ...(proxyCredentials ? { challenge: new ProxyChallenge(proxyCredentials) } : {}),
    });
    this.#gate.events.on('refused', ({ isDocument, ...refused }) => {
      if (isDocument) this.events.emit('documentRefused', refused);
    });
    this.#gate.events.on('fault', (fault) => this.events.emit('requestFault', fault));
    this.interception = new Interception(this.#gate, (url, error) => this.events.emit('requestFault', { url, error }));
  }

  get policy(): DomainPolicy | undefined {
    return this.#gate.policy;
  }

  /** Call before the first page is attached. */
  start(): Promise<unknown>[] {
    return this.#gate.start();
  }

  /** `undefined` removes the policy. Resolves once no request can bypass it. */
  async setPolicy(policy: DomainPolicy | undefined): Promise<void> {
    const gate = this.#gate.setPolicy(policy).then(() => this.events.emit('policySet', policy));
    await settleCommands([gate, ...[...this.#targets.values()].flatMap((target) => this.#policyCommands(target))]);
  }

  /** Sends the commands for a new target, and returns their replies. Call before its first script runs. */
  attach(target: AttachedTarget): Promise<unknown>[] {
    const { session } = target;
    this.#targets.set(session, { ...target, isNew: false });
    session.on('closed', () => this.#targets.delete(session));
    return [
      ...this.headers.attach(target),
      ...this.interception.attach(target),
      ...(this.policy ? this.#policyCommands(target) : []),
    ];
  }

  /** Sets up and resumes a worker. Targets of other types are only resumed. */
  async attachWorker(event: EventParams<'Target.attachedToTarget'>, pageId?: string): Promise<void> {
    const { sessionId, targetInfo, waitingForDebugger } = event;
    const session = this.#connection.session(sessionId);
    if (!session) return;
    const { targetId, type } = targetInfo;
    if (this.#isKnown(targetId)) return settleCommands([this.#detach(session)]);
    session.on('Target.attachedToTarget', (nested) => void this.attachWorker(nested, pageId));
    const owner = type === 'worker' ? pageId : undefined;
    const worker = { session, targetId, type, pageId: owner, isNew: waitingForDebugger };
    session.on('Inspector.targetReloadedAfterCrash', () => void this.#restart(worker));
    const commands = type.endsWith('worker') ? this.attach(worker) : [];
    await this.#resume(worker, commands);
  }

  /**
   * A service worker restarts in the same session and waits there again. Only the policy is lost; routes and headers
   * remain.
   */
  async #restart(worker: AttachedTarget): Promise<void> {
    const guard = this.policy ? this.#policyCommands({ ...worker, isNew: true }) : [];
    await this.#resume(worker, guard);
  }

  /**
   * Resumes a worker. A shared worker's network access changes through another channel than the resume command, so the
   * order of the commands is not enough: wait for the responses.
   */
  async #resume({ session, type }: AttachedTarget, commands: readonly Promise<unknown>[]): Promise<void> {
    const settled = settleCommands(commands);
    if (type !== 'worker' && commands.length > 0) await withTimeout(WORKER_TIMEOUT_MS, settled);
    await Promise.all([settled, settleCommands([session.send('Runtime.runIfWaitingForDebugger')])]);
  }

  #isKnown(targetId: string): boolean {
    return [...this.#targets.values()].some((target) => target.targetId === targetId);
  }

  /** The browser and each page report the same shared worker. One session is enough. */
  #detach(session: Session): Promise<unknown> {
    const parent = session.page === session ? this.#connection.browser : session.page;
    return parent.send('Target.detachFromTarget', { sessionId: session.id });
  }

  /** Applies the policy to a target, or removes it. Returns the replies. */
  #policyCommands(target: AttachedTarget): Promise<unknown>[] {
    if (target.type === 'shared_worker') return this.#sharedWorkerCommands(target);
    const { session, type } = target;
    const matchedNetworkConditions = [...(this.policy?.conditions ?? [])];
    return [
      session.sendOnce('Network.enable'),
      session.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions }),
      ...(type === 'page' || type === 'iframe' ? this.#pageHideGuard.set(session, this.policy) : []),
      ...(type === 'worker' ? [session.send('Target.setAutoAttach', NESTED_WORKERS)] : []),
      // A new target has sent no requests yet.
      ...(target.isNew ? [] : this.interception.renew(target)),
    ];
  }

  /** A shared worker that was already running bypasses the gate, so it is closed. */
  #sharedWorkerCommands({ session, isNew }: AttachedTarget): Promise<unknown>[] {
    if (!this.policy) return [];
    return [session.send('Runtime.evaluate', { expression: isNew ? REMOVE_SOCKETS : 'close()' })];
  }
}

/** A paused worker responds within a few ms. */
const WORKER_TIMEOUT_MS = 2000;
const NESTED_WORKERS = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
