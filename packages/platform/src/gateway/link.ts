import { randomBytes } from 'node:crypto';
import { Inbox, LINK_CLOSE, Outbox, readNote, writeNote } from 'pagechauffeur/internal';
import type { RawData, WebSocket } from 'ws';
import { guardHandler } from '../guard-handler.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LiveSession, SessionClient, SessionStop } from '../sessions/live-session.ts';
import {
  answerInBytes,
  closeSocket,
  pauseReading,
  POLICY_CODE,
  resumeReading,
  sendWithBackpressure,
} from './backpressure.ts';
import { filterMessage } from './message-filter.ts';
import { withoutTracePaths } from './trace-paths.ts';
import { TargetGuard } from './target-guard.ts';

export interface LinkParts {
  readonly session: LiveSession;
  readonly keyId: string;
  readonly log: PlatformLog;
  readonly browser: WebSocket;
  /** True if the client supports the link protocol and can reconnect. */
  readonly isResumable: boolean;
  /** How long to wait for a lost client, in milliseconds. */
  readonly grace: number;
  readonly onEnd: (link: Link) => void;
}

/** Above this many characters that the client has not confirmed, the browser's socket pauses. */
const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;
/**
 * Above this many unconfirmed characters, the link closes. The server's own responses are added even while the
 * browser's socket is paused.
 */
const MAX_KEPT_WITH_REFUSALS = 2 * MAX_KEPT_CHARACTERS;
/** How long browser messages wait for the download setting of a new context, in milliseconds. */
const LONGEST_HOLD = 2000;
const ORDERLY_CODES: readonly number[] = [1000, 1005];

/**
 * One client's connection to a browser. Filters and forwards messages, and survives a lost client socket if the client
 * supports the link protocol.
 */
