/** Where the value of a variable can go. */
export type Sink = 'document' | 'address' | 'file' | 'dialog' | 'page-tool' | 'own-tool' | 'server' | 'driver';

/** What decides whether a value may go to a sink. */
export interface SinkFacts {
  readonly name: string;
  /** Bound to origins, or sensitive. */
  readonly isGuarded: boolean;
  /** The variable says `tools: true`. */
  readonly isForTools: boolean;
  /** The `variables` of the server's integration name it. */
  readonly isForServer: boolean;
}

interface SinkRule {
  takes(facts: SinkFacts): boolean;
  /** Why not, and what to do instead, for the model that wrote the placeholder there. */
  readonly advice: (placeholder: string, facts: SinkFacts) => string;
}

const never = (): string => '';

/** Where values go, all in one place. Nothing writes them to the clipboard, gives them to a script or sends them to a model. */
const RULES: Readonly<Record<Sink, SinkRule>> = {
  // Which documents and addresses: `variable-origins.ts`.
  document: { takes: () => true, advice: never },
  address: { takes: () => true, advice: never },
  // The name of a file is shown, listed and sent along.
  file: {
    takes: ({ isGuarded }) => !isGuarded,
    advice: (placeholder) =>
      `${placeholder} is sensitive and cannot be a part of a file's name. Name the file in another way.`,
  },
  // No document can be judged here.
  dialog: { takes: ({ isGuarded }) => !isGuarded, advice: intoField },
  'page-tool': { takes: ({ isGuarded }) => !isGuarded, advice: intoField },
  'own-tool': {
    takes: ({ isGuarded, isForTools }) => !isGuarded || isForTools,
    advice: (placeholder, { name }) =>
      `${placeholder} is sensitive, and tools do not get its value. If they are to have it, the user says so: variables: { ${keyOf(name)}: { value, tools: true } }`,
  },
  server: {
    takes: ({ isForServer }) => isForServer,
    advice: (placeholder, { name }) =>
      `This server is not told the value of ${placeholder}. Leave it out. If it is to have it, the user names it in the integration: variables: [${JSON.stringify(name)}]`,
  },
  // Texts to look for, and the data that the user gets back.
  driver: { takes: () => true, advice: never },
};

/** Whether a value may go to a sink: the one decision for all of them. */
export function mayEnter(sink: Sink, facts: SinkFacts): boolean {
  return RULES[sink].takes(facts);
}

/** Why a value does not go to a sink, and what to do instead. */
export function sinkAdvice(sink: Sink, placeholder: string, facts: SinkFacts): string {
  return RULES[sink].advice(placeholder, facts);
}

function intoField(placeholder: string): string {
  return `${placeholder} is sensitive and is typed into fields only. Fill it into a field of the page.`;
}

function keyOf(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : JSON.stringify(name);
}
