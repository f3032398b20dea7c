import type * as AiSdkModule from 'ai';
import type { AssistantModelMessage, ToolSet } from 'ai';
import type { ModelCall, ModelMessage, ModelRequest, ModelTool } from './model-client.ts';
import { isRecord } from './json-schema.ts';
import { portableSchema } from './portable-schema.ts';

type AiSdk = typeof AiSdkModule;

/** Tools as the AI SDK knows them; it carries none of them out. */
export function toolSet(ai: AiSdk, tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [
      name,
      ai.tool({ description, inputSchema: ai.jsonSchema(portableSchema(input)) }),
    ]),
  );
}

/** A call of the AI SDK as one of ours. */
export function toCall({
  toolCallId,
  toolName,
  input,
}: {
  toolCallId: string;
  toolName: string;
  input: unknown;
}): ModelCall {
  return { id: toolCallId, tool: toolName, input };
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

/** Passes the pieces of a streamed answer on. */
export async function tellParts(
  stream: AsyncIterable<AiSdkModule.TextStreamPart<ToolSet>>,
  onPart: NonNullable<ModelRequest['onPart']>,
): Promise<void> {
  for await (const part of stream) {
    if (part.type === 'text-delta') onPart({ kind: 'text', text: part.text });
    else if (part.type === 'reasoning-delta') onPart({ kind: 'reasoning', text: part.text });
    else if (part.type === 'tool-call') onPart({ kind: 'call', call: toCall(part) });
    else if (part.type === 'error') throw part.error;
  }
}
