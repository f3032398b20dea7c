import type { ModelCall, ModelCallResult, ModelMessage } from '../model/model-client.ts';

/** What is shown of a page, in place of which a note may stand later. */
interface ShownPage {
  readonly text: string;
  /** The whole page, which what was shown before is no longer needed for. */
  readonly isWhole: boolean;
}

/** What the model answered. */
interface Answer {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly original: unknown;
}

/** Pages shown before are taken out when they have more characters than this together; for less a provider's cache is not given up. */
const WORTH_MASKING = 8000;
const MASKED = 'What the page showed then is left out; it is shown anew below.';

/**
 * The conversation with a model, to which things are only added, so that providers find its beginning in their caches.
 * Only when the whole page is shown anew, what was shown before may be left out, once and for good.
 */
export class Conversation {
  readonly #beginning: readonly ModelMessage[];
  readonly #later: ModelMessage[] = [];
  /** Places of pages in `#later` that are still there. */
  #shown: number[] = [];

  constructor(beginning: readonly ModelMessage[]) {
    this.#beginning = beginning;
  }

  /** All messages; the last is the one up to which a provider is told to keep them. */
  get messages(): readonly ModelMessage[] {
    const last = this.#later.at(-1);
    return last ? [...this.#beginning, ...this.#later.slice(0, -1), { ...last, isStable: true }] : this.#beginning;
  }

  /** What was said since the beginning. */
  get later(): readonly ModelMessage[] {
    return this.#later;
  }

  addAnswer({ text, calls, original }: Answer): void {
    this.#later.push({ role: 'assistant', text, calls, ...(original === undefined ? {} : { original }) });
  }

  addResults(results: readonly ModelCallResult[]): void {
    this.#later.push({ role: 'tool', text: '', results });
  }

  addWords(text: string): void {
    this.#later.push({ role: 'user', text });
  }

  addPage({ text, isWhole }: ShownPage): void {
    if (isWhole) this.#maskShown();
    this.#shown.push(this.#later.length);
    this.#later.push({ role: 'user', text });
  }

  #maskShown(): void {
    const length = this.#shown.reduce((sum, place) => sum + (this.#later[place]?.text.length ?? 0), 0);
    if (length < WORTH_MASKING) return;
    for (const place of this.#shown) this.#later[place] = { role: 'user', text: MASKED };
    this.#shown = [];
  }
}
