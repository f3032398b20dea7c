import { countDistinctImages, countImages, keepNewestImages } from '../model/message-images.ts';
import type { ModelCall, ModelCallResult, ModelImage, ModelMessage } from '../model/model-client.ts';

/** A page in the conversation. A later message can replace it with a note. */
interface ShownPage {
  readonly text: string;
  /** True for a whole page, which makes earlier pages unnecessary. */
  readonly isWhole: boolean;
  /** Screenshot of the viewport, for models that accept one. */
  readonly picture?: ModelImage | undefined;
}

/** A response of the model. */
interface Answer {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly original: unknown;
  /** See {@link ModelMessage.isOriginalBound}. */
  readonly isOriginalBound?: boolean | undefined;
}

/**
 * Earlier pages are removed only if they have at least this many characters. Removing less does not make up for the
 * loss of the provider's prompt cache.
 */
const WORTH_MASKING = 2000;
/** The same limit for a request that is probably the last one. No later request needs the prompt cache. */
const WORTH_MASKING_AT_END = 800;
/** Result for a call that did not start or did not finish. */
const UNFINISHED = 'Not finished: the run ended.';
const MASKED = 'The earlier page content is omitted; the page is shown again below.';
/** Replaces a page that the next message does not show again. */
const LEFT_TO_FIND = 'The earlier page content is omitted. Call read to find its lines.';
/** Estimated characters per token of text. */
const CHARACTERS_PER_TOKEN = 4;
/** Estimated size of an image, as a number of characters. */
const CHARACTERS_PER_IMAGE = 6000;

/**
 * The conversation with a model. Messages are appended, so that providers can cache the start of the conversation.
 * There are two exceptions: old images are removed, and earlier pages are removed once a whole page is shown again or
 * they are no longer needed.
 */
export class Conversation {
  #system: readonly ModelMessage[];
  /** The task of this run. It stays when the conversation is summarized. */
  readonly #task: ModelMessage;
  /** All messages except the rules, including the task. */
  #said: ModelMessage[];
  /** Messages of `#said` that contain a page. */
  readonly #shown = new Set<ModelMessage>();

  constructor(system: readonly ModelMessage[], task: ModelMessage, earlier: readonly ModelMessage[] = []) {
    this.#system = system;
    this.#task = task;
    this.#said = [...keepNewestImages(earlier, 0, LEFT_OUT_IMAGE).map(withoutMark).map(withoutOriginal), task];
  }

  /**
   * All messages. Marks two cache points: the last message, and the one before the first image, because that image will
   * be removed later.
   */
  get messages(): readonly ModelMessage[] {
    const firstImage = this.#said.findIndex((message) => countImages([message]) > 0);
    const stable = new Set([firstImage - 1, this.#said.length - 1]);
    const said = this.#said.map((message, place) => (stable.has(place) ? { ...message, isStable: true } : message));
    return [...this.#system, ...said];
  }

  /** Messages without the rules, for a run that continues this one. */
  get said(): readonly ModelMessage[] {
    return this.#said.map(withoutMark);
  }

  /** Estimated length in tokens. */
  get tokens(): number {
    return this.#said.reduce((sum, message) => sum + lengthOf(message), 0) / CHARACTERS_PER_TOKEN;
  }

  /** Replaces the rules. */
  instruct(system: readonly ModelMessage[]): void {
    this.#system = system;
    this.#dropOriginals();
  }

  /** Replaces the conversation. `said` is the conversation that the `said` getter returned before. */
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

  /** Adds the available results of an unfinished step. Providers reject calls without results. */
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

  /** Removes pages from the conversation. The model only has to judge what has changed since. */
  leavePagesOut(): void {
    this.#maskShown(LEFT_TO_FIND, WORTH_MASKING_AT_END);
  }

  addPage({ text, isWhole, picture }: ShownPage): void {
    if (isWhole) this.#maskShown(MASKED, WORTH_MASKING);
    const page: ModelMessage = { role: 'user', text, ...(picture && { images: [picture] }) };
    this.#shown.add(page);
    this.#add(page);
  }

  /**
   * Replaces the conversation so far with a digest, except for the last step. The page must be added again afterwards.
   */
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
   * Converts responses with signed reasoning to plain calls. Such reasoning can be bound to all earlier messages, and
   * Anthropic rejects it after any of them has changed. New reasoning is bound to the conversation as it is then.
   */
  #dropOriginals(): void {
    this.#said = this.#said.map((message) => (message.isOriginalBound === false ? message : withoutOriginal(message)));
  }
}

/** Number of images that a request keeps, unless the latest step has added more. Older ones are outdated. */
const MAX_IMAGES = 2;
/** Text that replaces a removed image. */
const LEFT_OUT_IMAGE = '(This screenshot is now omitted.)';

type Replacements = Map<ModelMessage, readonly ModelMessage[]>;

/** Returns the replacements for messages with images of earlier steps. */
function withoutOldImages(said: readonly ModelMessage[]): ReadonlyMap<ModelMessage, readonly ModelMessage[]> {
  const replacements: Replacements = new Map();
  const newest = said.findLastIndex(({ role }) => role === 'assistant');
  const earlier = said.slice(0, Math.max(newest, 0));
  const room = Math.max(0, MAX_IMAGES - countDistinctImages(said.slice(earlier.length)));
  for (const [place, kept] of keepNewestImages(earlier, room, LEFT_OUT_IMAGE).entries()) {
    const message = earlier[place];
    if (!message || message === kept) continue;
    replacements.set(message, [kept]);
    replaceProvided(replacements, { calling: earlier[place - 1], message, kept });
  }
  return replacements;
}

interface ImagelessStep {
  /** The model's response that requested the calls. */
  readonly calling: ModelMessage | undefined;
  readonly message: ModelMessage;
  /** The message without outdated images. */
  readonly kept: ModelMessage;
}

/**
 * Converts a call and its result to text if the result has lost its image. The result of a provider's own tool must
 * have an image.
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
    { role: 'user', text: lost.map((result) => callInWords(calling, result)).join('\n') },
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

function callInWords({ calls = [] }: ModelMessage, { id, tool, text }: ModelCallResult): string {
  const { input } = calls.find((call) => call.id === id) ?? {};
  return `You called ${tool}: ${JSON.stringify(input)}\n${text}`;
}

function withoutMark({ isStable: _isStable, ...message }: ModelMessage): ModelMessage {
  return message;
}

/** Removes signed reasoning. It is bound to the tools and rules of its run, and those of the next run can differ. */
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
