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
  /** The domain policy blocked a document. */
  documentRefused: { readonly frameId: string; readonly url: string };
  /** The policy was set or removed. It applies to later requests. */
  policySet: DomainPolicy | undefined;
  /** A request failed because the browser rejected the driver's answer. */
  requestFault: { readonly url: string; readonly error: unknown };
}

/** Settings made before the first page is attached. */
export interface NetworkSetup {
  /** The driver's policy. Later policies can only narrow it. */
  readonly policy?: DomainPolicy;
  readonly proxyCredentials?: ProxyCredentials;
  /** Blocks names that resolve to blocked addresses. */
  readonly names?: NameCheck;
}

/**
 * CDP does not report sockets of shared workers, so shared workers get no socket classes.
 * Deleting a class that does not exist has no effect.
 */
const REMOVE_SOCKETS =
  'delete globalThis.WebSocket; delete globalThis.WebSocketStream; delete globalThis.WebTransport;';

/** All rules between a browser's pages and the network: domain policy, proxy, routes, extra headers. */
export class NetworkControl {
  readonly events: Emitter<NetworkControlEvents> = new Emitter();
  readonly headers: ExtraHeaders = new ExtraHeaders();
  readonly interception: Interception;
  /** The driver's policy, which bounds all later ones. */
  readonly bounds: DomainPolicy | undefined;
  /** Blocks names that resolve to blocked addresses. Undefined if names are not checked. */
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

  /** Commands to send before the first page is attached. */
  start(): Promise<unknown>[] {
    return this.#gate.start();
  }

  /** Sets or removes the policy everywhere. Resolves once no request can bypass it. */
  async setPolicy(policy: DomainPolicy | undefined): Promise<void> {
    const gate = this.#gate.setPolicy(policy).then(() => this.events.emit('policySet', policy));
    await settleCommands([gate, ...[...this.#targets.values()].flatMap((target) => this.#guard(target))]);
  }

  /** Commands for an attached page, frame or worker. A new target must not run before they were sent. */
  attach(target: AttachedTarget): Promise<unknown>[] {
    const { session } = target;
    this.#targets.set(session, { ...target, isNew: false });
    session.on('closed', () => this.#targets.delete(session));
    return [
      ...this.headers.attach(target),
      ...this.interception.attach(target),
      ...(this.policy ? this.#guard(target) : []),
    ];
  }

  /** Sets up a worker or another target that is not a page, and resumes it. */
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
    await this.#letGo(worker, commands);
  }

  /**
   * A restarted service worker reuses its session and waits there again.
   * It keeps its routes and headers.
   */
  async #restart(worker: AttachedTarget): Promise<void> {
    const guard = this.policy ? this.#guard({ ...worker, isNew: true }) : [];
    await this.#letGo(worker, guard);
  }

  /**
   * Resumes a worker. Changes to a shared worker's network access use another channel than the resume command, so order
   * does not
   * guarantee that they apply first: wait for the answers.
   */
  async #letGo({ session, type }: AttachedTarget, commands: readonly Promise<unknown>[]): Promise<void> {
    const settled = settleCommands(commands);
    if (type !== 'worker' && commands.length > 0) await withTimeout(WORKER_ANSWER_MS, settled);
    await Promise.all([settled, settleCommands([session.send('Runtime.runIfWaitingForDebugger')])]);
  }

  #isKnown(targetId: string): boolean {
    return [...this.#targets.values()].some((target) => target.targetId === targetId);
  }

  /** The browser and each page report a shared worker. One session is enough. */
  #detach(session: Session): Promise<unknown> {
    const parent = session.page === session ? this.#connection.browser : session.page;
    return parent.send('Target.detachFromTarget', { sessionId: session.id });
  }

  /** Commands that apply or remove the policy on a target. */
  #guard(target: AttachedTarget): Promise<unknown>[] {
    if (target.type === 'shared_worker') return this.#guardSharedWorker(target);
    const { session, type } = target;
    const matchedNetworkConditions = [...(this.policy?.conditions ?? [])];
    return [
      session.sendOnce('Network.enable'),
      session.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions }),
      ...(type === 'page' || type === 'iframe' ? this.#pageHideGuard.set(session, this.policy) : []),
      ...(type === 'worker' ? [session.send('Target.setAutoAttach', NESTED_WORKERS)] : []),
      // A new target has not sent requests yet.
      ...(target.isNew ? [] : this.interception.renew(target)),
    ];
  }

  /** Requests of a worker that ran before bypass the gate, so the worker must be terminated. */
  #guardSharedWorker({ session, isNew }: AttachedTarget): Promise<unknown>[] {
    if (!this.policy) return [];
    return [session.send('Runtime.evaluate', { expression: isNew ? REMOVE_SOCKETS : 'close()' })];
  }
}

/** A paused worker answers within milliseconds. */
const WORKER_ANSWER_MS = 2000;
const NESTED_WORKERS = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
