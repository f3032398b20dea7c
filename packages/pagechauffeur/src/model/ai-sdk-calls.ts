import type * as AiSdkModule from 'ai';
import type { AssistantModelMessage, ToolSet } from 'ai';
import { streamFailure } from './ai-sdk-errors.ts';
import type { ModelCall, ModelMessage, ModelRequest, ModelTool } from './model-client.ts';
import { isRecord } from './json-schema.ts';
import { toolSchema } from './portable-schema.ts';

type AiSdk = typeof AiSdkModule;

/** Converts tools to AI SDK tools. They have no `execute`, so the AI SDK only returns the calls. */
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
 * Converts a tool call from the AI SDK. Some providers, such as Google, report their computer tool by the name of the
 * action, which is moved to the input field `action`.
 */
export function toCall({ toolCallId, toolName, input }: AiSdkCall, tools: readonly ModelTool[]): ModelCall {
  const provided = tools.find((tool) => tool.provided);
  if (!provided || tools.some(({ name }) => name === toolName)) return { id: toolCallId, tool: toolName, input };
  return { id: toolCallId, tool: provided.name, input: { ...(isRecord(input) ? input : {}), action: toolName } };
}

/**
 * Returns the tool names as the model wrote them, by call id. They can differ from the names in `calls`, see `toCall`.
 */
export function calledNames(messages: readonly ModelMessage[], modelName: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    const content = originalOf(message, modelName)?.content;
    const parts = content === undefined || typeof content === 'string' ? [] : content;
    for (const part of parts) if (part.type === 'tool-call') names.set(part.toolCallId, part.toolName);
  }
  return names;
}

/** An assistant message as the AI SDK returned it, including reasoning. Later requests send it back unchanged. */
export interface OriginalMessage {
  readonly kind: 'ai-sdk';
  /** The model that wrote the message. Other providers cannot read its reasoning. */
  readonly modelName: string;
  readonly message: AssistantModelMessage;
}

/** Returns the assistant message in its original form, or `undefined` if another model wrote it. */
export function originalOf({ original }: ModelMessage, modelName: string): AssistantModelMessage | undefined {
  if (!isRecord(original) || original['kind'] !== 'ai-sdk' || original['modelName'] !== modelName) return undefined;
  return original['message'] as AssistantModelMessage;
}

interface Listening {
  readonly onPart: NonNullable<ModelRequest['onPart']>;
  readonly tools: readonly ModelTool[];
  readonly ai: AiSdk;
}

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
