import { DriverClosedError, type Recovery } from '../errors.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { Emitter } from '../util/emitter.ts';
import { loggableUrl } from '../util/loggable-url.ts';
import { boundedResult } from './bounded-event.ts';
import type { CommandName, EventName, EventParams, Params, Result } from './protocol.ts';
import { ProtocolError } from './protocol-error.ts';

type SessionEvents = { [E in EventName]: EventParams<E> } & {
  closed: string;
  /** A command is under way, and none was before. */
  busy: undefined;
  /** No command is under way any more. */
  idle: undefined;
};

/** A reply of the browser to one command. */
export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly code?: number };
}

interface PendingCommand {
  readonly method: string;
  readonly reply: Deferred<unknown>;
  readonly onResult: ((result: unknown) => void) | undefined;
}

interface HeldCommand extends PendingCommand {
  readonly params: unknown;
}

/**
 * A CDP attachment to one target, or to the browser itself (`id` is `''`). Commands go out at once and
 * are answered in any order; when the target or the socket goes away, all that are open are rejected.
 */
export class Session {
  readonly id: string;
  readonly events: Emitter<SessionEvents> = new Emitter();
  /** The target as errors name it, with the address that it has now, such as `https://shop.example/cart`; empty when unknown. */
  address: () => string = () => '';
  /** Sessions of targets below this one, such as a page's frames in other processes; they end with it. */
  readonly children: Set<Session> = new Set();
  readonly #parent: Session | undefined;
  readonly #write: (sessionId: string, method: string, params: unknown) => number;
  readonly #pending = new Map<number, PendingCommand>();
  readonly #once = new Map<string, Promise<unknown>>();
  /** Commands that wait for others to be answered first; undefined when none has to. */
  #held: HeldCommand[] | undefined;
  /** Commands that go out all the same. */
  #passing: ReadonlySet<string> = new Set();
  #closedReason: string | undefined;
  #recovery: Recovery = {};

  constructor(id: string, write: (sessionId: string, method: string, params: unknown) => number, parent?: Session) {
    this.id = id;
    this.#write = write;
    this.#parent = parent;
    parent?.children.add(this);
  }

  /** The session of the page that this one belongs to: the topmost below the browser's. */
  get page(): Session {
    const parent = this.#parent;
    return parent === undefined || parent.id === '' ? this : parent.page;
  }

  /** The session of the browser itself. */
  get browser(): Session {
    return this.#parent?.browser ?? this;
  }

  /** Whether this serves a frame of a page and has gone while its page lives on. */
  get isLostFrame(): boolean {
    return this.isClosed && !this.page.isClosed;
  }

  /** The oldest input that was sent and not answered: until it is, it may still come to the page. */
  get inputInFlight(): Promise<unknown> | undefined {
    for (const { method, reply } of this.#pending.values()) if (method.startsWith('Input.')) return reply.promise;
    return undefined;
  }

  get isClosed(): boolean {
    return this.#closedReason !== undefined;
  }

  /** What can be done after the connection was lost; empty before, and when only this target has ended. */
  get recovery(): Recovery {
    return this.#recovery;
  }

  /** Whether the browser has yet to answer a command. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** Sends a command and gives its result. */
  send<M extends CommandName>(method: M, params?: Params<M>): Promise<Result<M>> {
    return this.sendRaw(method, params) as Promise<Result<M>>;
  }

  /** Sends a command whose name is not known to the types. */
  sendRaw(method: string, params?: unknown, onResult?: (result: unknown) => void): Promise<unknown> {
    if (this.#closedReason !== undefined) return Promise.reject(this.#closedError(method));
    const command = { method, params, reply: deferred<unknown>(), onResult };
    if (this.#held && !this.#passing.has(method)) this.#held.push(command);
    else this.#dispatch(command);
    return command.reply.promise;
  }

  /**
   * Holds back what is sent from now on until this has come to its end. Commands that the browser carries out itself,
   * such as `Page.navigate`, would else overtake those that a page's process has yet to answer. Commands named in `passing`
   * go out at once.
   */
  holdUntil(preparation: Promise<unknown>, passing: ReadonlySet<string> = new Set()): void {
    this.#held = [];
    this.#passing = passing;
    const release = (): void => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const command of held) this.#dispatch(command);
    };
    preparation.then(release, release);
  }

  /** Sends a command and takes its result before any event that comes after it, which a promise cannot promise. */
  sendInOrder<M extends CommandName>(
    method: M,
    onResult: (result: Result<M>) => void,
    params?: Params<M>,
  ): Promise<unknown> {
    return this.sendRaw(method, params, onResult as (result: unknown) => void);
  }

  /** Sends a command the first time it is asked for; later calls share that answer. */
  sendOnce<M extends CommandName>(method: M, params?: Params<M>): Promise<Result<M>> {
    const known = this.#once.get(method) as Promise<Result<M>> | undefined;
    if (known) return known;
    const reply = this.send(method, params);
    this.#once.set(method, reply);
    return reply;
  }

  /** Calls `listener` on every such event until the returned function is called. */
  on<E extends keyof SessionEvents>(event: E, listener: (params: SessionEvents[E]) => void): () => void {
    return this.events.on(event, listener);
  }

  /** Takes a reply from the wire. */
  receive(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    this.#pending.delete(reply.id);
    if (reply.error) pending.reply.reject(new ProtocolError(pending.method, reply.error.message));
    else {
      const result = boundedResult(pending.method, reply.result);
      pending.onResult?.(result);
      pending.reply.resolve(result);
    }
    if (!this.isBusy) this.events.emit('idle', undefined);
  }

  /** Ends the session: rejects everything open and tells listeners once. What ends with a page names that page. */
  markClosed(
    reason: string,
    { address = loggableUrl(this.address()), recovery = {} }: { address?: string; recovery?: Recovery } = {},
  ): void {
    if (this.#closedReason !== undefined) return;
    this.#recovery = recovery;
    this.#closedReason = address === '' ? reason : `${reason} (${address})`;
    for (const { method, reply } of this.#pending.values()) reply.reject(this.#closedError(method));
    this.#pending.clear();
    for (const { method, reply } of this.#held ?? []) reply.reject(this.#closedError(method));
    this.#held = undefined;
    this.#parent?.children.delete(this);
    for (const child of this.children) child.markClosed(reason, { address, recovery });
    this.events.emit('closed', this.#closedReason);
    this.events.clear();
  }

  #dispatch({ method, params, reply, onResult }: HeldCommand): void {
    const wasBusy = this.isBusy;
    this.#pending.set(this.#write(this.id, method, params), { method, reply, onResult });
    if (!wasBusy) this.events.emit('busy', undefined);
  }

  #closedError(method: string): DriverClosedError {
    return new DriverClosedError(`${this.#closedReason}. It did not answer ${method}.`, this.#recovery);
  }
}
