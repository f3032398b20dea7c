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

/** What a link is made of. */
export interface LinkParts {
  readonly session: LiveSession;
  readonly keyId: string;
  readonly log: PlatformLog;
  /** The socket to the browser, open. */
  readonly browser: WebSocket;
  /** Whether the client can come back to it on another socket. */
  readonly isResumable: boolean;
  /** Milliseconds for which it waits for its client to come back. */
  readonly grace: number;
  readonly onEnd: (link: Link) => void;
}

/** What is kept for a client to come back to; above that, nothing more is read from the browser. */
const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;
/** With answers to commands that were refused, which come although the browser is not read. */
const MAX_KEPT_WITH_REFUSALS = 2 * MAX_KEPT_CHARACTERS;
/** The id of commands that this sends itself; clients count from 1. */
const OWN_ID = 2 ** 31 - 1;
/** How the browser answers them; clients that get an answer to nothing they asked, such as Playwright, break off. */
const OWN_ANSWER = `{"id":${OWN_ID},`;
const ORDERLY_CODES: readonly number[] = [1000, 1005];

/** One client's connection to a browser: passes on what is allowed, and outlives its socket when the client knows how. */
export class Link implements SessionClient {
  readonly id: string = randomBytes(16).toString('hex');
  /** The key that its client came with the last time. */
  keyId: string;
  readonly #parts: LinkParts;
  readonly #outbox = new Outbox();
  readonly #inbox = new Inbox();
  readonly #targets = new TargetGuard();
  #client: WebSocket | undefined;
  #waiting: NodeJS.Timeout | undefined;
  /** When it lost its client. */
  #lostAt: number | undefined;
  readonly #unwatch: () => void;
  #isNoteOnItsWay = false;
  #isNoteDue = false;
  #isOver = false;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.keyId = parts.keyId;
    const { browser, session } = parts;
    browser.on(
      'message',
      this.#guardHandler('browser', (data: RawData) => {
        if (this.#isOver) return;
        const message = String(data);
        if (message.startsWith(OWN_ANSWER)) return;
        session.downloads.note(message);
        this.#closeOutsideWeb(this.#targets.note(message));
        this.#fromBrowser(withoutTracePaths(message, session.browser.downloads));
      }),
    );
    const [code, reason] = session.browser.state
      ? [LINK_CLOSE.browserCut, 'The way to the browser was cut. If the session lives, it can be connected to again.']
      : [LINK_CLOSE.browserLost, 'The browser ended.'];
    browser.on(
      'close',
      this.#guardHandler('browser', () => this.#close(code, reason)),
    );
    // An error is always followed by 'close'.
    browser.on('error', () => undefined);
    session.attach(this);
    this.#unwatch = session.control.watch(() => this.#tellHolder());
    this.#waitForClient();
  }

  get session(): LiveSession {
    return this.#parts.session;
  }

  /** The socket of its client; undefined while that is lost. */
  get client(): WebSocket | undefined {
    return this.#client;
  }

  /** Has a socket take the place of the one before. `received` is what the client has got so far. */
  take(client: WebSocket, received: number): void {
    const missing = this.#outbox.after(received);
    if (this.#isOver || !missing) return closeSocket(client, LINK_CLOSE.linkUnknown, 'This link cannot be resumed.');
    // The note that said so may have been lost with the socket.
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

  /** Ends a socket that is not its client's any more: what that did not take is no reason to wait. */
  #drop(client: WebSocket): void {
    client.terminate();
    resumeReading(client, this.#parts.browser);
  }

  #guardHandler<Given extends readonly unknown[]>(
    name: string,
    handle: (...given: Given) => void,
  ): (...given: Given) => void {
    const { session, log } = this.#parts;
    const end = (): void => this.#close(LINK_CLOSE.badMessage, 'Received what cannot be handled.');
    return guardHandler({ name, log, facts: { session: session.row.id }, end }, handle);
  }

  /** What is to be known of the link: its name, what has come, and whether a person works in the browser. */
  #note(): Buffer {
    const { control } = this.#parts.session;
    return writeNote({ link: this.id, received: this.#inbox.received, isTakenOver: control.isTakenOver });
  }

  /** Ends the link because the session ends, or goes on with another server. */
  end(reason: string, how: SessionStop): void {
    this.#close(how === 'ended' ? LINK_CLOSE.sessionEnded : LINK_CLOSE.handedOver, reason);
  }

  /** Ends the link because its client may not have it any more. */
  refuse(reason: string): void {
    this.#close(POLICY_CODE, reason);
  }

  /** One at a time: who does not read gets the last of them only. */
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

  /** Closes a tab that was led out of the web: it shows nothing that a tenant may see. */
  #closeOutsideWeb(targetId: string | undefined): void {
    if (targetId === undefined) return;
    const { browser, session, log } = this.#parts;
    log.warn({ session: session.row.id }, 'a tab that was led out of the web was closed');
    browser.send(JSON.stringify({ id: OWN_ID, method: 'Target.closeTarget', params: { targetId } }));
  }

  #fromBrowser(message: string): void {
    const { browser, isResumable } = this.#parts;
    if (isResumable) {
      this.#outbox.push(message);
      if (this.#outbox.size > MAX_KEPT_CHARACTERS) pauseReading(this.#outbox, browser);
    }
    if (this.#client) sendWithBackpressure(this.#client, message, browser);
  }

  /** Answers a command in the browser's place. Whoever takes no answers sends no more commands. */
  #answer(message: string): void {
    if (this.#parts.isResumable) {
      this.#outbox.push(message);
      if (this.#outbox.size > MAX_KEPT_WITH_REFUSALS)
        return this.#close(POLICY_CODE, 'Too many answers were not confirmed.');
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
    if (this.#client) sendWithBackpressure(browser, filtered.forward, this.#client);
  }

  /** A note about the link itself. */
  #fromClientSide(data: string): void {
    const note = this.#parts.isResumable ? readNote(data) : undefined;
    if (!note) return this.#close(LINK_CLOSE.badMessage, 'Received a binary frame that is no note.');
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
    // In order, so that it is known when the browser has forgotten what this client asked for.
    browser.once('close', () => void session.downloadController.renew());
    closeSocket(browser, 1000, '');
    session.detach(this, this.#lostAt);
    onEnd(this);
  }
}
