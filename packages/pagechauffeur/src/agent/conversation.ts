import { countImages, keepNewestImages } from '../model/message-images.ts';
import type { ModelCall, ModelCallResult, ModelImage, ModelMessage } from '../model/model-client.ts';
import { LEFT_OUT, withoutOldImages } from './old-images.ts';

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
  /** See {@link ModelMessage.isOriginalBound}. */
  readonly isOriginalBound?: boolean | undefined;
}

/** Pages shown before are taken out when they have more characters than this together; for less a provider's cache is not given up. */
const WORTH_MASKING = 2000;
/** The same for a request that may be the last one: there is nothing after it for which a cache would help. */
const WORTH_MASKING_AT_END = 800;
/** Told of a call that was not begun, or was ended in its midst. */
const UNFINISHED = 'Not brought to its end: the run was ended.';
const MASKED = 'What the page showed then is left out; it is shown anew below.';
/** In place of a page that is not shown anew in the next message, but after the next action. */
const LEFT_TO_FIND = 'What the page showed then is left out. read finds lines of it.';
/** Of what a model reads; by estimate. */
const CHARACTERS_PER_TOKEN = 4;
/** A picture has about as many tokens as so many characters. */
const CHARACTERS_PER_IMAGE = 6000;

/**
 * The conversation with a model, to which things are only added, so that providers find its beginning in their caches.
 * Two things are left out later, once and for good: pages shown before, when the whole page is shown anew or no longer needed, and old pictures.
 */
export class Conversation {
  #system: readonly ModelMessage[];
  /** The task of this run, which no later message replaces. */
  readonly #task: ModelMessage;
  /** Everything but the rules, the task among it. */
  #said: ModelMessage[];
  /** Messages of `#said` that show a page. */
  readonly #shown = new Set<ModelMessage>();

  constructor(system: readonly ModelMessage[], task: ModelMessage, earlier: readonly ModelMessage[] = []) {
    this.#system = system;
    this.#task = task;
    this.#said = [...keepNewestImages(earlier, 0, LEFT_OUT).map(withoutMark).map(withoutOriginal), task];
  }

  /** All messages. A provider is told to keep them up to the last one, and up to the first picture, which will be left out later. */
  get messages(): readonly ModelMessage[] {
    const firstImage = this.#said.findIndex((message) => countImages([message]) > 0);
    const stable = new Set([firstImage - 1, this.#said.length - 1]);
    const said = this.#said.map((message, place) => (stable.has(place) ? { ...message, isStable: true } : message));
    return [...this.#system, ...said];
  }

  /** What was said besides the rules, for a run that goes on from here. */
  get said(): readonly ModelMessage[] {
    return this.#said.map(withoutMark);
  }

  /** How long it is, in tokens, by estimate. */
  get tokens(): number {
    return this.#said.reduce((sum, message) => sum + lengthOf(message), 0) / CHARACTERS_PER_TOKEN;
  }

  /** Has other rules from now on. */
  instruct(system: readonly ModelMessage[]): void {
    this.#system = system;
    this.#dropOriginals();
  }

  /** Has said this instead of what it gave as `said`. */
  replace(said: readonly ModelMessage[], messages: readonly ModelMessage[]): void {
    const place = new Map(said.map((message, index) => [message, index]));
    const isOnlyMore = said.every((message, index) => messages[index] === message);
    this.#said = messages.map((message) => this.#said[place.get(message) ?? -1] ?? message);
    if (!isOnlyMore) this.#dropOriginals();
  }

  addAnswer({ text, calls, original, isOriginalBound = true }: Answer): void {
    const signed = original === undefined ? {} : { original, isOriginalBound };
    this.#add({ role: 'assistant', text, calls, ...signed });
  }

  addResults(results: readonly ModelCallResult[]): void {
    this.#add({ role: 'tool', text: '', results });
  }

  /** Ends a step whose results were not told, with those that there are: providers refuse calls that have none. */
  finish(results: readonly ModelCallResult[]): void {
    const { calls = [] } = this.#said.at(-1) ?? {};
    if (calls.length === 0) return;
    this.addResults(
      calls.map(
        ({ id, tool }) => results.find((result) => result.id === id) ?? { id, tool, text: UNFINISHED, isError: true },
      ),
    );
  }

  addWords(text: string, images: readonly ModelImage[] = []): void {
    this.#add({ role: 'user', text, ...(images.length > 0 && { images }) });
  }

  /** Leaves out what pages showed: the model only has to say whether what changed since is what it expected. */
  leavePagesOut(): void {
    this.#maskShown(LEFT_TO_FIND, WORTH_MASKING_AT_END);
  }

  addPage({ text, isWhole, picture }: ShownPage): void {
    if (isWhole) this.#maskShown(MASKED, WORTH_MASKING);
    const page: ModelMessage = { role: 'user', text, ...(picture && { images: [picture] }) };
    this.#shown.add(page);
    this.#add(page);
  }

  /** Puts what was said so far into these words, but for the last step; the page is to be shown anew after it. */
  compact(digest: string): void {
    const last = this.#said.findLastIndex(({ role }) => role === 'assistant');
    const step = last < 0 ? [] : this.#said.slice(last).filter(({ role }) => role !== 'user');
    this.#said = [this.#task, { role: 'user', kind: 'digest', text: digest }, ...step];
    this.#shown.clear();
    this.#dropOriginals();
  }

  #add(message: ModelMessage): void {
    this.#said.push(message);
    const replacements = withoutOldImages(this.#said);
    if (replacements.size === 0) return;
    this.#said = this.#said.flatMap((old) => replacements.get(old) ?? [old]);
    for (const page of this.#shown) {
      const [now] = replacements.get(page) ?? [];
      if (!now) continue;
      this.#shown.delete(page);
      this.#shown.add(now);
    }
    this.#dropOriginals();
  }

  #maskShown(note: string, leastLength: number): void {
    const length = [...this.#shown].reduce((sum, { text }) => sum + text.length, 0);
    if (length < leastLength) return;
    this.#said = this.#said.map((message) => (this.#shown.has(message) ? { role: 'user', text: note } : message));
    this.#shown.clear();
    this.#dropOriginals();
  }

  /**
   * Signed thoughts may be bound to all that was said before them: Anthropic refuses them once any of it is another. From here on such
   * answers are the plain calls that they held; what the model thinks next is bound to the conversation as it is now.
   */
  #dropOriginals(): void {
    this.#said = this.#said.map((message) => (message.isOriginalBound === false ? message : withoutOriginal(message)));
  }
}

function withoutMark({ isStable: _isStable, ...message }: ModelMessage): ModelMessage {
  return message;
}

/** The tools and rules of another run are others, which its thoughts are bound to. */
function withoutOriginal(message: ModelMessage): ModelMessage {
  const { original, isOriginalBound: _isOriginalBound, ...plain } = message;
  return original === undefined ? message : plain;
}

function lengthOf({ text, images = [], calls = [], results = [], original }: ModelMessage): number {
  const added = results.reduce((sum, result) => sum + lengthOfResult(result), images.length * CHARACTERS_PER_IMAGE);
  return text.length + added + JSON.stringify(original ?? calls).length;
}

function lengthOfResult({ text, images = [], provided }: ModelCallResult): number {
  return text.length + (images.length + (provided === undefined ? 0 : 1)) * CHARACTERS_PER_IMAGE;
}
