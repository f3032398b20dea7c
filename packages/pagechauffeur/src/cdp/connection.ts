import { boundedEvent } from './bounded-event.ts';
import type { Recovery } from '../errors.ts';
import { Session, type Reply } from './session.ts';
import type { EventName, EventParams } from './protocol.ts';
import type { Transport, TransportOptions } from './transport.ts';
import { openTransport } from './web-socket.ts';

interface EventMessage {
  readonly method: EventName;
  readonly params: EventParams<EventName>;
}

type Message = (Reply | EventMessage) & { readonly sessionId?: string };

/** What it means that a session ends, by the type of its target. */
const END_OF_TARGET: Readonly<Record<string, string>> = {
  page: 'The page was closed',
  iframe: 'The frame was removed or moved to another process',
  worker: 'The worker has ended',
  service_worker: 'The service worker has ended',
  shared_worker: 'The shared worker has ended',
};

/** One socket to a browser: owns the message ids and routes replies and events to their sessions. */
export class Connection {
  /** The session of the browser itself. */
  readonly browser: Session;
  readonly url: string;
  /** Whether other programs may be connected to the same browser, and may answer what its pages ask. */
  isShared = false;
  /** What can be done when it is lost, unless its transport says otherwise. */
  recovery: Recovery = {};
  /** The error that ended the connection: a message was malformed or a listener threw. */
  fault: unknown;
  readonly #transport: Transport;
  readonly #sessionById = new Map<string, Session>();
  readonly #targetTypes = new WeakMap<Session, string>();
  #lastId = 0;

  constructor(url: string, transport: Transport) {
    this.url = url;
    this.#transport = transport;
    this.browser = this.#addSession('');
    transport.onMessage = (message) => this.#take(message);
    transport.onClose = (reason, recovery = this.recovery) =>
      this.browser.markClosed(`The connection to the browser is gone (${reason})`, { recovery });
  }

  /** Connects to a browser's DevTools socket. */
  static async open(url: string, options?: TransportOptions): Promise<Connection> {
    return new Connection(url, await openTransport(url, options));
  }

  /** The session with this id; attaching made it known. */
  session(id: string): Session | undefined {
    return this.#sessionById.get(id);
  }

  /** Ends the connection; everything open is rejected. */
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
    const session = sessionId === '' ? {} : { sessionId };
    this.#transport.send(JSON.stringify({ id: this.#lastId, method, params, ...session }));
    return this.#lastId;
  }

  /** A malformed message or a listener that throws closes this connection, so that the process goes on. */
  #take(text: string): void {
    try {
      this.#receive(JSON.parse(text) as Message, text.length);
    } catch (error) {
      this.fault = error;
      this.#transport.close();
      const recovery = this.recovery;
      this.browser.markClosed('The connection to the browser was closed: a message could not be handled', { recovery });
    }
  }

  #receive(message: Message, length: number): void {
    const session = this.#sessionById.get(message.sessionId ?? '');
    if (!session) return;
    if ('id' in message) return session.receive(message);
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
