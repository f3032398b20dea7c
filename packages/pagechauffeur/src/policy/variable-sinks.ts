/**
 * Where a variable's value can be sent. `document`: typed into a page; `address`: part of a URL; `file`: part of a file
 * name; `dialog`: text for a JavaScript dialog; `page-tool`: a tool that the page offers; `own-tool`: a custom tool;
 * `server`: an MCP server; `driver`: search text and results.
 */
export type Sink = 'document' | 'address' | 'file' | 'dialog' | 'page-tool' | 'own-tool' | 'server' | 'driver';

export interface SinkFacts {
  readonly name: string;
  /** True if the variable is sensitive or bound to origins. */
  readonly isGuarded: boolean;
  /** True if the variable has `tools: true`. */
  readonly isForTools: boolean;
  /** True if the server's integration lists it in `variables`. */
  readonly isForServer: boolean;
}

interface SinkRule {
  takes(facts: SinkFacts): boolean;
  /** Tells the model why the placeholder was refused and what to do instead. */
  readonly advice: (placeholder: string, facts: SinkFacts) => string;
}

const never = (): string => '';

/** The rules for all sinks. The clipboard, scripts and models are no sinks: they never receive a value. */
const RULES: Readonly<Record<Sink, SinkRule>> = {
  // `variable-origins.ts` checks the document and the URL.
  document: { takes: () => true, advice: never },
  address: { takes: () => true, advice: never },
  // File names are displayed, listed and sent.
  file: {
    takes: ({ isGuarded }) => !isGuarded,
    advice: (placeholder) => `${placeholder} is sensitive and cannot be part of a file name. Use another file name.`,
  },
  // A dialog has no document whose origin could be checked.
  dialog: { takes: ({ isGuarded }) => !isGuarded, advice: intoField },
  'page-tool': { takes: ({ isGuarded }) => !isGuarded, advice: intoField },
  'own-tool': {
    takes: ({ isGuarded, isForTools }) => !isGuarded || isForTools,
    advice: (placeholder, { name }) =>
      `${placeholder} is sensitive, and tools do not receive its value. To allow it, the user sets: variables: { ${keyOf(name)}: { value, tools: true } }`,
  },
  server: {
    takes: ({ isForServer }) => isForServer,
    advice: (placeholder, { name }) =>
      `This server does not receive the value of ${placeholder}. Omit the variable. To allow it, the user lists it in the integration: variables: [${JSON.stringify(name)}]`,
  },
  // The value is only compared with page text or returned to the user.
  driver: { takes: () => true, advice: never },
};

/** True if the value can be sent to this sink. */
export function mayEnter(sink: Sink, facts: SinkFacts): boolean {
  return RULES[sink].takes(facts);
}

export function sinkAdvice(sink: Sink, placeholder: string, facts: SinkFacts): string {
  return RULES[sink].advice(placeholder, facts);
}

function intoField(placeholder: string): string {
  return `${placeholder} is sensitive and can only be typed into fields. Fill it into a field of the page.`;
}

function keyOf(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : JSON.stringify(name);
}
