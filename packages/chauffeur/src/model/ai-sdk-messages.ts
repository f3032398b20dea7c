import type { FilePart, ModelMessage as AiSdkMessage, TextPart } from 'ai';
import type { JsonSchema, ModelMessage, ModelRequest } from './model-client.ts';

/** How messages are laid out for a provider. */
interface MessageLayout {
  /** The prompt carries the schema, for models that are not told it otherwise. */
  readonly hasSchemaInPrompt: boolean;
  /** Neighbours of one role are one message: the chat templates of many small models demand that roles alternate. */
  readonly mergesTurns: boolean;
}

/** The messages of a request in the AI SDK's words, in the same order. */
export function toAiSdkMessages({ messages, schema }: ModelRequest, layout: MessageLayout): AiSdkMessage[] {
  const told = layout.hasSchemaInPrompt ? withSchema(messages, schema) : messages;
  const laidOut = layout.mergesTurns ? merged(told) : told;
  const marked = [stableIn(laidOut).at(0), stableIn(laidOut).at(-1)];
  return laidOut.map((message) => toMessage(message, marked.includes(message)));
}

function stableIn(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.filter(({ isStable }) => isStable);
}

/** The schema is part of the rules, before anything that changes from page to page. */
function withSchema(messages: readonly ModelMessage[], schema: JsonSchema): readonly ModelMessage[] {
  const text = `Answer with nothing but JSON that matches this JSON Schema:\n${JSON.stringify(schema)}`;
  const after = messages.findIndex(({ role }) => role !== 'system');
  return messages.toSpliced(after < 0 ? messages.length : after, 0, { role: 'system', text });
}

function merged(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const result: ModelMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (last?.role !== message.role) result.push(message);
    else result.splice(-1, 1, { ...message, ...joined(last, message) });
  }
  return result;
}

function joined(first: ModelMessage, second: ModelMessage): Pick<ModelMessage, 'text' | 'images'> {
  const images = [...(first.images ?? []), ...(second.images ?? [])];
  return { text: `${first.text}\n\n${second.text}`, ...(images.length > 0 ? { images } : {}) };
}

function toMessage({ role, text, images = [] }: ModelMessage, isMarked: boolean): AiSdkMessage {
  const options = isMarked ? { providerOptions: CACHE_UP_TO_HERE } : {};
  if (role !== 'user') return { role, content: text, ...options };
  const pictures = images.map(({ data, mediaType }): FilePart => ({
    type: 'file',
    data: { type: 'data', data },
    mediaType,
  }));
  const words: TextPart = { type: 'text', text };
  return { role, content: [words, ...pictures], ...options };
}

/**
 * Anthropic caches up to each mark, of which it takes four: after the rules and after the page is enough. The others
 * find the repeated beginning of a prompt by themselves.
 */
const CACHE_UP_TO_HERE = { anthropic: { cacheControl: { type: 'ephemeral' } } };
