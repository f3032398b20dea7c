import { withTimeout } from '../util/with-timeout.ts';

/** One driver call in the platform's event log. Variable values are already masked. */
export interface SessionEvent {
  readonly kind: 'act' | 'observe' | 'extract' | 'agent' | 'navigate';
  /** The instruction or URL. */
  readonly title: string;
  /** A summary of the result, or the error message. */
  readonly outcome: string;
  readonly isFailed: boolean;
  readonly effect?: string;
  readonly cacheStatus?: 'HIT' | 'MISS';
  readonly modelCalls?: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly milliseconds?: number;
  /** When the call ended, in ISO 8601. */
  readonly time: string;
}

interface SenderSettings {
  readonly send: (events: readonly SessionEvent[]) => Promise<void>;
  /** Called once, for the first batch that cannot be sent. */
  readonly onFailure: (error: unknown) => void;
}

/** How long events are collected for one batch, in ms. */
const BATCH_MS = 1000;
const MAX_BATCH = 50;
/** Queued events. If the platform is slow, the oldest are dropped to bound memory. */
const MAX_WAITING = 500;
const LAST_SEND_MS = 2000;
const MAX_TITLE = 1000;
const MAX_OUTCOME = 2000;

/**
 * Sends a driver's events to the platform in batches. Driver calls neither wait for the platform nor fail because of
 * it.
 */
export class EventSender {
  readonly #settings: SenderSettings;
  readonly #waiting: SessionEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #hasFailed = false;

  constructor(settings: SenderSettings) {
    this.#settings = settings;
  }

  add(event: SessionEvent): void {
    this.#waiting.push({ ...event, title: cut(event.title, MAX_TITLE), outcome: cut(event.outcome, MAX_OUTCOME) });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS).unref();
  }

  /** Waits up to 2 s until the queued events are sent. */
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
