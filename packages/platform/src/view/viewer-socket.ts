import type { WebSocket } from 'ws';
import { closeSocket } from '../gateway/flow.ts';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { LiveView } from './live-view.ts';
import { type PersonInput, performInput } from './perform-input.ts';
import { readViewRequest } from './read-request.ts';
import type { Frame, FrameSink, Screencast } from './screencast.ts';
import type { ControlHolder, ViewNews } from './view-wire.ts';

interface ViewerParts {
  readonly view: LiveView;
  readonly socket: WebSocket;
  readonly mayControl: boolean;
  readonly log: PlatformLog;
}

/** Above this many bytes that wait to be sent, pictures are left out until some have gone. */
const MAX_WAITING_BYTES = 512 * 1024;
/** The socket of who has taken over may be lost for so long before the browser is given back. */
const AWAY_MS = 15_000;
/** Who has taken over and does nothing for so long has forgotten it. */
const IDLE_MS = 10 * 60_000;
const CLOSED_BY_SERVER = 4001;
const BAD_MESSAGE = 4003;

/** One person who looks at a browser, and may work in it. */
export class ViewerSocket implements FrameSink {
  readonly #parts: ViewerParts;
  #cast: Screencast | undefined;
  #size = '';
  #isBehind = false;
  #idle: NodeJS.Timeout | undefined;
  /** What a person does is carried out in its order. */
  #working: Promise<void> = Promise.resolve();

  constructor(parts: ViewerParts) {
    this.#parts = parts;
    const { socket, view, mayControl } = parts;
    socket.on('message', (data, isBinary) => this.#take(isBinary ? '' : String(data)));
    socket.on('close', () => this.#leave());
    // An error is always followed by 'close'.
    socket.on('error', () => undefined);
    view.add(this);
    this.#send({ type: 'hello', mayControl, hasDevTools: mayControl && view.session.browser.devTools !== undefined });
    this.tell('control');
    this.tell('tabs');
  }

  /** Says what has changed. A page that is gone gives way to the newest. */
  tell(what: 'tabs' | 'control'): void {
    if (what === 'control') return this.#send({ type: 'control', holder: this.#holder() });
    const list = this.#parts.view.list;
    const tabs = list?.tabs ?? [];
    const shown = this.#cast?.targetId;
    if (shown === undefined || !list?.has(shown)) this.#look(tabs.at(-1)?.id);
    this.#send({ type: 'tabs', tabs, shown: this.#cast?.targetId });
  }

  show(frame: Frame): boolean {
    const { socket } = this.#parts;
    if (socket.bufferedAmount > MAX_WAITING_BYTES) {
      this.#isBehind = true;
      return false;
    }
    const size = `${frame.width}x${frame.height}`;
    if (size !== this.#size) this.#send({ type: 'size', width: frame.width, height: frame.height });
    this.#size = size;
    socket.send(frame.jpeg, () => this.#catchUp());
    return true;
  }

  /** Ends it because there is nothing more to see. */
  end(reason: string): void {
    closeSocket(this.#parts.socket, CLOSED_BY_SERVER, reason);
  }

  /** What was left out last is what there is to see. */
  #catchUp(): void {
    if (!this.#isBehind || this.#parts.socket.bufferedAmount > MAX_WAITING_BYTES / 2) return;
    this.#isBehind = false;
    this.#cast?.repeat(this);
  }

  #holder(): ControlHolder {
    const { control } = this.#parts.view.session;
    if (!control.isTakenOver) return 'driver';
    return control.isHeldBy(this) ? 'you' : 'other';
  }

  #take(message: string): void {
    const request = readViewRequest(message);
    if (!request) return closeSocket(this.#parts.socket, BAD_MESSAGE, 'Received what no viewer may send.');
    if (request.type === 'show') return this.#choose(request.tab);
    if (!this.#parts.mayControl) return this.#refuse('This link lets you look on, but not take over.');
    const { session } = this.#parts.view;
    session.touch();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => session.control.handBack(this), IDLE_MS).unref();
    if (request.type === 'take-over') return session.control.takeOver(this);
    if (request.type === 'hand-back') return session.control.handBack(this);
    if (!session.control.isHeldBy(this)) return this.#refuse('Take over first.');
    this.#working = this.#working.then(() => this.#perform(request));
  }

  async #perform(input: PersonInput): Promise<void> {
    try {
      const page = await this.#cast?.session();
      const reason = page && (await performInput(page, input));
      if (reason !== undefined) this.#refuse(reason);
    } catch (error) {
      this.#parts.log.info({ reason: reasonOf(error) }, 'what a person did could not be carried out');
      this.#refuse('The page did not take it.');
    }
  }

  #choose(tab: string): void {
    if (this.#parts.view.list?.has(tab)) this.#look(tab);
    this.tell('tabs');
  }

  #look(tab: string | undefined): void {
    this.#cast?.remove(this);
    this.#cast = tab === undefined ? undefined : this.#parts.view.cast(tab);
    this.#cast?.add(this);
  }

  #leave(): void {
    const { view } = this.#parts;
    clearTimeout(this.#idle);
    this.#cast?.remove(this);
    view.remove(this);
    const { control } = view.session;
    if (control.isHeldBy(this)) setTimeout(() => control.handBack(this), AWAY_MS).unref();
  }

  #refuse(reason: string): void {
    this.#send({ type: 'refused', reason });
  }

  #send(news: ViewNews): void {
    const { socket } = this.#parts;
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(news));
  }
}
