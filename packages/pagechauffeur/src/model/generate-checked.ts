import { type DriverError, DriverInvalidArgumentError, LLMResponseError, type SchemaIssue } from '../errors.ts';
import type { JsonSchema, ModelClient, ModelMessage, ModelRequest, ModelResponse, ModelUsage } from './model-client.ts';
import { sumUsage } from './model-usage.ts';
import { withoutNullFields } from './null-fields.ts';
import { readJson } from './read-json.ts';
import { describeIssue, schemaChecker } from './schema-check.ts';

/** The checked value, or the issues that make it invalid. */
export type Checked<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly SchemaIssue[] };

/** Checks beyond the schema in the request. */
export interface AnswerRules<T> {
  /** Schema to check the response against, if less strict than the one in the request. */
  readonly schema?: JsonSchema;
  /** Checks a response that matches the schema. Issues are sent back to the model once. */
  check(output: unknown, response?: ModelResponse): Checked<T> | Promise<Checked<T>>;
  /** Creates the error for JSON that is still invalid after the repair request. Default: `LLMResponseError`. */
  invalidError?(invalid: InvalidAnswer): DriverError;
}

export interface InvalidAnswer {
  readonly issues: readonly SchemaIssue[];
  readonly output: unknown;
}

/** A valid response. `usage` includes the repair request. */
export interface CheckedAnswer<T> {
  readonly value: T;
  readonly usage: ModelUsage;
  /** 2 after a repair request. */
  readonly turns: 1 | 2;
}

/**
 * Sends a request and checks the response against the schema and `rules`. Sends an invalid response back once, with its
 * issues, unless the model refused or was cut off. Throws if no response is valid.
 */
export async function generateChecked<T>(
  client: ModelClient,
  request: ModelRequest,
  rules: AnswerRules<T>,
): Promise<CheckedAnswer<T>> {
  const first = await client.generate(request);
  const schema = rules.schema ?? request.schema;
  const verdict = await judge(first, schema, rules);
  if (!verdict.issues) return { value: verdict.value, usage: first.usage, turns: 1 };
  if (first.stopped) throw stoppedError(client, first);
  request.signal.throwIfAborted();

  const second = await client.generate(repairRequest(request, first, verdict.issues));
  const secondVerdict = await judge(second, schema, rules);
  if (!secondVerdict.issues) {
    return { value: secondVerdict.value, usage: sumUsage(first.usage, second.usage), turns: 2 };
  }
  if (second.stopped) throw stoppedError(client, second);
  throw unusableError(client, { response: second, issues: secondVerdict.issues, rules });
}

async function judge<T>(response: ModelResponse, schema: JsonSchema, rules: AnswerRules<T>): Promise<Checked<T>> {
  const data = typeof response.output === 'string' ? readJson(response.output) : response.output;
  if (data === undefined) return { issues: [{ path: [], message: 'the response is not JSON' }] };
  const output = withoutNullFields(data, schema);
  const issues = await schemaIssues(output, schema);
  return issues.length > 0 ? { issues } : rules.check(output, response);
}

/**
 * Returns the violations of the schema. Returns none if the schema has keywords that cannot be checked; then only
 * `rules.check` applies.
 */
async function schemaIssues(output: unknown, schema: JsonSchema): Promise<readonly SchemaIssue[]> {
  try {
    return (await schemaChecker(schema))(output);
  } catch (error) {
    if (error instanceof DriverInvalidArgumentError) return [];
    throw error;
  }
}

/** Appends the invalid response and its issues. Repeats the schema, because some models have not received it. */
function repairRequest(request: ModelRequest, response: ModelResponse, issues: readonly SchemaIssue[]): ModelRequest {
  const answer = answerText(response);
  const faults = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => `- ${describeIssue(issue)}`);
  const repair = [
    'Your response cannot be used:',
    ...faults,
    'Respond again, only with JSON that matches this JSON Schema:',
    JSON.stringify(request.schema),
  ].join('\n');
  const turns: ModelMessage[] = [{ role: 'user', text: repair }];
  if (answer !== '') turns.unshift({ role: 'assistant', text: answer });
  return { ...request, messages: [...request.messages, ...turns] };
}

/** Enough to show a pattern: a thousand invalid rows usually have the same issue. */
const MAX_LISTED_ISSUES = 10;

function answerText({ text, output }: ModelResponse): string {
  return text ?? (output === undefined ? '' : JSON.stringify(output));
}

function stoppedError(client: ModelClient, response: ModelResponse): LLMResponseError {
  const answer = quote(answerText(response));
  if (response.stopped === 'refused') {
    return new LLMResponseError(`${client.modelName}: the model or its provider refused to answer. It said: ${answer}`);
  }
  const { completionTokens } = response.usage;
  return new LLMResponseError(
    `${client.modelName}: the response was cut off after ${completionTokens} tokens. ` +
      `Ask for less at once, or raise maxOutputTokens of the model. It ends: ${answer}`,
  );
}

function unusableError<T>(
  client: ModelClient,
  { response, issues, rules }: { response: ModelResponse; issues: readonly SchemaIssue[]; rules: AnswerRules<T> },
): DriverError {
  const { output } = response;
  if (output !== undefined && rules.invalidError) return rules.invalidError({ issues, output });
  const faults = issues.slice(0, MAX_LISTED_ISSUES).map(describeIssue).join('; ');
  return new LLMResponseError(
    `${client.modelName}: the response is unusable, even after a second request: ${faults}. ` +
      `The model returned: ${quote(answerText(response))}`,
  );
}

function quote(text: string): string {
  if (text === '') return 'nothing.';
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED / 2)} … ${text.slice(-MAX_QUOTED / 2)}`;
}

/** Maximum characters of a response in an error message. */
const MAX_QUOTED = 400;
