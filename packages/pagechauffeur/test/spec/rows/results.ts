import type { SpecPart } from './part.ts';

const GROUPS = ['act', 'extract', 'observe', 'agent', 'total'];
const MEASURES: Readonly<Record<string, string>> = {
  PromptTokens: 'tokens of the requests',
  CompletionTokens: 'tokens of the answers',
  ReasoningTokens: 'tokens spent on reasoning',
  CachedInputTokens: 'cached tokens of the requests',
  InferenceTimeMs: 'milliseconds spent waiting for models',
};

const metricRows = Object.fromEntries(
  GROUPS.flatMap((group) =>
    Object.entries(MEASURES).map(([measure, what]) => [
      `${group}${measure}`,
      `${what}, ${group === 'total' ? 'of all operations' : `of ${group}`}`,
    ]),
  ),
);

/** Actions, results, metrics and history. */
export const resultParts: Readonly<Record<string, SpecPart>> = {
  action: {
    title: 'Action',
    rows: {
      selector: 'an XPath; for act() also CSS',
      description: 'describes the element, for finding it again',
      method: 'such as click, fill or type',
      arguments: 'strings, which may contain placeholders',
    },
  },
  'act-result': {
    title: 'ActResult',
    rows: {
      success: 'true if the action succeeded',
      message: 'a sentence about the outcome',
      actionDescription: 'the performed instruction',
      actions: 'the performed actions',
      cacheStatus: 'HIT or MISS, only with the cache of the platform',
    },
  },
  'extract-result': {
    title: 'Extract results',
    rows: {
      object: 'with a schema of an object: its type',
      array: 'with a schema of an array: its type',
      scalar: 'with a schema of a scalar: its type',
      cacheStatus: 'HIT or MISS, only with the cache of the platform',
      extraction: 'with an instruction only: { extraction }',
      pageText: 'without instruction and schema: { pageText }',
      'pageText-options': 'with options only: { pageText }',
      nested: 'a schema may nest objects and arrays',
      descriptions: 'a schema may describe its fields',
      bounds: 'a schema may have bounds',
      optional: 'a schema may have optional fields',
      url: 'a schema may have strings of URL format',
    },
  },
  metrics: { title: 'Metrics', rows: metricRows },
  history: {
    title: 'HistoryEntry',
    rows: {
      method: 'act, extract, observe or navigate',
      parameters: 'the arguments of the call',
      result: 'the result of the call',
      timestamp: 'the time as a string',
    },
  },
  'other-types': {
    title: 'Other types',
    rows: {
      LLMClient: 'a custom model client',
      'session-create-params': 'parameters of a new remote session',
      AgentConfig: 'configuration of an agent, and the agent itself',
      proxy: 'the types of a proxy option',
    },
  },
};
