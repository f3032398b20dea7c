import type { ViewNews, ViewRequest } from '../view/view-wire.ts';

/** What is told of the socket of a live view. */
export interface LiveListener {
  onNews(news: ViewNews): void;
  onPicture(picture: Blob): void;
  /** The socket is gone: for good, or until it is back. */
  onLoss(reason: string, isOver: boolean): void;
}

/** The codes with which the server ends a socket for good. */
const FINAL_CODES: readonly number[] = [4001, 4003];
const MOST_TRIES = 8;
const PAUSE_MS = 1500;

/** The socket of a live view, which is opened anew when it is lost. */
export class LiveSocket {
  readonly #url: string;
  readonly #listener: LiveListener;
  #socket: WebSocket | undefined;
  #tries = 0;

  constructor(sessionId: string, listener: LiveListener) {
    const { protocol, host } = location;
    this.#url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/v1/sessions/${sessionId}/live`;
    this.#listener = listener;
    this.#open();
  }

  send(request: ViewRequest): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
  }

  #open(): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener('open', () => (this.#tries = 0));
    socket.addEventListener('message', ({ data }: MessageEvent<string | Blob>) => {
      if (typeof data === 'string') this.#listener.onNews(JSON.parse(data) as ViewNews);
      else this.#listener.onPicture(data);
    });
    socket.addEventListener('close', ({ code, reason }) => this.#lose(code, reason));
  }

  #lose(code: number, reason: string): void {
    this.#tries += 1;
    const isOver = FINAL_CODES.includes(code) || this.#tries > MOST_TRIES;
    this.#listener.onLoss(reason || 'The connection was lost.', isOver);
    if (!isOver) setTimeout(() => this.#open(), PAUSE_MS);
  }
}
