import type { FilePart, JSONValue, ModelMessage as AiSdkMessage, TextPart, ToolResultPart } from 'ai';
import { calledNames, originalOf } from './ai-sdk-calls.ts';
import { moveImagesAfterResults } from './message-images.ts';
import type { JsonSchema, ModelCallResult, ModelImage, ModelMessage, ModelRequest } from './model-client.ts';
import { withoutTools } from './step-answer.ts';

/** How messages are laid out for a provider. */
interface MessageLayout {
  /** By whom the messages are read; those that it has written go back as it wrote them. */
  readonly modelName: string;
  /** The model is told of tools by the provider; else the conversation is put in plain words. */
  readonly hasTools?: boolean;
  /** Results of tools may hold pictures; default false. Otherwise a message of the user after them does. */
  readonly takesImagesInResults?: boolean;
  /** The prompt carries the schema, for models that are not told it otherwise. */
  readonly hasSchemaInPrompt: boolean;
  /** Neighbours of one role are one message: the chat templates of many small models demand that roles alternate. */
  readonly mergesTurns: boolean;
}

/** The messages of a request in the AI SDK's words, in the same order. */
export function toAiSdkMessages({ messages, schema }: ModelRequest, layout: MessageLayout): AiSdkMessage[] {
  const spoken = layout.hasTools ? withToolResults(messages, layout) : withoutTools(messages);
  const told = layout.hasSchemaInPrompt ? withSchema(spoken, schema) : spoken;
  const laidOut = layout.mergesTurns && !layout.hasTools ? merged(told) : told;
  const marked = cachedAt(laidOut);
  const names = calledNames(laidOut, layout.modelName);
  const written = laidOut.map((message) => {
    const options = marked.includes(message) ? { providerOptions: CACHE_UP_TO_HERE } : {};
    return { ...toMessage(message, layout, names), ...options };
  });
  return written.filter((message) => !isSilent(message));
}

/** An answer without a word or a call: Google, for one, refuses a conversation that has one. */
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

/** The messages up to which a provider is told to cache: the rules, and the last of the others that are stable. */
function cachedAt(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const [rules, ...others] = messages.filter(({ isStable }) => isStable);
  return rules ? [rules, ...others.slice(1 - MOST_CACHE_MARKS)] : [];
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

/** A picture as base64: a provider that does not know the part would write bytes as a list of numbers. */
function filePart({ data, mediaType }: ModelImage): FilePart & { data: { type: 'data'; data: string } } {
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  return { type: 'file', data: { type: 'data', data: base64 }, mediaType };
}

/** Anthropic caches up to each mark, and takes no more than four. Other providers recognize a repeated beginning by themselves. */
const MOST_CACHE_MARKS = 4;
const CACHE_UP_TO_HERE = { anthropic: { cacheControl: { type: 'ephemeral' } } };
