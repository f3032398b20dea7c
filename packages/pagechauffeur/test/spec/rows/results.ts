import type { SpecPart } from './part.ts';

const GROUPS = ['act', 'extract', 'observe', 'agent', 'total'];
const MEASURES: Readonly<Record<string, string>> = {
  PromptTokens: 'input tokens',
  CompletionTokens: 'output tokens',
  ReasoningTokens: 'reasoning tokens',
  CachedInputTokens: 'cached input tokens',
  InferenceTimeMs: 'milliseconds spent waiting for models',
};

const metricRows = Object.fromEntries(
  GROUPS.flatMap((group) =>
    Object.entries(MEASURES).map(([measure, what]) => [
      `${group}${measure}`,
      `${what} of ${group === 'total' ? 'all calls' : `${group}()`}`,
    ]),
  ),
);

/** Actions, results, metrics and history. */
export const resultParts: Readonly<Record<string, SpecPart>> = {
  action: {
    title: 'Action',
    rows: {
      selector: 'is an XPath; act() also accepts a CSS selector',
      description: 'describes the element, so that the driver can find it again',
      method: 'is a method such as click, fill or type',
      arguments: 'are strings, which can contain placeholders',
    },
  },
  'act-result': {
    title: 'ActResult',
    rows: {
      success: 'is true if the action succeeded',
      message: 'describes the outcome in one sentence',
      actionDescription: 'is the instruction',
      actions: 'contains the actions that were run',
      cacheStatus: "is HIT or MISS, and only set with the platform's cache",
    },
  },
  'extract-result': {
    title: 'Extract results',
    rows: {
      object: 'with an object schema, the result is an object',
      array: 'with an array schema, the result is an array',
      scalar: 'with a scalar schema, the result is a scalar',
      cacheStatus: "is HIT or MISS, and only set with the platform's cache",
      extraction: 'with an instruction only, the result is { extraction }',
      pageText: 'without instruction and schema, the result is { pageText }',
      'pageText-options': 'with options only, the result is { pageText }',
      nested: 'a schema can nest objects and arrays',
      descriptions: 'a schema can describe its fields',
      bounds: 'a schema can limit numbers and lengths',
      optional: 'a schema can have optional fields',
      url: 'a schema can have strings with the format url',
    },
  },
  metrics: { title: 'Metrics', rows: metricRows },
  history: {
    title: 'HistoryEntry',
    rows: {
      method: 'is act, extract, observe or navigate',
      parameters: 'contains the arguments of the call',
      result: 'contains the result of the call',
      timestamp: 'is the time as a string',
    },
  },
  'other-types': {
    title: 'Other types',
    rows: {
      LLMClient: 'a custom client needs only a function that generates a response',
      'session-create-params': 'configures a new remote session',
      AgentConfig: 'configures an agent',
      proxy: 'invalid proxy options are rejected',
    },
  },
};
