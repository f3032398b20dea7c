import { DriverClosedError, type Recovery } from '../errors.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { Emitter } from '../util/emitter.ts';
import { loggableUrl } from '../util/loggable-url.ts';
import { boundedResult } from './bounded-event.ts';
import type { CommandName, EventName, EventParams, Params, Result } from './protocol.ts';
import { ProtocolError } from './protocol-error.ts';

type SessionEvents = { [E in EventName]: EventParams<E> } & {
  closed: string;
  /** A command was sent, and none was pending before. */
  busy: undefined;
  /** No command is pending any more. */
  idle: undefined;
};

/** The browser's reply to a command. */
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

/** Facts about the end of a session. */
interface Closing {
  readonly address?: string;
  readonly recovery?: Recovery;
  /** A sentence from the peer. */
  readonly said?: string;
}

/**
 * A CDP attachment to a target, or to the browser itself (`id` is `''`). Commands are sent at once and
 * answered in any order. All pending ones are rejected when the target or the connection goes away.
 */
export class Session {
  readonly id: string;
  readonly events: Emitter<SessionEvents> = new Emitter();
  /** The target's current URL for error messages, such as `https://shop.example/cart`. Empty if unknown. */
  address: () => string = () => '';
  /** Child sessions, such as a page's out-of-process frames. They end with this session. */
  readonly children: Set<Session> = new Set();
  readonly #parent: Session | undefined;
  readonly #write: (sessionId: string, method: string, params: unknown) => number;
  readonly #pending = new Map<number, PendingCommand>();
  readonly #once = new Map<string, Promise<unknown>>();
  /** Commands that wait for a preparation. Undefined if nothing is held. */
  #held: HeldCommand[] | undefined;
  /** Commands that are not held. */
  #passing: ReadonlySet<string> = new Set();
  #closedReason: string | undefined;
  #recovery: Recovery = {};

  constructor(id: string, write: (sessionId: string, method: string, params: unknown) => number, parent?: Session) {
    this.id = id;
    this.#write = write;
    this.#parent = parent;
    parent?.children.add(this);
  }

  /** The session of the page that this session belongs to: the topmost below the browser's. */
  get page(): Session {
    const parent = this.#parent;
    return parent === undefined || parent.id === '' ? this : parent.page;
  }

  /** The browser's own session. */
  get browser(): Session {
    return this.#parent?.browser ?? this;
  }

  /** True if this served a frame that is gone while its page still exists. */
  get isLostFrame(): boolean {
    return this.isClosed && !this.page.isClosed;
  }

  /** The oldest input command without an answer. Its input may still reach the page. */
  get inputInFlight(): Promise<unknown> | undefined {
    for (const { method, reply } of this.#pending.values()) if (method.startsWith('Input.')) return reply.promise;
    return undefined;
  }

  get isClosed(): boolean {
    return this.#closedReason !== undefined;
  }

  /** Advice for the user after the connection is lost. Empty before that, and if only this target ended. */
  get recovery(): Recovery {
    return this.#recovery;
  }

  /** True if a command is pending. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** Sends a command and returns its result. */
  send<M extends CommandName>(method: M, params?: Params<M>): Promise<Result<M>> {
    return this.sendRaw(method, params) as Promise<Result<M>>;
  }

  /** Sends a command that the types do not know. */
  sendRaw(method: string, params?: unknown, onResult?: (result: unknown) => void): Promise<unknown> {
    if (this.#closedReason !== undefined) return Promise.reject(this.#closedError(method));
    const command = { method, params, reply: deferred<unknown>(), onResult };
    if (this.#held && !this.#passing.has(method)) this.#held.push(command);
    else this.#dispatch(command);
    return command.reply.promise;
  }

  /**
   * Holds all later commands until `preparation` settles. Otherwise commands that the browser process runs itself, such
   * as
   * `Page.navigate`, would overtake those that a page's process has not answered yet. Commands in `passing` are sent at
   * once.
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

  /** Sends a command and handles its result before any later event. A promise cannot guarantee that. */
  sendInOrder<M extends CommandName>(
    method: M,
    onResult: (result: Result<M>) => void,
    params?: Params<M>,
  ): Promise<unknown> {
    return this.sendRaw(method, params, onResult as (result: unknown) => void);
  }

  /** Sends a command on the first call. Later calls share the answer. */
  sendOnce<M extends CommandName>(method: M, params?: Params<M>): Promise<Result<M>> {
    const known = this.#once.get(method) as Promise<Result<M>> | undefined;
    if (known) return known;
    const reply = this.send(method, params);
    this.#once.set(method, reply);
    return reply;
  }

  /** Adds an event listener. Returns a function that removes it. */
  on<E extends keyof SessionEvents>(event: E, listener: (params: SessionEvents[E]) => void): () => void {
    return this.events.on(event, listener);
  }

  /** Handles a reply. `isCut`: its long strings are cut already. */
  receive(reply: Reply, { isCut }: { readonly isCut: boolean }): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    this.#pending.delete(reply.id);
    if (reply.error) pending.reply.reject(new ProtocolError(pending.method, reply.error.message));
    else {
      const result = isCut ? reply.result : boundedResult(pending.method, reply.result);
      pending.onResult?.(result);
      pending.reply.resolve(result);
    }
    if (!this.isBusy) this.events.emit('idle', undefined);
  }

  /**
   * Ends the session: rejects all pending commands and notifies listeners once. The error names the page and contains the peer's sentence.
   */
  markClosed(reason: string, { address = loggableUrl(this.address()), recovery = {}, said = '' }: Closing = {}): void {
    if (this.#closedReason !== undefined) return;
    this.#recovery = recovery;
    const placed = address === '' ? reason : `${reason} (${address})`;
    this.#closedReason = said === '' ? placed : `${placed}. ${said.replace(/\.$/, '')}`;
    for (const { method, reply } of this.#pending.values()) reply.reject(this.#closedError(method));
    this.#pending.clear();
    for (const { method, reply } of this.#held ?? []) reply.reject(this.#closedError(method));
    this.#held = undefined;
    this.#parent?.children.delete(this);
    for (const child of this.children) child.markClosed(reason, { address, recovery, said });
    this.events.emit('closed', this.#closedReason);
    this.events.clear();
  }

  #dispatch({ method, params, reply, onResult }: HeldCommand): void {
    const wasBusy = this.isBusy;
    this.#pending.set(this.#write(this.id, method, params), { method, reply, onResult });
    if (!wasBusy) this.events.emit('busy', undefined);
  }

  #closedError(method: string): DriverClosedError {
    return new DriverClosedError(`${this.#closedReason}. It did not respond to ${method}.`, this.#recovery);
  }
}
