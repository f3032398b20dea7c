import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RawData, WebSocket } from 'ws';
import { guardHandler } from '../guard-handler.ts';
import { closeSocket, sendWithBackpressure } from '../gateway/backpressure.ts';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { SessionStop } from '../sessions/live-session.ts';
import type { LiveView, UpdateKind } from './live-view.ts';
import { MessageRate } from './message-rate.ts';
import { type OperatorInput, performInput } from './perform-input.ts';
import { readViewRequest } from './read-request.ts';
import type { Frame, FrameSink } from './screencast.ts';
import type { ShownPage } from './shown-page.ts';
import type { ControlHolder, ShownTab, ViewMessage, ViewRequest } from './view-wire.ts';

interface ViewerParts {
  readonly view: LiveView;
  readonly socket: WebSocket;
  readonly mayControl: boolean;
  readonly log: PlatformLog;
}

/** Above this many unsent bytes, frames are dropped and notifications delayed. */
const MAX_WAITING_BYTES = 512 * 1024;
/** Maximum number of queued inputs, for example while the page is blocked. */
const MAX_WAITING_INPUTS = 1000;
/** Maximum number of characters in all queued inputs. A message with files can have up to 16 MiB. */
const MAX_WAITING_INPUT_CHARACTERS = 32 * 1024 * 1024;
/** Rate-limit cost by message type. Messages that affect all viewers or start a screencast cost 20, others 1. */
const COST_BY_TYPE: Partial<Record<ViewRequest['type'], number>> = {
  show: 20,
  return: 20,
  'take-over': 20,
  'hand-back': 20,
};
/** An operator who is idle for this long has probably forgotten to hand the browser back. */
const IDLE_MS = 10 * 60_000;
/** How long handing back control waits for the page to process each queued input. */
const LAST_WORK_MS = 2000;
const CLOSED_BY_SERVER = 4001;
/** RFC 6455: Service Restart. The dashboard reconnects. */
const SERVICE_RESTART = 1012;
const BAD_MESSAGE = 4003;

/** Socket of one viewer, who may become the operator. */
export class ViewerSocket implements FrameSink {
  readonly #parts: ViewerParts;
  #page: ShownPage | undefined;
  #seat: string = randomUUID();
  /** Id of the newest page in the list that was sent last. */
  #newest: string | undefined;
  /** Last sent page request, to skip duplicates. */
  #serialized = JSON.stringify({});
  #size = '';
  /** True if a frame was dropped since the last one that was sent. */
  #isBehind = false;
  /** Delayed notifications. */
  readonly #due = new Set<UpdateKind>();
  #idle: NodeJS.Timeout | undefined;
  /** Queue of inputs, which run one after another. */
  #working: Promise<void> = Promise.resolve();
  /** Number of inputs that the page has processed. */
  #inputsTaken = 0;
  #inputsWaiting = 0;
  #charactersWaiting = 0;
  readonly #pace: MessageRate;

