import type { ViewMessage, ViewRequest } from '../view/view-wire.ts';

export interface LiveListener {
  onUpdate(update: ViewMessage): void;
  onPicture(picture: Blob): void;
  /**
   * `over`: the session has ended or the server rejected a message; `given up`: too many retries; `undefined`: will
   * reconnect.
   */
  onLoss(reason: string, end: 'over' | 'given up' | undefined): void;
}

/** Close codes after which the dashboard must not reconnect. */
const FINAL_CODES: readonly number[] = [4001, 4003];
/** About 2 minutes in total, enough for a server restart or a train tunnel. */
const MAX_TRIES = 20;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/**
 * Reconnecting socket of a live view. An operator who reconnects within 15 s keeps control, unless another one has
 * taken it.
 */
export class LiveSocket {
  readonly #url: string;
  readonly #listener: LiveListener;
  #socket: WebSocket | undefined;
  #next: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  /** Key of the seat in sessionStorage, which survives a reload: phones reload tabs that were hidden for a while. */
  readonly #seatName: string;

  constructor(sessionId: string, listener: LiveListener) {
    const { protocol, host } = location;
    this.#url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/v1/sessions/${sessionId}/live`;
    this.#listener = listener;
    this.#seatName = `seat-${sessionId}`;
    // The device woke up, or the network is back.
    addEventListener('online', () => this.#hurry());
    document.addEventListener('visibilitychange', () => this.#hurry());
    this.#open();
  }

  send(request: ViewRequest): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
  }

  /** Connects again after the retries have ended. */
  open(): void {
    this.#tries = 0;
    this.#open();
  }

  /** Retries immediately if a retry is pending: the server may be reachable again. */
  #hurry(): void {
    if (this.#next !== undefined && !document.hidden) this.open();
  }

  #open(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener('message', ({ data }: MessageEvent<string | Blob>) => {
      if (typeof data === 'string') this.#take(JSON.parse(data) as ViewMessage);
      else this.#listener.onPicture(data);
    });
    socket.addEventListener('close', ({ code, reason }) => this.#lose(code, reason));
  }

  #take(update: ViewMessage): void {
    if (update.type === 'hello') {
      this.#tries = 0;
      const seat = sessionStorage.getItem(this.#seatName);
      if (seat === null) sessionStorage.setItem(this.#seatName, update.seat);
      else if (update.mayControl) this.send({ type: 'return', seat });
    }
    this.#listener.onUpdate(update);
  }

  #lose(code: number, reason: string): void {
    this.#tries += 1;
    const isOver = FINAL_CODES.includes(code);
    const isGivenUp = this.#tries > MAX_TRIES;
    this.#listener.onLoss(reason || 'The connection was lost.', isOver ? 'over' : isGivenUp ? 'given up' : undefined);
    if (isOver || isGivenUp) return;
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** (this.#tries - 1), LONGEST_PAUSE_MS);
    this.#next = setTimeout(() => this.#open(), ms);
  }
}
