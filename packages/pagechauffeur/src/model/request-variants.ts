import { isFaultyImage, type Rejection } from './ai-sdk-errors.ts';
import { countImages, keepNewestImages } from './message-images.ts';
import type { ModelRequest } from './model-client.ts';

/**
 * How a model is told the shape of its answer: by the provider's structured output, by the prompt besides where the
 * provider seems to pay no attention to that, by the prompt alone where it rejects it.
 */
export type SchemaChannel = 'provider' | 'both' | 'prompt';

/** One way to ask a question. */
export interface RequestVariant {
  readonly channel: SchemaChannel;
  /** How many of its pictures go with it, the newest. */
  readonly mostImages: number;
}

/** Stands in a question where a picture was left out, so that the model does not look for it. */
const UNSEEN = '(A picture is left out here: you cannot be shown it.)';

const SEES_NONE = 'it sees no pictures, so all are left out.';
const SEES_ONE = 'it sees one picture at a time, so older ones are left out.';

/** What one model takes, as its user says or as is learnt from what its provider rejects. */
export class RequestVariants {
  channel: SchemaChannel = 'provider';
  #mostImages: number;
  /** What the user is warned of when pictures are left out. */
  #warning = SEES_NONE;

  constructor({ takesImages = true }: { readonly takesImages?: boolean | undefined }) {
    this.#mostImages = takesImages ? Number.POSITIVE_INFINITY : 0;
  }

  /** Whether the model is known to see no pictures. */
  get leavesOutImages(): boolean {
    return this.#mostImages === 0;
  }

  /** The way in which the next question is asked. */
  get current(): RequestVariant {
    return { channel: this.channel, mostImages: this.#mostImages };
  }

  /** A question as it is asked in one way. */
  question({ mostImages }: RequestVariant, request: ModelRequest): ModelRequest {
    return imagesToLose(request) <= mostImages
      ? request
      : { ...request, messages: keepNewestImages(request.messages, mostImages, UNSEEN) };
  }

  /** What the user is warned of when a question is asked in the current way. */
  warnings(request: ModelRequest): readonly string[] {
    return imagesToLose(request) > this.#mostImages ? [this.#warning] : [];
  }

  /** The ways that are left for a question that was rejected in one, the likeliest first. */
  besides(
    { channel, mostImages }: RequestVariant,
    { rejection, request }: { readonly rejection: Rejection | undefined; readonly request: ModelRequest },
  ): readonly RequestVariant[] {
    if (!rejection) return [];
    const inWords: readonly SchemaChannel[] = channel === 'prompt' || hasProvided(request) ? [] : ['prompt'];
    const sent = Math.min(mostImages, imagesToLose(request));
    // Some servers take one picture in a request, and no more.
    const fewer = (rejection.isOfImages ? [1, 0] : [0]).filter((most) => most < sent);
    const withFewer = [channel, ...inWords].flatMap((other) =>
      fewer.map((most) => ({ channel: other, mostImages: most })),
    );
    if (rejection.isOfImages && withFewer.length > 0) return withFewer;
    return rejection.isOfQuestion ? [...inWords.map((other) => ({ channel: other, mostImages })), ...withFewer] : [];
  }

  /** Notes that a question which was rejected, with these words, in one way was answered in another. Returns what the user is warned of. */
  learn(rejected: RequestVariant, worked: RequestVariant, said: string): readonly string[] {
    if (rejected.channel !== worked.channel) this.channel = worked.channel;
    if (rejected.mostImages === worked.mostImages) return [];
    if (isFaultyImage(said)) return [`pictures of a question were refused and left out: ${said}`];
    this.#mostImages = worked.mostImages;
    this.#warning = `${worked.mostImages === 0 ? SEES_NONE : SEES_ONE} The provider says: ${said}`;
    return [this.#warning];
  }
}

/** Whether a request has a tool of the provider's own. */
export function hasProvided({ tools = [] }: ModelRequest): boolean {
  return tools.some(({ provided }) => provided);
}

/** A model that uses the computer works by nothing but pictures. */
function imagesToLose(request: ModelRequest): number {
  return hasProvided(request) ? 0 : countImages(request.messages);
}
