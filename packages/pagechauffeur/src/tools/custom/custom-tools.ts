import { DriverInvalidArgumentError } from '../../errors.ts';
import { withoutNullFields } from '../../model/null-fields.ts';
import { describeIssue, type SchemaChecker, schemaChecker } from '../../model/schema-check.ts';
import { describeValue } from '../../util/check-argument.ts';
import { isRecord } from '../../util/is-record.ts';
import { mapTexts } from '../../util/value-mask.ts';
import { missingVariables } from '../act-on-element.ts';
import type { ToolContext } from '../tool-context.ts';
import { failed, type ToolOutcome } from '../tool-outcome.ts';
import type { Tool } from '../tool.ts';
import type { OwnTool } from './custom-tool.ts';
import { outcomeFromData, outcomeFromOutput } from './tool-output.ts';
import { readSchema } from '../../extract/schema.ts';
import type { Checked } from '../../model/generate-checked.ts';
import type { JsonSchema } from '../../model/model-client.ts';
import { reasonOf } from '../../util/error-facts.ts';

export async function customTools(tools: Readonly<Record<string, OwnTool>>): Promise<Tool[]> {
  return Promise.all(Object.entries(tools).map(([name, given]) => customTool(name, given)));
}

/** What a tool of the AI SDK receives as its context. The driver has none. */
const NO_CONTEXT = { context: undefined };

interface GivenTool {
  readonly description: string;
  readonly execute: (input: unknown, options: object) => unknown;
  readonly toModelOutput: ((facts: object) => unknown) | undefined;
}

async function customTool(name: string, given: OwnTool): Promise<Tool> {
  const { description, execute, toModelOutput } = checked(name, given);
  const input = await inputOf(name, given);
  return {
    name,
    description,
    kind: 'act',
    input: input.jsonSchema,
    async run(context, asked) {
      const read = await readInput(context, { name, input, asked });
      if ('refusal' in read) return read.refusal;
      const toolCallId = crypto.randomUUID();
      const { signal } = context.progress;
      const options = { ...NO_CONTEXT, toolCallId, messages: [], abortSignal: signal };
      const output = await context.progress.race(lastOutput(execute(read.value, options), signal));
      if (!toModelOutput) return { ...outcomeFromData(name, output), data: output };
      const converted = await context.progress.race(
        Promise.resolve(toModelOutput({ toolCallId, input: read.value, output })),
      );
      return { ...outcomeFromOutput(name, converted), data: output };
    },
  };
}

/** Converts the schema of the input. Its type must be `object`. */
async function inputOf(name: string, { inputSchema }: OwnTool): Promise<ToolInput> {
  const argument = `tools.${name}.inputSchema`;
  try {
    const { jsonSchema, validate } = await toolInput(inputSchema);
    const { type = 'object' } = jsonSchema;
    if (type === 'object') return { jsonSchema: { type, ...jsonSchema }, validate };
    throw new DriverInvalidArgumentError(`schema: the type must be "object". Received ${JSON.stringify(type)}.`, {
      argument,
    });
  } catch (error) {
    if (!(error instanceof DriverInvalidArgumentError)) throw error;
    const reason = error.message.replace(/^schema: /, '');
    throw new DriverInvalidArgumentError(`${argument}: ${reason}`, { argument, cause: error });
  }
}

interface ToolInput {
  readonly jsonSchema: JsonSchema;
  readonly validate: (value: unknown) => Promise<Checked<unknown>>;
}

/**
 * Accepts JSON Schema, and what the AI SDK accepts: Zod, another Standard Schema, `jsonSchema()`, or a function that
 * returns one of them.
 */
async function toolInput(given: unknown): Promise<ToolInput> {
  const schema = isLazy(given) ? given() : given;
  if (isRecord(schema) && isAiSdkSchema(schema)) return ofAiSdk(schema);
  // Throws if this is not a schema.
  return readSchema(schema as JsonSchema);
}

/** ArkType schemas, for example, are functions, too. */
function isLazy(given: unknown): given is () => unknown {
  return typeof given === 'function' && !('~standard' in given);
}

/** Result of `jsonSchema()` from the AI SDK. */
interface AiSdkSchema {
  readonly jsonSchema: unknown;
  readonly validate?: (value: unknown) => unknown;
}

