import { DriverClosedError, type Recovery } from '../errors.ts';
import { type Deferred, deferred } from '../util/deferred.ts';
import { Emitter } from '../util/emitter.ts';
import { loggableUrl } from '../util/loggable-url.ts';
import { boundedResult } from './bounded-event.ts';
import type { CommandName, EventName, EventParams, Params, Result } from './protocol.ts';
import { ProtocolError } from './protocol-error.ts';

type SessionEvents = { [E in EventName]: EventParams<E> } & {
  closed: string;
  /** A command was sent while none was pending. */
  busy: undefined;
  idle: undefined;
};

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

interface Closing {
  readonly address?: string;
  readonly recovery?: Recovery;
  /** Message from the server that closed the connection, for example about an expired session. */
  readonly serverMessage?: string;
}

/**
 * A CDP session with a target, or with the browser itself (`id` is `''`). A command does not wait for the replies to
 * earlier ones, and replies can come in any order. When the target or the connection goes away, all pending commands
 * reject.
 */
export class Session {
  readonly id: string;
  readonly events: Emitter<SessionEvents> = new Emitter();
  /** Returns the target's URL for error messages, `''` if unknown. */
  address: () => string = () => '';
  /** Sessions of child targets, such as out-of-process frames. They end with this session. */
  readonly children: Set<Session> = new Set();
  readonly #parent: Session | undefined;
  readonly #write: (sessionId: string, method: string, params: unknown) => number;
  readonly #pending = new Map<number, PendingCommand>();
  readonly #once = new Map<string, Promise<unknown>>();
  /** Commands held by {@link holdUntil}. `undefined` if commands are not held. */
  #held: HeldCommand[] | undefined;
  /** Commands that are sent even while others are held. */
  #passing: ReadonlySet<string> = new Set();
  #closedReason: string | undefined;
  #recovery: Recovery = {};

  constructor(id: string, write: (sessionId: string, method: string, params: unknown) => number, parent?: Session) {
    this.id = id;
    this.#write = write;
    this.#parent = parent;
    parent?.children.add(this);
  }

  /** The topmost session below the browser's: for an out-of-process frame, the session of its page. */
  get page(): Session {
    const parent = this.#parent;
    return parent === undefined || parent.id === '' ? this : parent.page;
  }

  get browser(): Session {
    return this.#parent?.browser ?? this;
  }

  /** True if this session has ended while its page's session continues, as for a removed frame. */
  get isLostFrame(): boolean {
    return this.isClosed && !this.page.isClosed;
  }

  /** The reply to the oldest pending input command. Until it arrives, the input can still reach the page. */
  get inputInFlight(): Promise<unknown> | undefined {
    for (const { method, reply } of this.#pending.values()) if (method.startsWith('Input.')) return reply.promise;
    return undefined;
  }

  get isClosed(): boolean {
    return this.#closedReason !== undefined;
  }

  /** Advice for errors after the connection is lost. Empty if only this target has ended. */
  get recovery(): Recovery {
    return this.#recovery;
  }

  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /**
   * Rejects with a `ProtocolError` if the browser rejects the command, and with a `DriverClosedError` if the target or
   * the connection goes away first.
   */
  send<M extends CommandName>(method: M, params?: Params<M>): Promise<Result<M>> {
    return this.sendRaw(method, params) as Promise<Result<M>>;
  }

  /** Like {@link send}, for commands without types. `onResult` gets the result before any later event. */
  sendRaw(method: string, params?: unknown, onResult?: (result: unknown) => void): Promise<unknown> {
    if (this.#closedReason !== undefined) return Promise.reject(this.#closedError(notSent(method)));
    const command = { method, params, reply: deferred<unknown>(), onResult };
    if (this.#held && !this.#passing.has(method)) this.#held.push(command);
    else this.#dispatch(command);
    return command.reply.promise;
  }

  /**
   * Holds all later commands until `preparation` settles, except those in `passing`. Otherwise commands that the
   * browser process runs, such as `Page.navigate`, would overtake those that the page's process is still running.
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

  /** Calls `onResult` before any later event is emitted, which a promise cannot guarantee. */
  sendInOrder<M extends CommandName>(
    method: M,
    onResult: (result: Result<M>) => void,
    params?: Params<M>,
  ): Promise<unknown> {
    return this.sendRaw(method, params, onResult as (result: unknown) => void);
  }

  /** Sends the command on the first call. Later calls share its result. */
  sendOnce<M extends CommandName>(method: M, params?: Params<M>): Promise<Result<M>> {
    const known = this.#once.get(method) as Promise<Result<M>> | undefined;
    if (known) return known;
    const reply = this.send(method, params);
    this.#once.set(method, reply);
    return reply;
  }

  on<E extends keyof SessionEvents>(event: E, listener: (params: SessionEvents[E]) => void): () => void {
    return this.events.on(event, listener);
  }

  /** `isCut`: true if the long strings of the reply are already cut. */
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
   * Ends the session and its children: rejects pending commands and emits `closed`. The errors contain the target's URL
   * and the server's message.
   */
  markClosed(
    reason: string,
    { address = loggableUrl(this.address()), recovery = {}, serverMessage = '' }: Closing = {},
  ): void {
    if (this.#closedReason !== undefined) return;
    this.#recovery = recovery;
    const withAddress = address === '' ? reason : `${reason} (${address})`;
    this.#closedReason = serverMessage === '' ? withAddress : `${withAddress}. ${serverMessage.replace(/\.$/, '')}`;
    for (const { method, reply } of this.#pending.values())
      reply.reject(this.#closedError(`${method} received no response.`));
    this.#pending.clear();
    for (const { method, reply } of this.#held ?? []) reply.reject(this.#closedError(notSent(method)));
    this.#held = undefined;
    this.#parent?.children.delete(this);
    for (const child of this.children) child.markClosed(reason, { address, recovery, serverMessage });
    this.events.emit('closed', this.#closedReason);
    this.events.clear();
  }

  #dispatch({ method, params, reply, onResult }: HeldCommand): void {
    const wasBusy = this.isBusy;
    this.#pending.set(this.#write(this.id, method, params), { method, reply, onResult });
    if (!wasBusy) this.events.emit('busy', undefined);
  }

  /** `outcome`: a sentence about the command that fails. */
  #closedError(outcome: string): DriverClosedError {
    return new DriverClosedError(`${this.#closedReason}. ${outcome}`, this.#recovery);
  }
}

function notSent(method: string): string {
  return `${method} was not sent.`;
}
