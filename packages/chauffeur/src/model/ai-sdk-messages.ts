import type { FilePart, ModelMessage as AiSdkMessage, SystemModelMessage, TextPart } from 'ai';
import type { ModelMessage, ModelRequest } from './model-client.ts';

/** The messages of a request in the AI SDK's words, in the same order. */
export function toAiSdkMessages({ messages, schema }: ModelRequest, needsSchemaInPrompt: boolean): AiSdkMessage[] {
  const lastStable = messages.findLastIndex(({ isStable }) => isStable);
  const converted = messages.map((message, index) => toMessage(message, index === lastStable));
  if (!needsSchemaInPrompt) return converted;
  const schemaMessage: SystemModelMessage = {
    role: 'system',
    content: `Answer with nothing but JSON that matches this JSON Schema:\n${JSON.stringify(schema)}`,
  };
  const firstOther = converted.findIndex(({ role }) => role !== 'system');
  return converted.toSpliced(firstOther < 0 ? converted.length : firstOther, 0, schemaMessage);
}

function toMessage({ role, text, images = [] }: ModelMessage, isCachedUpToHere: boolean): AiSdkMessage {
  const options = isCachedUpToHere ? { providerOptions: CACHE_UP_TO_HERE } : {};
  if (role !== 'user') return { role, content: text, ...options };
  const pictures = images.map(({ data, mediaType }): FilePart => ({
    type: 'file',
    data: { type: 'data', data },
    mediaType,
  }));
  const words: TextPart = { type: 'text', text };
  return { role, content: [words, ...pictures], ...options };
}

/** Anthropic caches up to a mark; the others find the repeated beginning of a prompt by themselves. */
const CACHE_UP_TO_HERE = { anthropic: { cacheControl: { type: 'ephemeral' } } };
