import { boundedEvent, isResultCut } from './bounded-event.ts';
import { parseLargeMessage } from './large-message.ts';
import type { Recovery } from '../errors.ts';
import { Session, type Reply } from './session.ts';
import type { EventName, EventParams } from './protocol.ts';
import type { IncomingMessage, Transport, TransportOptions } from './transport.ts';
import { openTransport } from './web-socket.ts';

interface EventMessage {
  readonly method: EventName;
  readonly params: EventParams<EventName>;
}

type Message = (Reply | EventMessage) & { readonly sessionId?: string };

/** Error messages by the type of the target that ended. */
const END_OF_TARGET: Readonly<Record<string, string>> = {
  page: 'The page was closed',
  iframe: 'The frame was removed or moved to another process',
  worker: 'The worker has terminated',
  service_worker: 'The service worker has ended',
  shared_worker: 'The shared worker has ended',
};

/** One connection to a browser. Assigns message ids, and routes replies and events to sessions. */
export class Connection {
  readonly browser: Session;
  readonly url: string;
  /** True if other clients may use the same browser, and for example handle its dialogs. */
  isShared = false;
  /** Advice in errors after the connection is lost. Advice from the transport takes precedence. */
  recovery: Recovery = {};
  /** Set if a malformed message, or a listener that threw, has ended the connection. */
  fault: unknown;
  readonly #transport: Transport;
  readonly #sessionById = new Map<string, Session>();
  readonly #targetTypes = new WeakMap<Session, string>();
  readonly #cutReplies = new Set<number>();
  #lastId = 0;

  constructor(url: string, transport: Transport) {
    this.url = url;
    this.#transport = transport;
    this.browser = this.#addSession('');
    transport.onMessage = (message) => this.#take(message);
    transport.onClose = (reason, recovery = this.recovery, serverMessage = '') =>
      this.browser.markClosed(`The connection to the browser was lost (${reason})`, { recovery, serverMessage });
  }

  static async open(url: string, options?: TransportOptions): Promise<Connection> {
    return new Connection(url, await openTransport(url, options));
  }

  session(id: string): Session | undefined {
    return this.#sessionById.get(id);
  }

  /** Closes the connection. Pending commands reject. */
  close(): void {
    this.#transport.close();
    this.browser.markClosed('The connection to the browser was closed');
  }

  #addSession(id: string, parent?: Session): Session {
    const session = new Session(id, (sessionId, method, params) => this.#write(sessionId, method, params), parent);
    this.#sessionById.set(id, session);
    session.on('closed', () => this.#sessionById.delete(id));
    return session;
  }

  #write(sessionId: string, method: string, params: unknown): number {
    this.#lastId += 1;
    if (isResultCut(method)) this.#cutReplies.add(this.#lastId);
    const session = sessionId === '' ? {} : { sessionId };
    this.#transport.send(JSON.stringify({ id: this.#lastId, method, params, ...session }));
    return this.#lastId;
  }

  /**
   * An exception here would end the process. So a malformed message, or a listener that throws, closes the connection.
   */
  #take(incoming: IncomingMessage): void {
    try {
      const { message, isCut } =
        typeof incoming === 'string'
          ? { message: JSON.parse(incoming) as unknown, isCut: false }
          : parseLargeMessage(incoming, (id) => this.#cutReplies.has(id));
      this.#receive(message as Message, isCut ? 0 : incoming.length);
    } catch (error) {
      this.fault = error;
      this.#transport.close();
      const recovery = this.recovery;
      this.browser.markClosed('The connection to the browser was closed: a message could not be processed', {
        recovery,
      });
    }
  }

  /** `length` is the size of the message, or 0 if its long strings are cut already. */
  #receive(message: Message, length: number): void {
    if ('id' in message) this.#cutReplies.delete(message.id);
    const session = this.#sessionById.get(message.sessionId ?? '');
    if (!session) return;
    if ('id' in message) return session.receive(message, { isCut: length === 0 });
    const event = { ...message, params: boundedEvent(message.method, message.params, length) };
    this.#trackSessions(session, event);
    session.events.emit(event.method, event.params);
    this.#forgetSession(event);
  }

  #trackSessions(parent: Session, { method, params }: EventMessage): void {
    if (method !== 'Target.attachedToTarget') return;
    const { sessionId, targetInfo } = params as EventParams<'Target.attachedToTarget'>;
    const session = this.#addSession(sessionId, parent);
    session.address = () => targetInfo.url;
    this.#targetTypes.set(session, targetInfo.type);
  }

  #forgetSession({ method, params }: EventMessage): void {
    if (method !== 'Target.detachedFromTarget') return;
    const gone = this.#sessionById.get((params as EventParams<'Target.detachedFromTarget'>).sessionId);
    gone?.markClosed(END_OF_TARGET[this.#targetTypes.get(gone) ?? ''] ?? 'The target has ended');
  }
}
