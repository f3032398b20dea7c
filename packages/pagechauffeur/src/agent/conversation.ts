import { countDistinctImages, countImages, keepNewestImages } from '../model/message-images.ts';
import type { ModelCall, ModelCallResult, ModelImage, ModelMessage } from '../model/model-client.ts';

interface ShownPage {
  readonly text: string;
  /** True for the whole page, false for changes. */
  readonly isWhole: boolean;
  readonly picture?: ModelImage | undefined;
}

interface Answer {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly original: unknown;
  /** See {@link ModelMessage.isOriginalBound}. */
  readonly isOriginalBound?: boolean | undefined;
}

/**
 * Minimum length in characters of the pages to remove. Changing earlier messages invalidates the provider's prompt
 * cache, which costs more than keeping short pages.
 */
const MIN_MASKED_LENGTH = 2000;
/** The same minimum before the likely last request. No later request needs the cache. */
const MIN_MASKED_LENGTH_AT_END = 800;
/** Result for a call that has none. Providers reject calls without a result. */
const UNFINISHED = 'Not finished: the run ended.';
const OMITTED = 'The earlier page content is omitted; the page is shown again below.';
/** Replaces a page if the next message contains only changes. */
const OMITTED_AT_END = 'The earlier page content is omitted. Call read to find its lines.';
/** Estimate for plain text. */
const CHARACTERS_PER_TOKEN = 4;
/** Estimate: 1500 tokens per image. */
const CHARACTERS_PER_IMAGE = 6000;

/**
 * The conversation with a model. Usually only appends messages, so that providers can cache its start. Removes old
 * images, and earlier pages when a whole page follows or when the run is about to end.
 */
export class Conversation {
  #system: readonly ModelMessage[];
  /** Stays in the conversation after {@link compact}. */
  readonly #task: ModelMessage;
  /** All messages except the system messages. */
  #history: ModelMessage[];
  /** The messages in `#history` that {@link addPage} added. */
  readonly #shown = new Set<ModelMessage>();

  constructor(system: readonly ModelMessage[], task: ModelMessage, earlier: readonly ModelMessage[] = []) {
    this.#system = system;
    this.#task = task;
    this.#history = [...keepNewestImages(earlier, 0, LEFT_OUT_IMAGE).map(withoutMark).map(withoutOriginal), task];
  }