export class Link implements SessionClient {
  readonly id: string = randomBytes(16).toString('hex');
  /** Id of the key with which the client last connected. */
  keyId: string;
  readonly #parts: LinkParts;
  readonly #outbox = new Outbox();
  readonly #inbox = new Inbox();
  readonly #targets: TargetGuard;
  /** Number of contexts that the client requested and the browser has not reported yet. */
  #contextsDue = 0;
  /** Browser messages that wait until a new context allows downloads. Undefined if no context is pending. */
  #held: string[] | undefined;
  #client: WebSocket | undefined;
  #waiting: NodeJS.Timeout | undefined;
  /** When the client disconnected, in milliseconds since 1970. */
  #lostAt: number | undefined;
  readonly #unwatch: () => void;
  #isNoteOnItsWay = false;
  #isNoteDue = false;
  #isOver = false;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.keyId = parts.keyId;
    const { browser, session } = parts;
    this.#targets = new TargetGuard(session.outsideTargets);
    browser.on(
      'message',
      this.#guardHandler('browser', (data: RawData) => {
        if (this.#isOver) return;
        const message = String(data);
        session.downloads.note(message);
        this.#targets.note(message);
        const visible = this.#targets.visible(message);
        if (visible !== undefined) this.#inOrder(withoutTracePaths(visible, session.browser.downloads));
      }),
    );
    const [code, reason] = session.browser.state
      ? [
          LINK_CLOSE.browserCut,
          'The connection to the browser was lost. If the session is still running, connect again.',
        ]
      : [LINK_CLOSE.browserLost, 'The browser has exited.'];
    browser.on(
      'close',
      this.#guardHandler('browser', () => this.#close(code, reason)),
    );
    // `close` follows every error.
    browser.on('error', () => undefined);
    session.attach(this);
    this.#unwatch = session.control.watch(() => this.#tellHolder());
    this.#waitForClient();
  }

  get session(): LiveSession {
    return this.#parts.session;
  }

  /** Undefined while the client is disconnected. */
  get client(): WebSocket | undefined {
    return this.#client;
  }

  /**
   * Uses this socket for the client. `received` is the number of messages that the client already has. Sends all later
   * ones.
   */
  take(client: WebSocket, received: number): void {
    const missing = this.#outbox.after(received);
    if (this.#isOver || !missing)
      return closeSocket(client, LINK_CLOSE.linkUnknown, 'This connection cannot be resumed. Connect again.');
    // The client's last confirmation may have been lost with its socket.
    this.#confirm(received);
    clearTimeout(this.#waiting);
    this.#lostAt = undefined;
    const before = this.#client;
    this.#client = client;
    if (before) this.#drop(before);
    this.#isNoteOnItsWay = false;
    client.on(
      'message',
      this.#guardHandler('gateway', (data: RawData, isBinary: boolean) => {
        if (isBinary) this.#fromClientSide(String(data));
        else this.#fromClient(String(data));
      }),
    );
    client.on(
      'close',
      this.#guardHandler('gateway', (code: number) => this.#lose(client, code)),
    );
    client.on('error', () => undefined);
    if (this.#parts.isResumable) client.send(this.#note());
    for (const message of missing) sendWithBackpressure(client, message, this.#parts.browser);
  }

  /** Terminates a replaced socket. Its unsent messages no longer pause the browser. */
  #drop(client: WebSocket): void {
    client.terminate();
    resumeReading(client, this.#parts.browser);
  }

  #guardHandler<Given extends readonly unknown[]>(
    name: string,
    handle: (...given: Given) => void,
  ): (...given: Given) => void {
    const { session, log } = this.#parts;
    const end = (): void => this.#close(LINK_CLOSE.badMessage, 'Received an invalid message.');
    return guardHandler({ name, log, facts: { session: session.row.id }, end }, handle);
  }

  #note(): Buffer {
    const { control } = this.#parts.session;
    return writeNote({ link: this.id, received: this.#inbox.received, isTakenOver: control.isTakenOver });
  }

  end(reason: string, how: SessionStop): void {
    this.#close(how === 'ended' ? LINK_CLOSE.sessionEnded : LINK_CLOSE.handedOver, reason);
  }

  /** Closes the link because its key is no longer valid. */
  refuse(reason: string): void {
    this.#close(POLICY_CODE, reason);
  }

  /** Keeps at most one note pending, so a slow client gets only the latest. */
  #tellHolder(): void {
    const client = this.#client;
    if (!this.#parts.isResumable || !client) return;
    this.#isNoteDue = this.#isNoteOnItsWay;
    if (this.#isNoteOnItsWay) return;
    this.#isNoteOnItsWay = true;
    client.send(this.#note(), () => {
      if (client !== this.#client) return;
      this.#isNoteOnItsWay = false;
      if (this.#isNoteDue) this.#tellHolder();
    });
  }

  /** Forwards browser messages in order. Holds back a new context until it allows downloads. */
  #inOrder(message: string): void {
    if (this.#held) return void this.#held.push(message);
    const context = this.#contextsDue > 0 ? contextIn(message) : undefined;
    if (context === undefined) return this.#fromBrowser(message);
    this.#contextsDue -= 1;
    this.#held = [message];
    void this.#whenAllowed(context);
  }

  async #whenAllowed(context: string): Promise<void> {
    const { session } = this.#parts;
    const end = Promise.withResolvers<void>();
    const timer = setTimeout(end.resolve, LONGEST_HOLD);
    await Promise.race([session.downloadController.addContext(context), end.promise]);
    clearTimeout(timer);
    const [created, ...later] = this.#held ?? [];
    this.#held = undefined;
    if (this.#isOver || created === undefined) return;
    this.#fromBrowser(created);
    for (const message of later) this.#inOrder(message);
  }

  #fromBrowser(message: string): void {
    const { browser, isResumable } = this.#parts;
    if (isResumable) {
      this.#outbox.push(message);
      if (this.#outbox.size > MAX_KEPT_CHARACTERS) pauseReading(this.#outbox, browser);
    }
    if (this.#client) sendWithBackpressure(this.#client, message, browser);
  }

  /** Responds to a command without the browser. Pauses a client that does not read responses. */
  #answer(message: string): void {
    if (this.#parts.isResumable) {
      this.#outbox.push(message);
      if (this.#outbox.size > MAX_KEPT_WITH_REFUSALS)
        return this.#close(POLICY_CODE, 'The client left too many responses unconfirmed.');
    }
    if (this.#client) sendWithBackpressure(this.#client, message, this.#client);
  }

  #fromClient(message: string): void {
    const { session, browser, isResumable } = this.#parts;
    session.touch();
    if (isResumable && this.#inbox.add(message) && this.#client) answerInBytes(this.#client, this.#inbox.note());
    const { isTakenOver } = session.control;
    const filtered = filterMessage(message, session.browser, {
      isTakenOver,
      targets: this.#targets,
      downloads: session.downloadController,
    });
    if ('broken' in filtered) return this.#close(LINK_CLOSE.badMessage, `Received ${filtered.broken}.`);
    if ('answer' in filtered) return this.#answer(filtered.answer);
    if (filtered.createsContext) this.#contextsDue += 1;
    if (this.#client) sendWithBackpressure(browser, filtered.forward, this.#client);
  }

  #fromClientSide(data: string): void {
    const note = this.#parts.isResumable ? readNote(data) : undefined;
    if (!note) return this.#close(LINK_CLOSE.badMessage, 'Received an invalid binary frame.');
    this.#confirm(note.received);
  }

  #confirm(received: number): void {
    this.#outbox.confirm(received);
    if (this.#outbox.size <= MAX_KEPT_CHARACTERS) resumeReading(this.#outbox, this.#parts.browser);
  }

  #lose(client: WebSocket, code: number): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    resumeReading(client, this.#parts.browser);
    this.#lostAt = Date.now();
    if (!this.#parts.isResumable || ORDERLY_CODES.includes(code)) return this.#close(1000, '');
    this.#waitForClient();
  }

  #waitForClient(): void {
    this.#waiting = setTimeout(() => this.#close(1000, ''), this.#parts.grace);
  }

  #close(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unwatch();
    clearTimeout(this.#waiting);
    const { browser, session, onEnd } = this.#parts;
    if (this.#client) closeSocket(this.#client, code, reason);
    this.#client = undefined;
    // By then, the browser has dropped this client's download settings.
    browser.once('close', () => void session.downloadController.renew());
    closeSocket(browser, 1000, '');
    session.detach(this, this.#lostAt);
    onEnd(this);
  }
}

/** Returns the id from a response to `Target.createBrowserContext`, and `undefined` for other messages. */
function contextIn(message: string): string | undefined {
  if (!message.includes('"browserContextId"')) return undefined;
  const { result } = JSON.parse(message) as { readonly result?: { readonly browserContextId?: string } };
  return result?.browserContextId;
}