  constructor(parts: ViewerParts) {
    this.#parts = parts;
    const { socket, view, mayControl } = parts;
    this.#pace = new MessageRate(socket);
    const end = (): void => closeSocket(socket, BAD_MESSAGE, 'Received an invalid message.');
    const guard = { name: 'live view', log: parts.log, facts: { session: view.session.row.id }, end };
    const take = (data: RawData, isBinary: boolean): void => this.#take(isBinary ? '' : String(data));
    socket.on('message', guardHandler(guard, take));
    socket.on(
      'close',
      guardHandler(guard, () => this.#leave()),
    );
    // `close` follows every error.
    socket.on('error', () => undefined);
    view.add(this);
    this.#send({ type: 'hello', mayControl, seat: this.#seat });
    this.tell('control');
    this.tell('tabs');
    this.tell('questions');
  }

  get seat(): string {
    return this.#seat;
  }

  /**
   * Sends the current state. Delays it while the viewer has too much unread data, and merges repeated notifications.
   */
  tell(what: UpdateKind): void {
    if (this.#parts.socket.bufferedAmount > MAX_WAITING_BYTES) return void this.#due.add(what);
    if (what === 'control') return this.#send({ type: 'control', holder: this.#holder() });
    if (what === 'pageRequest') return this.#sendPageRequest();
    if (what === 'questions')
      return this.#send({ type: 'questions', questions: this.#parts.view.session.questions.open });
    const tabs = this.#parts.view.list?.tabs ?? [];
    this.#follow(tabs);
    this.#send({ type: 'tabs', tabs, shown: this.#page?.targetId });
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

  end(reason: string, how: SessionStop): void {
    closeSocket(this.#parts.socket, how === 'ended' ? CLOSED_BY_SERVER : SERVICE_RESTART, reason);
  }

  /** Sends the dropped frame and the delayed notifications. */
  #catchUp(): void {
    if (this.#parts.socket.bufferedAmount > MAX_WAITING_BYTES / 2) return;
    const due = [...this.#due];
    this.#due.clear();
    for (const what of due) this.tell(what);
    const isBehind = this.#isBehind;
    this.#isBehind = false;
    if (isBehind) this.#page?.cast.repeat(this);
  }

  #holder(): ControlHolder {
    const { control } = this.#parts.view.session;
    if (!control.isTakenOver) return 'driver';
    return control.isHeldBy(this.#seat) ? 'you' : 'other';
  }

  #take(message: string): void {
    const request = readViewRequest(message);
    if (!request) return closeSocket(this.#parts.socket, BAD_MESSAGE, 'Received a message that viewers cannot send.');
    this.#pace.spend(COST_BY_TYPE[request.type] ?? 1);
    if (request.type === 'show') return this.#choose(request.tab);
    if (!this.#parts.mayControl) return this.#refuse('This link is read-only. It does not allow taking over.');
    const { session } = this.#parts.view;
    session.touch();
    if (request.type === 'return') return this.#return(request.seat);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => session.control.handBack(this.#seat), IDLE_MS).unref();
    if (request.type === 'answer') return this.#answer(request);
    if (request.type === 'take-over') return session.control.takeOver(this.#seat);
    if (request.type === 'hand-back') return void this.#handBack();
    if (!session.control.isHeldBy(this.#seat)) return this.#refuse('Take over the browser first.');
    const isFull = this.#charactersWaiting + message.length > MAX_WAITING_INPUT_CHARACTERS;
    if (isFull || this.#inputsWaiting >= MAX_WAITING_INPUTS)
      return this.#refuse('The page has not processed earlier input yet. Wait until it responds.');
    // A dialog blocks earlier input, so the answer must not wait for that input.
    if (request.type === 'dialog') void this.#counted(message.length, this.#perform(request));
    else if (request.type === 'go' || request.type === 'navigate')
      this.#working = this.#counted(message.length, this.#perform(request));
    else
      this.#working = this.#counted(
        message.length,
        this.#working.then(() => this.#performInTurn(request)),
      );
  }

  /** Waits for queued input first, unless a dialog blocks the page. */
  async #handBack(): Promise<void> {
    const { control, questions } = this.#parts.view.session;
    const isStill = this.#page?.pageRequest.dialog !== undefined;
    if (!isStill) await this.#workDone();
    if (!control.isHeldBy(this.#seat)) return;
    control.handBack(this.#seat);
    questions.declineByOperator();
  }

  /** Resolves when the page has processed all input, or none in the last 2 s. */
  async #workDone(): Promise<void> {
    const all = this.#working.then(() => 'done' as const);
    for (let before = -1; before !== this.#inputsTaken;) {
      before = this.#inputsTaken;
      const outcome = await Promise.race([all, pause(LAST_WORK_MS, 'late' as const, { ref: false })]);
      if (outcome === 'done') return;
    }
  }

  /** Counts input as queued until the page has processed it. */
  async #counted(characters: number, work: Promise<void>): Promise<void> {
    this.#inputsWaiting += 1;
    this.#charactersWaiting += characters;
    try {
      await work;
    } finally {
      this.#inputsWaiting -= 1;
      this.#charactersWaiting -= characters;
    }
  }

  /** Drops queued input once the operator has lost control. */
  async #performInTurn(input: OperatorInput): Promise<void> {
    if (!this.#parts.view.session.control.isHeldBy(this.#seat)) return;
    await this.#perform(input);
    this.#inputsTaken += 1;
  }

  #answer({ question, isDeclined, text }: Extract<ViewRequest, { type: 'answer' }>): void {
    const end = isDeclined ? ({ status: 'declined' } as const) : ({ status: 'answered', text } as const);
    this.#parts.view.session.questions.answer(question, end);
  }

  async #perform(input: OperatorInput): Promise<void> {
    try {
      const reason = this.#page && (await performInput(this.#page, input));
      if (reason !== undefined) this.#refuse(reason);
    } catch (error) {
      this.#parts.log.info({ reason: reasonOf(error) }, 'cannot perform operator input');
      this.#refuse('The page did not accept the input.');
    }
  }

  #choose(tab: string): void {
    if (this.#parts.view.list?.has(tab)) this.#showTab(tab);
    this.tell('tabs');
  }

  /**
   * Switches to a new page if the viewer watched its opener or the page that was newest before. Replaces a closed page
   * with the newest.
   */
  #follow(tabs: readonly ShownTab[]): void {
    const shown = this.#page?.targetId;
    const newest = tabs.at(-1);
    const isNew = newest !== undefined && newest.id !== this.#newest;
    const followed = shown === this.#newest || newest?.openerId === shown;
    this.#newest = newest?.id;
    if (!tabs.some(({ id }) => id === shown) || (isNew && followed)) this.#showTab(newest?.id);
  }

  #showTab(tab: string | undefined): void {
    this.#page?.cast.remove(this);
    this.#page = tab === undefined ? undefined : this.#parts.view.page(tab);
    this.#page?.cast.add(this);
    this.#sendPageRequest();
  }

  #sendPageRequest(): void {
    const pageRequest = this.#page?.pageRequest ?? { dialog: undefined, files: undefined, field: undefined };
    const serialized = JSON.stringify(pageRequest);
    if (serialized !== this.#serialized) this.#send({ type: 'pageRequest', pageRequest });
    this.#serialized = serialized;
  }

  /** Restores the seat from before a reconnect, with control if the seat still has it. */
  #return(seat: string): void {
    const { control } = this.#parts.view.session;
    this.#seat = seat;
    control.reconnect(seat);
    this.tell('control');
  }

  #leave(): void {
    const { view } = this.#parts;
    clearTimeout(this.#idle);
    this.#page?.cast.remove(this);
    view.remove(this);
    if (!view.isTaken(this.#seat)) view.session.control.leave(this.#seat);
  }

  /** Stops reading from a viewer that does not read these messages. */
  #refuse(reason: string): void {
    const { socket } = this.#parts;
    sendWithBackpressure(socket, JSON.stringify({ type: 'refused', reason } satisfies ViewMessage), socket);
  }

  #send(update: ViewMessage): void {
    const { socket } = this.#parts;
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(update), () => this.#catchUp());
  }
}
