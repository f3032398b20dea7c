import type { JsonSchema, ModelRequest } from '../../src/model/model-client.ts';

/** The shape that the tests ask for. */
const CHOICE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    ref: { type: 'string' },
    confidence: { type: 'integer', minimum: 0, maximum: 10 },
    note: { type: 'string' },
  },
  required: ['ref', 'confidence'],
  additionalProperties: false,
};

/** A question about a page of two lines, with the given changes. */
export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    verb: 'act',
    instruction: 'add the mug',
    page: {
      url: 'http://127.0.0.1:8080/shop',
      title: 'Shop',
      text: 'button "Add to cart" e4\nlink "Help" e5',
      nodes: [
        { role: 'button', name: 'Add to cart', ref: 'e4', states: [], children: [] },
        { role: 'link', name: 'Help', ref: 'e5', states: [], children: [] },
      ],
    },
    variables: [],
    messages: [
      { role: 'system', text: 'You choose elements.', isStable: true },
      { role: 'user', text: 'button "Add to cart" e4\nlink "Help" e5' },
      { role: 'user', text: 'add the mug' },
    ],
    schema: CHOICE_SCHEMA,
    schemaName: 'choice',
    signal: new AbortController().signal,
    ...changes,
  };
}
