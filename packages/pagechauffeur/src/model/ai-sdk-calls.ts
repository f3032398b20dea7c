import type * as AiSdkModule from 'ai';
import type { AssistantModelMessage, ToolSet } from 'ai';
import { streamFailure } from './ai-sdk-errors.ts';
import type { ModelCall, ModelMessage, ModelRequest, ModelTool } from './model-client.ts';
import { isRecord } from './json-schema.ts';
import { toolSchema } from './portable-schema.ts';

type AiSdk = typeof AiSdkModule;

/** Tools as the AI SDK knows them; it carries none of them out. */
export function toolSet(ai: AiSdk, tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input, provided }) => {
      const inputSchema = ai.jsonSchema<Record<string, unknown>>(toolSchema(input));
      if (!provided) return [name, ai.tool({ description, inputSchema })];
      const { id, args } = provided;
      return [
        name,
        { type: 'provider' as const, isProviderExecuted: false as const, id, args: { ...args }, inputSchema },
      ];
    }),
  );
}

interface AiSdkCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/**
 * A call of the AI SDK as one of ours. A provider's own tool may be called by the names of what it can do, as Google's
 * is: such a name goes into the input as `action`.
 */
export function toCall({ toolCallId, toolName, input }: AiSdkCall, tools: readonly ModelTool[]): ModelCall {
  const provided = tools.find((tool) => tool.provided);
  if (!provided || tools.some(({ name }) => name === toolName)) return { id: toolCallId, tool: toolName, input };
  return { id: toolCallId, tool: provided.name, input: { ...(isRecord(input) ? input : {}), action: toolName } };
}

/** The names by which a model called what results belong to, by the ids of its calls. */
export function calledNames(messages: readonly ModelMessage[], modelName: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    const content = originalOf(message, modelName)?.content;
    const parts = content === undefined || typeof content === 'string' ? [] : content;
    for (const part of parts) if (part.type === 'tool-call') names.set(part.toolCallId, part.toolName);
  }
  return names;
}

/** The assistant's message of an answer, as the AI SDK wants it back. */
export interface OriginalMessage {
  readonly kind: 'ai-sdk';
  /** Another provider does not know what this one's thoughts mean. */
  readonly modelName: string;
  readonly message: AssistantModelMessage;
}

/** The message of an answer as its own model wrote it; undefined for one of another model. */
export function originalOf({ original }: ModelMessage, modelName: string): AssistantModelMessage | undefined {
  if (!isRecord(original) || original['kind'] !== 'ai-sdk' || original['modelName'] !== modelName) return undefined;
  return original['message'] as AssistantModelMessage;
}

interface Listening {
  readonly onPart: NonNullable<ModelRequest['onPart']>;
  readonly tools: readonly ModelTool[];
  readonly ai: AiSdk;
}

/** Passes the pieces of a streamed answer on. */
export async function emitParts(
  stream: AsyncIterable<AiSdkModule.TextStreamPart<ToolSet>>,
  { onPart, tools, ai }: Listening,
): Promise<void> {
  for await (const part of stream) {
    if (part.type === 'text-delta') onPart({ kind: 'text', text: part.text });
    else if (part.type === 'reasoning-delta') onPart({ kind: 'reasoning', text: part.text });
    else if (part.type === 'tool-call') onPart({ kind: 'call', call: toCall(part, tools) });
    else if (part.type === 'error') throw streamFailure(part.error, ai);
  }
}
