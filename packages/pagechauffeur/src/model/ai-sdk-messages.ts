import type { FilePart, JSONValue, ModelMessage as AiSdkMessage, TextPart, ToolResultPart } from 'ai';
import { calledNames, originalOf } from './ai-sdk-calls.ts';
import { moveImagesAfterResults } from './message-images.ts';
import type { JsonSchema, ModelCallResult, ModelImage, ModelMessage, ModelRequest } from './model-client.ts';
import { withoutTools } from './step-answer.ts';

/** How to format messages for a provider. */
interface MessageLayout {
  /** The model that receives the messages. The messages that it wrote are sent in their original form. */
  readonly modelName: string;
  /** True if the request has native tools. Otherwise tool calls and results are sent as text. */
  readonly hasTools?: boolean;
  /** True if tool results may contain images; default false: the images follow in a user message. */
  readonly takesImagesInResults?: boolean;
  /** True if the prompt must contain the schema, because the model does not receive it otherwise. */
  readonly hasSchemaInPrompt: boolean;
  /** Merges adjacent messages of the same role. The chat templates of many small models require alternating roles. */
  readonly mergesTurns: boolean;
}

export function toAiSdkMessages({ messages, schema }: ModelRequest, layout: MessageLayout): AiSdkMessage[] {
  const conversation = layout.hasTools ? withToolResults(messages, layout) : withoutTools(messages);
  const instructed = layout.hasSchemaInPrompt ? withSchema(conversation, schema) : conversation;
  const laidOut = layout.mergesTurns && !layout.hasTools ? merged(instructed) : instructed;
  const marked = cachedAt(laidOut);
  const names = calledNames(laidOut, layout.modelName);
  const written = laidOut.map((message) => {
    const options = marked.includes(message) ? { providerOptions: CACHE_UP_TO_HERE } : {};
    return { ...toMessage(message, layout, names), ...options };
  });
  return written.filter((message) => !isSilent(message));
}

/** True for an assistant message without text and calls. Google rejects conversations that contain one. */
function isSilent({ role, content }: AiSdkMessage): boolean {
  if (role !== 'assistant') return false;
  return typeof content === 'string'
    ? content === ''
    : content.every((part) => part.type === 'text' && part.text === '');
}

function withToolResults(
  messages: readonly ModelMessage[],
  { takesImagesInResults = false }: MessageLayout,
): readonly ModelMessage[] {
  return takesImagesInResults ? messages : moveImagesAfterResults(messages);
}

/** Returns the messages after which the provider should cache the prompt: the rules, and the last stable messages. */
function cachedAt(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const [rules, ...others] = messages.filter(({ isStable }) => isStable);
  return rules ? [rules, ...others.slice(1 - MAX_CACHE_MARKS)] : [];
}

/** Adds the schema after the rules, before text that changes from page to page, so that both can be cached. */
function withSchema(messages: readonly ModelMessage[], schema: JsonSchema): readonly ModelMessage[] {
  const text = `Respond only with JSON that matches this JSON Schema:\n${JSON.stringify(schema)}`;
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

function toMessage(
  message: ModelMessage,
  { modelName }: MessageLayout,
  names: ReadonlyMap<string, string>,
): AiSdkMessage {
  const { role, text, images = [], results = [] } = message;
  switch (role) {
    case 'system':
      return { role, content: text };
    case 'assistant':
      return originalOf(message, modelName) ?? assistantMessage(message);
    case 'tool':
      return { role, content: results.map((result) => toResultPart(result, names.get(result.id))) };
    case 'user':
      return { role, content: [textPart(text), ...images.map(filePart)] };
  }
}

function assistantMessage({ text, calls }: ModelMessage): AiSdkMessage {
  if (!calls) return { role: 'assistant', content: text };
  const parts = calls.map(({ id, tool, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: tool,
    input,
  }));
  return { role: 'assistant', content: [...(text === '' ? [] : [textPart(text)]), ...parts] };
}

function toResultPart(result: ModelCallResult, name = result.tool): ToolResultPart {
  return { type: 'tool-result', toolCallId: result.id, toolName: name, output: outputOf(result) };
}

function outputOf({ text, images = [], isError, provided }: ModelCallResult): ToolResultPart['output'] {
  if (provided !== undefined) return { type: 'json', value: provided as JSONValue };
  if (images.length > 0) return { type: 'content', value: [textPart(text), ...images.map(filePart)] };
  return { type: isError ? 'error-text' : 'text', value: text };
}

function textPart(text: string): TextPart {
  return { type: 'text', text };
}

/** Sends base64, because a provider that does not know this part type would serialize bytes as a list of numbers. */
function filePart({ data, mediaType }: ModelImage): FilePart & { data: { type: 'data'; data: string } } {
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  return { type: 'file', data: { type: 'data', data: base64 }, mediaType };
}

/**
 * Anthropic caches the prompt up to each breakpoint and accepts four. Other providers detect repeated prefixes
 * themselves.
 */
const MAX_CACHE_MARKS = 4;
const CACHE_UP_TO_HERE = { anthropic: { cacheControl: { type: 'ephemeral' } } };