  /**
   * All messages. Marks the last one as cacheable, and the last one before the first image, because that image will be
   * removed.
   */
  get messages(): readonly ModelMessage[] {
    const firstImage = this.#history.findIndex((message) => countImages([message]) > 0);
    const stable = new Set([firstImage - 1, this.#history.length - 1]);
    const history = this.#history.map((message, place) =>
      stable.has(place) ? { ...message, isStable: true } : message,
    );
    return [...this.#system, ...history];
  }

  /** The conversation without system messages and cache marks, for a later run. */
  get history(): readonly ModelMessage[] {
    return this.#history.map(withoutMark);
  }

  get tokens(): number {
    return this.#history.reduce((sum, message) => sum + lengthOf(message), 0) / CHARACTERS_PER_TOKEN;
  }

  /** Replaces the system messages. */
  instruct(system: readonly ModelMessage[]): void {
    this.#system = system;
    this.#dropOriginals();
  }

  /**
   * Replaces the conversation. `history` must come from the getter of that name, so that unchanged messages keep their
   * originals.
   */
  replace(history: readonly ModelMessage[], messages: readonly ModelMessage[]): void {
    const place = new Map(history.map((message, index) => [message, index]));
    const isAppendOnly = history.every((message, index) => messages[index] === message);
    this.#history = messages.map((message) => this.#history[place.get(message) ?? -1] ?? message);
    if (!isAppendOnly) this.#dropOriginals();
  }

  addAnswer({ text, calls, original, isOriginalBound = true }: Answer): void {
    const signed = original === undefined ? {} : { original, isOriginalBound };
    this.#add({ role: 'assistant', text, calls, ...signed });
  }

  addResults(results: readonly ModelCallResult[]): void {
    this.#add({ role: 'tool', text: '', results });
  }

  /** Completes the last step of a run that ended early. */
  finish(results: readonly ModelCallResult[]): void {
    const { calls = [] } = this.#history.at(-1) ?? {};
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

  /** Removes earlier pages after the model has called `done`, because the model only has to judge the changes. */
  removePages(): void {
    this.#maskShown(OMITTED_AT_END, MIN_MASKED_LENGTH_AT_END);
  }

  addPage({ text, isWhole, picture }: ShownPage): void {
    if (isWhole) this.#maskShown(OMITTED, MIN_MASKED_LENGTH);
    const page: ModelMessage = { role: 'user', text, ...(picture && { images: [picture] }) };
    this.#shown.add(page);
    this.#add(page);
  }

  /** Replaces all steps but the last with a digest. The caller must add the page again. */
  compact(digest: string): void {
    const last = this.#history.findLastIndex(({ role }) => role === 'assistant');
    const step = last < 0 ? [] : this.#history.slice(last).filter(({ role }) => role !== 'user');
    this.#history = [this.#task, { role: 'user', kind: 'digest', text: digest }, ...step];
    this.#shown.clear();
    this.#dropOriginals();
  }

  #add(message: ModelMessage): void {
    this.#history.push(message);
    const replacements = withoutOldImages(this.#history);
    if (replacements.size === 0) return;
    this.#history = this.#history.flatMap((old) => replacements.get(old) ?? [old]);
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
    this.#history = this.#history.map((message) => (this.#shown.has(message) ? { role: 'user', text: note } : message));
    this.#shown.clear();
    this.#dropOriginals();
  }

  /**
   * Drops reasoning that the provider bound to earlier messages. Anthropic rejects such reasoning after any of them has
   * changed.
   */
  #dropOriginals(): void {
    this.#history = this.#history.map((message) =>
      message.isOriginalBound === false ? message : withoutOriginal(message),
    );
  }
}

/** Maximum number of images in a request. Those from the latest step are always kept. */
const MAX_IMAGES = 2;
const LEFT_OUT_IMAGE = '(This screenshot is now omitted.)';

type Replacements = Map<ModelMessage, readonly ModelMessage[]>;

/** Returns replacements for the messages that lose images. */
function withoutOldImages(history: readonly ModelMessage[]): ReadonlyMap<ModelMessage, readonly ModelMessage[]> {
  const replacements: Replacements = new Map();
  const newest = history.findLastIndex(({ role }) => role === 'assistant');
  const earlier = history.slice(0, Math.max(newest, 0));
  const room = Math.max(0, MAX_IMAGES - countDistinctImages(history.slice(earlier.length)));
  for (const [place, kept] of keepNewestImages(earlier, room, LEFT_OUT_IMAGE).entries()) {
    const message = earlier[place];
    if (!message || message === kept) continue;
    replacements.set(message, [kept]);
    replaceProvided(replacements, { calling: earlier[place - 1], message, kept });
  }
  return replacements;
}

interface ImagelessStep {
  /** The response that requested the calls. */
  readonly calling: ModelMessage | undefined;
  readonly message: ModelMessage;
  /** `message` without old images. */
  readonly kept: ModelMessage;
}

/**
 * Converts a computer call and its result to text if the result has lost its image. Providers reject a computer result
 * without an image.
 */
function replaceProvided(replacements: Replacements, { calling, message, kept }: ImagelessStep): void {
  const { results = [] } = kept;
  const lost = results.filter((result, index) => isProvided(message.results?.[index]) && !isProvided(result));
  if (lost.length === 0 || !calling) return;
  const ids = new Set(lost.map(({ id }) => id));
  const others = results.filter(({ id }) => !ids.has(id));
  replacements.set(calling, withoutCalls(calling, ids));
  replacements.set(message, [
    ...(others.length > 0 ? [{ ...kept, results: others }] : []),
    { role: 'user', text: lost.map((result) => describeCall(calling, result)).join('\n') },
  ]);
}

function isProvided(result: ModelCallResult | undefined): boolean {
  return result?.provided !== undefined;
}

function withoutCalls(answer: ModelMessage, ids: ReadonlySet<string>): readonly ModelMessage[] {
  const { original: _original, isOriginalBound: _isOriginalBound, calls = [], ...rest } = answer;
  const others = calls.filter(({ id }) => !ids.has(id));
  if (others.length === 0 && answer.text === '') return [];
  return [{ ...rest, ...(others.length > 0 && { calls: others }) }];
}

function describeCall({ calls = [] }: ModelMessage, { id, tool, text }: ModelCallResult): string {
  const { input } = calls.find((call) => call.id === id) ?? {};
  return `You called ${tool}: ${JSON.stringify(input)}\n${text}`;
}

function withoutMark({ isStable: _isStable, ...message }: ModelMessage): ModelMessage {
  return message;
}

/** Removes the provider's own form of a message. It can be invalid with other rules, tools or earlier messages. */
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
