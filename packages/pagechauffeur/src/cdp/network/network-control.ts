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
import type { NameJudge } from './name-judge.ts';
import { ProxyChallenge, type ProxyCredentials } from './proxy-challenge.ts';

interface NetworkControlEvents {
  /** A document did not come because the domain policy refuses its address. */
  documentRefused: { readonly frameId: string; readonly url: string };
  /** A policy was put in force or taken off: what pages ask for from now on is judged by it. */
  policySet: DomainPolicy | undefined;
  /** A request failed because the browser would not let it go as it was told. */
  requestFault: { readonly url: string; readonly error: unknown };
}

/** What is decided before the first page is attached to. */
export interface NetworkSetup {
  /** Holds as long as the connection, within which others may be set. */
  readonly policy?: DomainPolicy;
  readonly proxyCredentials?: ProxyCredentials;
  /** Refuses names that resolve to blocked addresses. */
  readonly names?: NameJudge;
}

/**
 * No protocol domain sees the sockets of workers that several pages share, so these are made without.
 * The names are those of the platform; where one is unknown, deleting it does nothing.
 */
const REMOVE_SOCKETS =
  'delete globalThis.WebSocket; delete globalThis.WebSocketStream; delete globalThis.WebTransport;';

/** Everything that stands between a browser's pages and the network: domain policy, proxy, routes, extra headers. */
export class NetworkControl {
  readonly events: Emitter<NetworkControlEvents> = new Emitter();
  readonly headers: ExtraHeaders = new ExtraHeaders();
  readonly interception: Interception;
  /** The policy in whose bounds every other one stays. */
  readonly bounds: DomainPolicy | undefined;
  /** Refuses names that resolve to blocked addresses; undefined if names are not judged. */
  readonly names: NameJudge | undefined;
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

  /** Commands that go out before any page is attached to. */
  start(): Promise<unknown>[] {
    return this.#gate.start();
  }

  /** Puts a policy in force everywhere, or takes it off; settled once no request escapes it any more. */
  async setPolicy(policy: DomainPolicy | undefined): Promise<void> {
    const gate = this.#gate.setPolicy(policy).then(() => this.events.emit('policySet', policy));
    await settleCommands([gate, ...[...this.#targets.values()].flatMap((target) => this.#guard(target))]);
  }

  /** Commands for a page, frame or worker that was attached to; a new one must not go on before they were sent. */
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

  /** Takes in a worker, or whatever else is no page, and lets it go on. */
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
   * A service worker that ended and is needed again starts anew on the session that it had, and waits there once more.
   * It takes up its routes and headers again by itself.
   */
  async #restart(worker: AttachedTarget): Promise<void> {
    const guard = this.policy ? this.#guard({ ...worker, isNew: true }) : [];
    await this.#letGo(worker, guard);
  }

  /**
   * Lets a worker run. One that pages share is reached by another way than its way to the network is changed, so what was sent
   * first need not be there first: it is waited for.
   */
  async #letGo({ session, type }: AttachedTarget, commands: readonly Promise<unknown>[]): Promise<void> {
    const settled = settleCommands(commands);
    if (type !== 'worker' && commands.length > 0) await withTimeout(WORKER_ANSWER_MS, settled);
    await Promise.all([settled, settleCommands([session.send('Runtime.runIfWaitingForDebugger')])]);
  }

  #isKnown(targetId: string): boolean {
    return [...this.#targets.values()].some((target) => target.targetId === targetId);
  }

  /** A worker that several pages share is told of by the browser and by each of them; one session is enough. */
  #detach(session: Session): Promise<unknown> {
    const parent = session.page === session ? this.#connection.browser : session.page;
    return parent.send('Target.detachFromTarget', { sessionId: session.id });
  }

  /** Commands that bring the policy, or its end, to a target. */
  #guard(target: AttachedTarget): Promise<unknown>[] {
    if (target.type === 'shared_worker') return this.#guardSharedWorker(target);
    const { session, type } = target;
    const matchedNetworkConditions = [...(this.policy?.conditions ?? [])];
    return [
      session.sendOnce('Network.enable'),
      session.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions }),
      ...(type === 'page' || type === 'iframe' ? this.#pageHideGuard.set(session, this.policy) : []),
      ...(type === 'worker' ? [session.send('Target.setAutoAttach', NESTED_WORKERS)] : []),
      // What has yet to run has asked for nothing yet.
      ...(target.isNew ? [] : this.interception.renew(target)),
    ];
  }

  /** Requests of a worker that ran before pass the gate unseen, so it has to end. */
  #guardSharedWorker({ session, isNew }: AttachedTarget): Promise<unknown>[] {
    if (!this.policy) return [];
    return [session.send('Runtime.evaluate', { expression: isNew ? REMOVE_SOCKETS : 'close()' })];
  }
}

/** A worker that waits to run answers within milliseconds. */
const WORKER_ANSWER_MS = 2000;
const NESTED_WORKERS = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
