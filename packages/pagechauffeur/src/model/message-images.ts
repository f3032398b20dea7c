import type { ModelCallResult, ModelMessage } from './model-client.ts';

/** Counts a result in a provider's own format as one image. */
export function countImages(messages: readonly ModelMessage[]): number {
  return messages.flatMap(imagesOf).length;
}

export function countDistinctImages(messages: readonly ModelMessage[]): number {
  return new Set(messages.flatMap(imagesOf)).size;
}

function imagesOf({ images = [], results = [] }: ModelMessage): readonly unknown[] {
  return [...images.map(({ data }) => data), ...results.flatMap(imagesOfResult)];
}

function imagesOfResult({ images = [], provided }: ModelCallResult): readonly unknown[] {
  return provided === undefined ? images.map(({ data }) => data) : [provided];
}

/**
 * Keeps the `most` newest images and adds `replacement` where others are removed. Returns unchanged messages as the same
 * objects.
 */
export function keepNewestImages(
  messages: readonly ModelMessage[],
  most: number,
  replacement: string,
): readonly ModelMessage[] {
  return keepNewest(messages, most, (message, room) => keepImages(message, room, replacement));
}

/** Keeps images, newest first. `room` is the number of images that may still be kept. */
function keepNewest<Holder extends ModelMessage | ModelCallResult>(
  holders: readonly Holder[],
  most: number,
  keep: (holder: Holder, room: number) => Holder,
): readonly Holder[] {
  let room = most;
  const newestFirst = holders.toReversed().map((holder) => {
    const kept = keep(holder, room);
    room -= ('role' in kept ? imagesOf(kept) : imagesOfResult(kept)).length;
    return kept;
  });
  return newestFirst.toReversed();
}

function keepImages(message: ModelMessage, most: number, replacement: string): ModelMessage {
  if (imagesOf(message).length <= most) return message;
  const { results, ...rest } = message;
  if (!results) return newestOnly(rest, most, replacement);
  return {
    ...rest,
    results: keepNewest(results, most, (result, room) => keepImagesOfResult(result, room, replacement)),
  };
}

function keepImagesOfResult(result: ModelCallResult, most: number, replacement: string): ModelCallResult {
  if (imagesOfResult(result).length <= most) return result;
  const { provided: _, ...rest } = result;
  return newestOnly(rest, most, replacement);
}

function newestOnly<Holder extends Pick<ModelMessage, 'text' | 'images'>>(
  { images = [], ...rest }: Holder,
  most: number,
  replacement: string,
): Omit<Holder, 'images'> & Pick<ModelMessage, 'text' | 'images'> {
  const text = rest.text === '' ? replacement : `${rest.text}\n${replacement}`;
  return { ...rest, text, ...(most > 0 && { images: images.slice(-most) }) };
}

/** Moves images from tool results to a user message after them, for providers that allow only text in results. */
export function moveImagesAfterResults(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.flatMap((message) => {
    const { results = [], isStable, ...bare } = message;
    const pictured = results.filter(({ images = [] }) => images.length > 0);
    if (pictured.length === 0) return [message];
    const text = `The images of these results, in order: ${pictured.map(namesOf).join(', ')}.`;
    const images = pictured.flatMap((result) => result.images ?? []);
    return [
      { ...bare, results: results.map(({ images: _images, ...result }) => result) },
      { role: 'user' as const, text, images, ...(isStable !== undefined && { isStable }) },
    ];
  });
}

function namesOf({ tool, images = [] }: ModelCallResult): string {
  return images.map(() => tool).join(', ');
}
