import type { ModelCall, ModelCallResult, ModelImage, ModelMessage } from '../model/model-client.ts';

/** What is shown of a page, in place of which a note may stand later. */
interface ShownPage {
  readonly text: string;
  /** The whole page, which what was shown before is no longer needed for. */
  readonly isWhole: boolean;
  /** What is in view, for a model that is shown it. */
  readonly picture?: ModelImage | undefined;
}

/** What the model answered. */
interface Answer {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly original: unknown;
}

/** Pages shown before are taken out when they have more characters than this together; for less a provider's cache is not given up. */
const WORTH_MASKING = 2000;
/** Told of a call that was not begun, or was ended in its midst. */
const UNFINISHED = 'Not brought to its end: the run was ended.';
const MASKED = 'What the page showed then is left out; it is shown anew below.';
/** Of what a model reads; by estimate. */
const CHARACTERS_PER_TOKEN = 4;
/** A picture has about as many tokens as so many characters. */
const CHARACTERS_PER_IMAGE = 6000;
/** Pictures that go with pages, before all but the newest are left out. */
const MOST_PICTURES = 4;

/**
 * The conversation with a model, to which things are only added, so that providers find its beginning in their caches.
 * Only when the whole page is shown anew, what was shown before may be left out, once and for good.
 */
export class Conversation {
  readonly #system: readonly ModelMessage[];
  /** The task of this run, which no later message replaces. */
  readonly #task: ModelMessage;
  /** Everything but the rules, the task among it. */
  #said: ModelMessage[];
  /** Places of pages in `#said` that are still there. */
  #shown: number[] = [];

  constructor(system: readonly ModelMessage[], task: ModelMessage, earlier: readonly ModelMessage[] = []) {
    this.#system = system;
    this.#task = task;
    this.#said = [...earlier.map(withoutMark).map(withoutOriginal), task];
  }

  /** All messages; the last is the one up to which a provider is told to keep them. */
  get messages(): readonly ModelMessage[] {
    const last = this.#said.at(-1);
    return [...this.#system, ...this.#said.slice(0, -1), ...(last ? [{ ...last, isStable: true }] : [])];
  }

  /** What was said besides the rules, for a run that goes on from here. */
  get said(): readonly ModelMessage[] {
    return this.#said.map(withoutMark);
  }

  /** How long it is, in tokens, by estimate. */
  get tokens(): number {
    return this.#said.reduce((sum, message) => sum + lengthOf(message), 0) / CHARACTERS_PER_TOKEN;
  }

  addAnswer({ text, calls, original }: Answer): void {
    this.#said.push({ role: 'assistant', text, calls, ...(original === undefined ? {} : { original }) });
  }

  addResults(results: readonly ModelCallResult[]): void {
    this.#said.push({ role: 'tool', text: '', results });
  }

  /** Ends a step whose results were not told, with those that there are: providers refuse calls that have none. */
  breakOff(results: readonly ModelCallResult[]): void {
    const { calls = [] } = this.#said.at(-1) ?? {};
    if (calls.length === 0) return;
    this.addResults(
      calls.map(
        ({ id, tool }) => results.find((result) => result.id === id) ?? { id, tool, text: UNFINISHED, isError: true },
      ),
    );
  }

  addWords(text: string, images: readonly ModelImage[] = []): void {
    this.#said.push({ role: 'user', text, ...(images.length > 0 && { images }) });
  }

  addPage({ text, isWhole, picture }: ShownPage): void {
    if (isWhole) this.#maskShown();
    this.#shown.push(this.#said.length);
    if (picture) this.#leaveOutPictures();
    this.#said.push({ role: 'user', text, ...(picture && { images: [picture] }) });
  }

  /** Puts what was said so far into these words, but for the last step; the page is to be shown anew after it. */
  compact(digest: string): void {
    const last = this.#said.findLastIndex(({ role }) => role === 'assistant');
    const step = last < 0 ? [] : this.#said.slice(last).filter(({ role }) => role !== 'user');
    this.#said = [this.#task, { role: 'user', text: digest }, ...step];
    this.#shown = [];
    this.#dropOriginals();
  }

  /** Old pictures show what is no longer so; leaving out several at once spares a provider's cache. */
  #leaveOutPictures(): void {
    const pictured = this.#said.flatMap(({ role, images }, place) => (role === 'user' && images ? [place] : []));
    if (pictured.length < MOST_PICTURES) return;
    for (const place of pictured) {
      const { images: _, ...words } = this.#said[place] ?? { role: 'user', text: '' };
      this.#said[place] = words;
    }
    this.#dropOriginals();
  }

  #maskShown(): void {
    const length = this.#shown.reduce((sum, place) => sum + (this.#said[place]?.text.length ?? 0), 0);
    if (length < WORTH_MASKING) return;
    for (const place of this.#shown) this.#said[place] = { role: 'user', text: MASKED };
    this.#shown = [];
    this.#dropOriginals();
  }

  /**
   * Signed thoughts are bound to all that was said before them: Anthropic refuses them once any of it is another. From here on the
   * answers are the plain calls that they held; what the model thinks next is bound to the conversation as it is now.
   */
  #dropOriginals(): void {
    this.#said = this.#said.map(withoutOriginal);
  }
}

function withoutMark({ isStable: _isStable, ...message }: ModelMessage): ModelMessage {
  return message;
}

/** The tools and rules of another run are others, which its thoughts are bound to. */
function withoutOriginal({ original: _original, ...message }: ModelMessage): ModelMessage {
  return message;
}

function lengthOf({ text, images = [], calls = [], results = [], original }: ModelMessage): number {
  const told = results.reduce((sum, result) => sum + lengthOfResult(result), images.length * CHARACTERS_PER_IMAGE);
  return text.length + told + JSON.stringify(original ?? calls).length;
}

function lengthOfResult({ text, images = [], provided }: ModelCallResult): number {
  return text.length + (images.length + (provided === undefined ? 0 : 1)) * CHARACTERS_PER_IMAGE;
}
