import { withTimeout } from '../util/with-timeout.ts';

/** A call of a driver as the platform's event log shows it. Variable values are already masked. */
export interface SessionEvent {
  readonly kind: 'act' | 'observe' | 'extract' | 'agent' | 'navigate';
  /** The instruction or URL. */
  readonly title: string;
  /** The result. */
  readonly outcome: string;
  readonly isFailed: boolean;
  readonly effect?: string;
  readonly cacheStatus?: 'HIT' | 'MISS';
  readonly modelCalls?: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly milliseconds?: number;
  /** When it ended. ISO 8601. */
  readonly time: string;
}

interface SenderSettings {
  readonly send: (events: readonly SessionEvent[]) => Promise<void>;
  /** Called once, the first time events cannot be sent. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds to collect events for one batch. */
const BATCH_MS = 1000;
const MAX_BATCH = 50;
/** Maximum number of queued events. With a slow platform the oldest are dropped, so memory stays bounded. */
const MAX_WAITING = 500;
const LAST_SEND_MS = 2000;
const MAX_TITLE = 1000;
const MAX_OUTCOME = 2000;

/** Sends a driver's events to the platform in batches. Calls neither wait for it nor fail because of it. */
export class EventSender {
  readonly #settings: SenderSettings;
  readonly #waiting: SessionEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #hasFailed = false;

  constructor(settings: SenderSettings) {
    this.#settings = settings;
  }

  /** Queues an event. */
  add(event: SessionEvent): void {
    this.#waiting.push({ ...event, title: cut(event.title, MAX_TITLE), outcome: cut(event.outcome, MAX_OUTCOME) });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS).unref();
  }

  /** Sends queued events unless that takes too long. */
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

/** Never splits a surrogate pair. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
