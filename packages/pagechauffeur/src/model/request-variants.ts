import { isFaultyImage, type Rejection } from './ai-sdk-errors.ts';
import { countImages, keepNewestImages } from './message-images.ts';
import type { ModelRequest } from './model-client.ts';

/**
 * How the model receives the response schema. `provider`: as structured output; `both`: also in the prompt, because the
 * provider does not enforce it; `prompt`: only in the prompt, because the provider rejects structured output.
 */
export type SchemaChannel = 'provider' | 'both' | 'prompt';

export interface RequestVariant {
  readonly channel: SchemaChannel;
  /** Maximum number of images to send. The newest are kept. */
  readonly mostImages: number;
}

/** Replaces a removed image, so that the model does not expect one. */
const UNSEEN = '(An image is omitted here, because you cannot view images.)';

const SEES_NONE = 'the model does not accept images, so all images are omitted.';
const SEES_ONE = 'the model accepts one image per request, so older images are omitted.';

/** What a model accepts: from the user's options, or learned from rejected requests. */
export class RequestVariants {
  channel: SchemaChannel = 'provider';
  #mostImages: number;
  /** Logged when images are removed. */
  #warning = SEES_NONE;

  constructor({ takesImages = true }: { readonly takesImages?: boolean | undefined }) {
    this.#mostImages = takesImages ? Number.POSITIVE_INFINITY : 0;
  }

  get leavesOutImages(): boolean {
    return this.#mostImages === 0;
  }

  get current(): RequestVariant {
    return { channel: this.channel, mostImages: this.#mostImages };
  }

  /** Removes the images that a variant does not send. */
  question({ mostImages }: RequestVariant, request: ModelRequest): ModelRequest {
    return imagesToLose(request) <= mostImages
      ? request
      : { ...request, messages: keepNewestImages(request.messages, mostImages, UNSEEN) };
  }

  /** Returns a warning if the current variant removes images from this request. */
  warnings(request: ModelRequest): readonly string[] {
    return imagesToLose(request) > this.#mostImages ? [this.#warning] : [];
  }

  /** Returns the variants to try after a rejection, the most promising first. */
  besides(
    { channel, mostImages }: RequestVariant,
    { rejection, request }: { readonly rejection: Rejection | undefined; readonly request: ModelRequest },
  ): readonly RequestVariant[] {
    if (!rejection) return [];
    const promptChannels: readonly SchemaChannel[] = channel === 'prompt' || hasProvided(request) ? [] : ['prompt'];
    const sent = Math.min(mostImages, imagesToLose(request));
    // Some servers accept one image per request.
    const fewer = (rejection.isOfImages ? [1, 0] : [0]).filter((most) => most < sent);
    const withFewer = [channel, ...promptChannels].flatMap((other) =>
      fewer.map((most) => ({ channel: other, mostImages: most })),
    );
    if (rejection.isOfImages && withFewer.length > 0) return withFewer;
    return rejection.isOfQuestion
      ? [...promptChannels.map((other) => ({ channel: other, mostImages })), ...withFewer]
      : [];
  }

  /** Remembers the variant that worked after a rejection. Returns warnings for the log. */
  learn(rejected: RequestVariant, accepted: RequestVariant, message: string): readonly string[] {
    if (rejected.channel !== accepted.channel) this.channel = accepted.channel;
    if (rejected.mostImages === accepted.mostImages) return [];
    if (isFaultyImage(message)) return [`the provider rejected images of a request, which are now omitted: ${message}`];
    this.#mostImages = accepted.mostImages;
    this.#warning = `${accepted.mostImages === 0 ? SEES_NONE : SEES_ONE} The provider says: ${message}`;
    return [this.#warning];
  }
}

/** True if a tool in the request is defined by the provider. */
export function hasProvided({ tools = [] }: ModelRequest): boolean {
  return tools.some(({ provided }) => provided);
}

/** Number of images that may be removed: none for a computer-use model, which cannot work without them. */
function imagesToLose(request: ModelRequest): number {
  return hasProvided(request) ? 0 : countImages(request.messages);
}
