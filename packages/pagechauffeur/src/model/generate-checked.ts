import { type DriverError, DriverInvalidArgumentError, LLMResponseError, type SchemaIssue } from '../errors.ts';
import type { JsonSchema, ModelClient, ModelMessage, ModelRequest, ModelResponse, ModelUsage } from './model-client.ts';
import { sumUsage } from './model-usage.ts';
import { withoutNullFields } from './null-fields.ts';
import { readJson } from './read-json.ts';
import { describeIssue, schemaChecker } from './schema-check.ts';

/** The outcome of a check: the value to go on with, or what is wrong with it. */
export type Checked<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly SchemaIssue[] };

/** What an answer must satisfy beyond the request's schema. */
export interface AnswerRules<T> {
  /** What an answer must match, when that is less than the request's schema. */
  readonly schema?: JsonSchema;
  /** Reads an answer that matches the schema. Its issues are told to the model, once. */
  check(output: unknown, response?: ModelResponse): Checked<T> | Promise<Checked<T>>;
  /** The error for data that is still wrong after the repair turn; an `LLMResponseError` without it. */
  invalidError?(invalid: InvalidAnswer): DriverError;
}

/** An answer that is JSON data but not what was asked for. */
export interface InvalidAnswer {
  readonly issues: readonly SchemaIssue[];
  readonly output: unknown;
}

/** An answer that passed every check, and what it cost with the repair turn. */
export interface CheckedAnswer<T> {
  readonly value: T;
  readonly usage: ModelUsage;
  /** 2 when the model was asked once more. */
  readonly turns: 1 | 2;
}

/**
 * Asks a model, checks the answer against the request's schema and the caller's rules, and asks once more, saying
 * what was wrong, when it fails. A second failure is an error, and so is an answer that was refused or cut off.
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
  if (data === undefined) return { issues: [{ path: [], message: 'this is not JSON' }] };
  const output = withoutNullFields(data, schema);
  const issues = await schemaIssues(output, schema);
  return issues.length > 0 ? { issues } : rules.check(output, response);
}

/** A schema with keywords that cannot be checked here is left to the caller's check. */
async function schemaIssues(output: unknown, schema: JsonSchema): Promise<readonly SchemaIssue[]> {
  try {
    return (await schemaChecker(schema))(output);
  } catch (error) {
    if (error instanceof DriverInvalidArgumentError) return [];
    throw error;
  }
}

/** The same question with the faulty answer and its faults below; the schema too, for models that never saw it. */
function repairRequest(request: ModelRequest, response: ModelResponse, issues: readonly SchemaIssue[]): ModelRequest {
  const answer = answerText(response);
  const faults = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => `- ${describeIssue(issue)}`);
  const repair = [
    'Your answer cannot be used:',
    ...faults,
    'Answer again, with nothing but JSON that matches this JSON Schema:',
    JSON.stringify(request.schema),
  ].join('\n');
  const turns: ModelMessage[] = [{ role: 'user', text: repair }];
  if (answer !== '') turns.unshift({ role: 'assistant', text: answer });
  return { ...request, messages: [...request.messages, ...turns] };
}

/** Enough for a model to see the pattern; a thousand faulty rows have the same fault. */
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
    `${client.modelName}: the answer was cut off after ${completionTokens} tokens. ` +
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
    `${client.modelName}: the answer cannot be used, also after it was asked once more: ${faults}. ` +
      `It answered: ${quote(answerText(response))}`,
  );
}

function quote(text: string): string {
  if (text === '') return 'nothing.';
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED / 2)} … ${text.slice(-MAX_QUOTED / 2)}`;
}

/** Characters of an answer that an error message repeats. */
const MAX_QUOTED = 400;
