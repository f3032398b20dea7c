import { isFaultyImage, type Rejection } from './ai-sdk-errors.ts';
import { countImages, keepNewestImages } from './message-images.ts';
import type { ModelRequest } from './model-client.ts';

/**
 * How the model receives the schema of the response: by structured output, also in the prompt if the provider seems to
 * ignore it, or only in the prompt if the provider rejects it.
 */
export type SchemaChannel = 'provider' | 'both' | 'prompt';

/** A variant of a request. */
export interface RequestVariant {
  readonly channel: SchemaChannel;
  /** How many of the newest images are sent. */
  readonly mostImages: number;
}

/** Replaces a removed image, so that the model does not expect one. */
const UNSEEN = '(An image is omitted here, because you cannot view images.)';

const SEES_NONE = 'it has no vision, so all images are omitted.';
const SEES_ONE = 'it accepts one image per request, so older ones are omitted.';

/** The capabilities of a model, from the user's options or learned from rejections. */
export class RequestVariants {
  channel: SchemaChannel = 'provider';
  #mostImages: number;
  /** Warning for the user about removed images. */
  #warning = SEES_NONE;

  constructor({ takesImages = true }: { readonly takesImages?: boolean | undefined }) {
    this.#mostImages = takesImages ? Number.POSITIVE_INFINITY : 0;
  }

  /** True if the model is known not to accept images. */
  get leavesOutImages(): boolean {
    return this.#mostImages === 0;
  }

  /** The variant for the next request. */
  get current(): RequestVariant {
    return { channel: this.channel, mostImages: this.#mostImages };
  }

  /** Returns a request in one variant. */
  question({ mostImages }: RequestVariant, request: ModelRequest): ModelRequest {
    return imagesToLose(request) <= mostImages
      ? request
      : { ...request, messages: keepNewestImages(request.messages, mostImages, UNSEEN) };
  }

  /** Returns warnings for the user about a request in the current variant. */
  warnings(request: ModelRequest): readonly string[] {
    return imagesToLose(request) > this.#mostImages ? [this.#warning] : [];
  }

  /** Returns the remaining variants for a rejected request, most likely first. */
  besides(
    { channel, mostImages }: RequestVariant,
    { rejection, request }: { readonly rejection: Rejection | undefined; readonly request: ModelRequest },
  ): readonly RequestVariant[] {
    if (!rejection) return [];
    const inWords: readonly SchemaChannel[] = channel === 'prompt' || hasProvided(request) ? [] : ['prompt'];
    const sent = Math.min(mostImages, imagesToLose(request));
    // Some servers accept one image per request.
    const fewer = (rejection.isOfImages ? [1, 0] : [0]).filter((most) => most < sent);
    const withFewer = [channel, ...inWords].flatMap((other) =>
      fewer.map((most) => ({ channel: other, mostImages: most })),
    );
    if (rejection.isOfImages && withFewer.length > 0) return withFewer;
    return rejection.isOfQuestion ? [...inWords.map((other) => ({ channel: other, mostImages })), ...withFewer] : [];
  }

  /** Records which variant worked after a rejection. Returns warnings for the user. */
  learn(rejected: RequestVariant, worked: RequestVariant, said: string): readonly string[] {
    if (rejected.channel !== worked.channel) this.channel = worked.channel;
    if (rejected.mostImages === worked.mostImages) return [];
    if (isFaultyImage(said)) return [`the provider rejected images of a request, which are now omitted: ${said}`];
    this.#mostImages = worked.mostImages;
    this.#warning = `${worked.mostImages === 0 ? SEES_NONE : SEES_ONE} The provider says: ${said}`;
    return [this.#warning];
  }
}

/** True if a request has a provider's own tool. */
export function hasProvided({ tools = [] }: ModelRequest): boolean {
  return tools.some(({ provided }) => provided);
}

/**
 * Returns the number of images that may be removed. None for a computer-use model, which cannot work without images.
 */
function imagesToLose(request: ModelRequest): number {
  return hasProvided(request) ? 0 : countImages(request.messages);
}
