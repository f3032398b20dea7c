import type { JsonSchema, ModelCall, ModelMessage, ModelTool, StepAnswer } from './model-client.ts';

/** Returns the schema of a response with tool calls, for models without native tool calls. */
export function stepSchema(tools: readonly ModelTool[], mostCalls: number): JsonSchema {
  const calls = tools.map(({ name, description, input }) => ({
    type: 'object',
    description,
    properties: { tool: { type: 'string', const: name }, input },
    required: ['tool', 'input'],
    additionalProperties: false,
  }));
  return {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'your reasoning, in one sentence' },
      calls: { type: 'array', items: { anyOf: calls }, minItems: 1, maxItems: mostCalls },
    },
    required: ['text', 'calls'],
    additionalProperties: false,
  };
}

/** Minimal schema of a response with calls. Each tool validates its own input. */
export const ANY_STEP: JsonSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    calls: {
      type: 'array',
      items: { type: 'object', properties: { tool: { type: 'string' } }, required: ['tool'] },
    },
  },
  required: ['calls'],
};

/** Converts tool calls to JSON text and results to user messages, for models without native tool calls. */
export function withoutTools(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map(plainMessage);
}

function plainMessage(message: ModelMessage): ModelMessage {
  const { role, text, calls, results = [], isStable } = message;
  const stable = isStable === undefined ? {} : { isStable };
  if (role === 'tool') {
    const images = results.flatMap((result) => result.images ?? []);
    const resultLines = results.map((result) => `${result.tool}: ${result.text}`).join('\n');
    return { role: 'user', text: resultLines, ...(images.length > 0 ? { images } : {}), ...stable };
  }
  if (!calls) return message;
  const answer: StepAnswer = { text, calls: calls.map(({ tool, input }) => ({ tool, input })) };
  return { role, text: JSON.stringify(answer), ...stable };
}

/** Adds an id to calls that have none. */
export function callsOf({ calls }: StepAnswer, newId: () => string): readonly ModelCall[] {
  return calls.map(({ id = newId(), tool, input }) => ({ id, tool, input }));
}
