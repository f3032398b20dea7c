import type { SpecPart } from './part.ts';

const GROUPS = ['act', 'extract', 'observe', 'agent', 'total'];
const MEASURES: Readonly<Record<string, string>> = {
  PromptTokens: 'tokens of the questions',
  CompletionTokens: 'tokens of the answers',
  ReasoningTokens: 'tokens spent on reasoning',
  CachedInputTokens: 'tokens of questions that the provider had cached',
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

/** What users get: actions, results, metrics and history. */
export const resultParts: Readonly<Record<string, SpecPart>> = {
  action: {
    title: 'Action',
    rows: {
      selector: 'an XPath; given to act() also CSS',
      description: 'what the element is, by which it is found again',
      method: 'such as click, fill or type',
      arguments: 'strings, in which placeholders may stand',
    },
  },
  'act-result': {
    title: 'ActResult',
    rows: {
      success: 'whether the action was completed',
      message: 'what happened, for people',
      actionDescription: 'the instruction that was carried out',
      actions: 'the actions that were carried out',
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
      parameters: 'what was asked for',
      result: 'what came of it',
      timestamp: 'when, as a string',
    },
  },
  'other-types': {
    title: 'Other types',
    rows: {
      LLMClient: "a model client of the user's own",
      'session-create-params': 'parameters of a new remote session',
      AgentConfig: 'configuration of an agent, and the agent itself',
      proxy: 'the types of what a proxy option holds',
    },
  },
};