function isAiSdkSchema(schema: object): schema is AiSdkSchema {
  return Symbol.for('vercel.ai.schema') in schema && 'jsonSchema' in schema;
}

async function ofAiSdk(schema: AiSdkSchema): Promise<ToolInput> {
  const resolved = await schema.jsonSchema;
  const jsonSchema = isRecord(resolved) ? resolved : {};
  const { validate } = schema;
  if (validate) return { jsonSchema, validate: async (value) => checkedBy(await validate(value)) };
  const check = await checkerOf(jsonSchema);
  return {
    jsonSchema,
    validate: (value) => {
      const issues = check(value);
      return Promise.resolve(issues.length > 0 ? { issues } : { value });
    },
  };
}

/**
 * Without `validate`, the AI SDK does not validate the input. A schema with keywords that we do not support is
 * therefore accepted.
 */
async function checkerOf(jsonSchema: JsonSchema): Promise<SchemaChecker> {
  try {
    return await schemaChecker(jsonSchema);
  } catch (error) {
    if (!(error instanceof DriverInvalidArgumentError)) throw error;
    return () => [];
  }
}

function checkedBy(result: unknown): Checked<unknown> {
  if (isRecord(result) && result['success'] === true) return { value: result['value'] };
  const reason = isRecord(result) ? reasonOf(result['error']) : 'the input does not match the schema';
  return { issues: [{ path: [], message: reason }] };
}

interface RequestedInput {
  readonly name: string;
  readonly input: ToolInput;
  readonly asked: unknown;
}

async function readInput(
  context: ToolContext,
  { name, input, asked }: RequestedInput,
): Promise<{ readonly value: unknown } | { readonly refusal: ToolOutcome }> {
  const texts: string[] = [];
  const given = mapTexts(withoutNullFields(asked ?? {}, input.jsonSchema), (text) => {
    texts.push(text);
    return context.variables.expand(text, 'own-tool');
  });
  const refusal = missingVariables(context, texts, 'own-tool');
  if (refusal) return { refusal };
  const { value, issues } = await input.validate(given);
  if (!issues) return { value };
  return { refusal: failed(`Invalid input for ${name}: ${issues.map(describeIssue).join('; ')}`) };
}

/** An async iterable yields preliminary results. The last one is complete. */
async function lastOutput(answer: unknown, signal: AbortSignal): Promise<unknown> {
  if (!isAsyncIterable(answer)) return answer;
  let last: unknown;
  for await (const part of answer) {
    last = part;
    if (signal.aborted) break;
  }
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function checked(name: string, given: unknown): GivenTool {
  const argument = `tools.${name}`;
  if (!isRecord(given))
    throw new DriverInvalidArgumentError(
      `${argument} must be an AI SDK tool, or an object with inputSchema and execute. Received ${describeValue(given)}.`,
      { argument },
    );
  const { execute, inputSchema, toModelOutput } = given;
  if (typeof execute !== 'function')
    throw new DriverInvalidArgumentError(
      `${argument} has no function \`execute\`. Tools that the provider executes are not supported. Pass a tool with an \`execute\` function.`,
      { argument },
    );
  if (inputSchema === undefined)
    throw new DriverInvalidArgumentError(
      `${argument} has no \`inputSchema\`. Add a schema for the input of the tool.`,
      {
        argument,
      },
    );
  return {
    description: descriptionOf(argument, given),
    execute: (input, options) => execute.call(given, input, options) as unknown,
    toModelOutput:
      typeof toModelOutput === 'function' ? (facts) => toModelOutput.call(given, facts) as unknown : undefined,
  };
}

/** Calls a function once per run, with the same context as `execute`. */
function descriptionOf(tool: string, given: Readonly<Record<string, unknown>>): string {
  const argument = `${tool}.description`;
  const { description = '' } = given;
  const text =
    typeof description === 'function' ? called(argument, () => description.call(given, NO_CONTEXT)) : description;
  if (typeof text === 'string') return text;
  throw new DriverInvalidArgumentError(
    `${argument} must be a string, or a function that returns one. Received ${describeValue(text)}.`,
    { argument },
  );
}

function called(argument: string, call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    throw new DriverInvalidArgumentError(
      `${argument} threw: ${reasonOf(error)}. Agents call it with \`{ context: undefined }\`.`,
      { argument, cause: error },
    );
  }
}
