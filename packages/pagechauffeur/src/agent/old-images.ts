import { countDistinctImages, keepNewestImages } from '../model/message-images.ts';
import type { ModelCallResult, ModelMessage } from '../model/model-client.ts';

/** Images that a request keeps unless its newest step added more. Older ones are outdated. */
const MAX_IMAGES = 2;
/** Replaces a removed image. */
export const LEFT_OUT = '(The picture is left out by now.)';

type Replacements = Map<ModelMessage, readonly ModelMessage[]>;

/** Replacements for messages with images of earlier steps. Empty if there are none. */
export function withoutOldImages(said: readonly ModelMessage[]): ReadonlyMap<ModelMessage, readonly ModelMessage[]> {
  const replacements: Replacements = new Map();
  const newest = said.findLastIndex(({ role }) => role === 'assistant');
  const earlier = said.slice(0, Math.max(newest, 0));
  const room = Math.max(0, MAX_IMAGES - countDistinctImages(said.slice(earlier.length)));
  for (const [place, kept] of keepNewestImages(earlier, room, LEFT_OUT).entries()) {
    const message = earlier[place];
    if (!message || message === kept) continue;
    replacements.set(message, [kept]);
    replaceProvided(replacements, { calling: earlier[place - 1], message, kept });
  }
  return replacements;
}

interface ImagelessStep {
  /** The answer that requested the calls. */
  readonly calling: ModelMessage | undefined;
  readonly message: ModelMessage;
  /** The message without outdated images. */
  readonly kept: ModelMessage;
}

/** A result of a provider's own tool requires its image, so call and result are converted to text. */
function replaceProvided(replacements: Replacements, { calling, message, kept }: ImagelessStep): void {
  const { results = [] } = kept;
  const lost = results.filter((result, index) => isProvided(message.results?.[index]) && !isProvided(result));
  if (lost.length === 0 || !calling) return;
  const ids = new Set(lost.map(({ id }) => id));
  const others = results.filter(({ id }) => !ids.has(id));
  replacements.set(calling, withoutCalls(calling, ids));
  replacements.set(message, [
    ...(others.length > 0 ? [{ ...kept, results: others }] : []),
    { role: 'user', text: lost.map((result) => inWords(calling, result)).join('\n') },
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

function inWords({ calls = [] }: ModelMessage, { id, tool, text }: ModelCallResult): string {
  const { input } = calls.find((call) => call.id === id) ?? {};
  return `You called ${tool}: ${JSON.stringify(input)}\n${text}`;
}
