import { DriverInvalidArgumentError } from '../../errors.ts';
import { withoutNullFields } from '../../model/null-fields.ts';
import { describeIssue } from '../../model/schema-check.ts';
import { describeValue } from '../../util/check-argument.ts';
import { isRecord } from '../../util/is-record.ts';
import { mapTexts } from '../../util/value-mask.ts';
import { missingVariables } from '../act-on-element.ts';
import type { ToolContext } from '../tool-context.ts';
import { failed, type ToolOutcome } from '../tool-outcome.ts';
import type { Tool } from '../tool.ts';
import type { OwnTool } from './custom-tool.ts';
import { type ToolInput, toolInput } from './tool-input.ts';
import { outcomeFromData, outcomeFromOutput } from './tool-output.ts';

/** Converts custom tools to tools of the library. */
export async function customTools(tools: Readonly<Record<string, OwnTool>>): Promise<Tool[]> {
  return Promise.all(Object.entries(tools).map(([name, given]) => customTool(name, given)));
}

/** The properties of an AI SDK tool that are used here. */
interface GivenTool {
  readonly description: unknown;
  readonly execute: (input: unknown, options: object) => unknown;
  readonly toModelOutput: ((facts: object) => unknown) | undefined;
}

async function customTool(name: string, given: OwnTool): Promise<Tool> {
  const { description, execute, toModelOutput } = checked(name, given);
  const input = await inputOf(name, given);
  return {
    name,
    description: typeof description === 'string' ? description : '',
    kind: 'act',
    input: input.jsonSchema,
    async run(context, asked) {
      const read = await readInput(context, { name, input, asked });
      if ('refusal' in read) return read.refusal;
      const toolCallId = crypto.randomUUID();
      const { signal } = context.progress;
      const options = { toolCallId, messages: [], abortSignal: signal, context: undefined };
      const output = await context.progress.race(lastOutput(execute(read.value, options), signal));
      if (!toModelOutput) return { ...outcomeFromData(name, output), data: output };
      const converted = await context.progress.race(
        Promise.resolve(toModelOutput({ toolCallId, input: read.value, output })),
      );
      return { ...outcomeFromOutput(name, converted), data: output };
    },
  };
}

/** Schema of the input. Always an object, since models pass inputs as fields. */
async function inputOf(name: string, { inputSchema }: OwnTool): Promise<ToolInput> {
  const argument = `tools.${name}.inputSchema`;
  try {
    const { jsonSchema, validate } = await toolInput(inputSchema);
    const { type = 'object' } = jsonSchema;
    if (type === 'object') return { jsonSchema: { type, ...jsonSchema }, validate };
    throw new DriverInvalidArgumentError(`schema: an object was expected, not ${JSON.stringify(type)}.`, { argument });
  } catch (error) {
    if (!(error instanceof DriverInvalidArgumentError)) throw error;
    const reason = error.message.replace(/^schema: /, '');
    throw new DriverInvalidArgumentError(`${argument}: ${reason}`, { argument, cause: error });
  }
}

interface AskedInput {
  readonly name: string;
  readonly input: ToolInput;
  readonly asked: unknown;
}

/** Expands the variables in the input and validates it with the user's schema. */
async function readInput(
  context: ToolContext,
  { name, input, asked }: AskedInput,
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
  return { refusal: failed(`${name} cannot be used so: ${issues.map(describeIssue).join('; ')}`) };
}

/** The output. For a streamed output, the last part, which is complete. */
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
      `${argument} must be a tool of the AI SDK, as tool() makes it. Received ${describeValue(given)}.`,
      { argument },
    );
  const { description, execute, inputSchema, toModelOutput } = given;
  if (typeof execute !== 'function')
    throw new DriverInvalidArgumentError(
      `${argument} has no function \`execute\`. Tools that the provider executes are not supported: pass a tool with the same effect.`,
      { argument },
    );
  if (inputSchema === undefined)
    throw new DriverInvalidArgumentError(`${argument} has no \`inputSchema\`. Add a schema of the tool's input.`, {
      argument,
    });
  return {
    description,
    execute: (input, options) => execute.call(given, input, options) as unknown,
    toModelOutput:
      typeof toModelOutput === 'function' ? (facts) => toModelOutput.call(given, facts) as unknown : undefined,
  };
}
