import { withTimeout } from '../util/with-timeout.ts';

/** Something that a driver did, as the platform shows it to people. Values of variables are masked before. */
export interface SessionEvent {
  readonly kind: 'act' | 'observe' | 'extract' | 'agent' | 'navigate';
  /** What was asked for. */
  readonly title: string;
  /** What came of it. */
  readonly outcome: string;
  readonly isFailed: boolean;
  readonly effect?: string;
  readonly cacheStatus?: 'HIT' | 'MISS';
  readonly modelCalls?: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly milliseconds?: number;
  /** When it ended, ISO 8601. */
  readonly time: string;
}

interface SenderSettings {
  readonly send: (events: readonly SessionEvent[]) => Promise<void>;
  /** Told once, the first time that events could not be sent. */
  readonly onFailure: (error: unknown) => void;
}

/** Events wait so long for others to go with them. */
const BATCH_MS = 1000;
const MAX_BATCH = 50;
/** What waits above this is left out, oldest first: a platform that is slow costs its log, and no memory. */
const MAX_WAITING = 500;
const LAST_SEND_MS = 2000;
const MAX_TITLE = 1000;
const MAX_OUTCOME = 2000;

/** Tells the platform what a driver does, in batches and beside the calls: none waits for it, none fails by it. */
export class EventSender {
  readonly #settings: SenderSettings;
  readonly #waiting: SessionEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #hasFailed = false;

  constructor(settings: SenderSettings) {
    this.#settings = settings;
  }

  /** Takes an event, to be sent soon. */
  add(event: SessionEvent): void {
    this.#waiting.push({ ...event, title: cut(event.title, MAX_TITLE), outcome: cut(event.outcome, MAX_OUTCOME) });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS).unref();
  }

  /** Sends what waits, if that does not take long. */
  async close(): Promise<void> {
    this.#flush();
    if (this.#sending) await withTimeout(LAST_SEND_MS, this.#sending);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#settings.send(batch);
      } catch (error) {
        if (!this.#hasFailed) this.#settings.onFailure(error);
        this.#hasFailed = true;
      }
    }
  }
}

/** By characters, so that none is cut in two. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
