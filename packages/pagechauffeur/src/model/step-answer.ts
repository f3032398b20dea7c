import type { JsonSchema, ModelCall, ModelMessage, ModelTool, StepAnswer } from './model-client.ts';

/** The schema of an answer that asks for calls of these tools, for models that are told it in words. */
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
      text: { type: 'string', description: 'what you think, in a sentence' },
      calls: { type: 'array', items: { anyOf: calls }, minItems: 1, maxItems: mostCalls },
    },
    required: ['text', 'calls'],
    additionalProperties: false,
  };
}

/** What an answer has to be for its calls to be carried out: what a tool makes of its input is the tool's to say. */
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

/** A conversation in plain messages, for models that know no tools: calls as the JSON they were, results as the user's words. */
export function withoutTools(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map(plainMessage);
}

function plainMessage(message: ModelMessage): ModelMessage {
  const { role, text, calls, results = [], isStable } = message;
  const stable = isStable === undefined ? {} : { isStable };
  if (role === 'tool') {
    const images = results.flatMap((result) => result.images ?? []);
    const told = results.map((result) => `${result.tool}: ${result.text}`).join('\n');
    return { role: 'user', text: told, ...(images.length > 0 ? { images } : {}), ...stable };
  }
  if (!calls) return message;
  const answer: StepAnswer = { text, calls: calls.map(({ tool, input }) => ({ tool, input })) };
  return { role, text: JSON.stringify(answer), ...stable };
}

/** The calls of an answer, each with an id: that of the model, or one that is new. */
export function callsOf({ calls }: StepAnswer, newId: () => string): readonly ModelCall[] {
  return calls.map(({ id = newId(), tool, input }) => ({ id, tool, input }));
}
