import { ExtractTimeoutError, SchemaValidationError } from '../errors.ts';
import type { AnswerRules } from '../model/generate-checked.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { settlePage } from '../page/action/settle-page.ts';
import type { Snapshot, TreeOptions } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { checkString } from '../util/check-argument.ts';
import { Progress } from '../util/progress.ts';
import { pageView, promptMessages } from '../verb/prompt.ts';
import { VERB_TIMEOUT_MS, type VerbContext, type VerbOptions } from '../verb/verb-context.ts';
import type { ExtractSchema, InferSchema } from './schema.ts';
import { extractionShape } from './schema-shape.ts';

/** How to carry out an `extract()`. */
export interface ExtractOptions extends VerbOptions {
  /** Only this element and what is below it: XPath, CSS or any selector of a locator. */
  selector?: string;
  /** Matches are left out of the snapshot with all that is below them. */
  ignoreSelectors?: readonly string[];
  /** Adds a PNG of the viewport to the model call; default false. */
  screenshot?: boolean;
}

/** The page as text, as `extract()` gives it without an instruction. */
export interface PageText {
  readonly pageText: string;
}

/** The answer to an instruction without a schema. */
export interface ExtractedText {
  readonly extraction: string;
}

const EXTRACT_RULES = `You read data off the page, exactly as it stands there.
- Fill each field from the page; never invent, guess or round. Numbers without currency signs and thousands separators.
- A list holds every entry that the instruction asks for, in the page's order, no entry twice.
- For a field that asks for a link's number, answer the number behind #.
- Leave out, or set to null where that is allowed, what the page does not say.`;

const TEXT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { extraction: { type: 'string', description: 'what the instruction asks for, as text' } },
  required: ['extraction'],
  additionalProperties: false,
};

interface Question<T> {
  readonly instruction: string;
  readonly schema: JsonSchema;
  readonly rules: (snapshot: Snapshot) => AnswerRules<T>;
}

/** The page's text, without a model. */
export async function extractPageText(context: VerbContext, options: ExtractOptions = {}): Promise<PageText> {
  using progress = beginExtract(context, options);
  const { text } = await readPage(progress, context, { ...options, withTree: false });
  return { pageText: text };
}

/** The answer to an instruction, as text. */
export async function extractText(
  context: VerbContext,
  instruction: string,
  options: ExtractOptions = {},
): Promise<ExtractedText> {
  checkString('instruction', instruction);
  const check = (output: unknown): { value: ExtractedText } => ({
    value: { extraction: (output as ExtractedText).extraction },
  });
  return ask(context, { instruction, schema: TEXT_SCHEMA, rules: () => ({ check }) }, options);
}

/** Data of a schema's type, read off the page and checked by the schema. */
export async function extractData<Schema extends ExtractSchema>(
  context: VerbContext,
  { instruction, schema }: { instruction: string; schema: Schema },
  options: ExtractOptions = {},
): Promise<InferSchema<Schema>> {
  checkString('instruction', instruction);
  const shape = await extractionShape(schema);
  const rules = (snapshot: Snapshot): AnswerRules<InferSchema<Schema>> => ({
    check: (output) => shape.read(output, { urls: snapshot.urls, pageUrl: snapshot.url, text: snapshot.text }),
    invalidError: ({ issues, output }) =>
      new SchemaValidationError(
        `The extracted data does not match the schema, also after it was asked for once more: ${issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`).join('; ')}.`,
        { issues, value: output },
      ),
  });
  return ask(context, { instruction, schema: shape.modelSchema, rules }, options);
}

function beginExtract(context: VerbContext, { timeout = VERB_TIMEOUT_MS, signal }: ExtractOptions): Progress {
  return new Progress({
    operation: 'extract',
    timeout,
    signals: [signal, context.signal, context.page.target.gone],
    obstacle: () => context.page.target.obstacle,
    timeoutError: ExtractTimeoutError,
  });
}

async function readPage(
  progress: Progress,
  context: VerbContext,
  options: ExtractOptions & TreeOptions,
): Promise<Snapshot> {
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  return takeSnapshot(progress, context.page.target, options);
}

async function ask<T>(
  context: VerbContext,
  { instruction, schema, rules }: Question<T>,
  options: ExtractOptions,
): Promise<T> {
  using progress = beginExtract(context, options);
  const withTree = await context.desk.readsTree(progress, options.model);
  const snapshot = await readPage(progress, context, { ...options, withTree });
  const { systemPrompt, boundary } = context;
  const images = options.screenshot
    ? {
        images: [
          {
            data: await context.page.screenshot({ timeout: progress.remaining, signal: progress.signal }),
            mediaType: 'image/png' as const,
          },
        ],
      }
    : {};
  const messages = promptMessages({
    rules: EXTRACT_RULES,
    systemPrompt,
    snapshot,
    boundary,
    task: `Instruction: ${instruction}`,
    variables: [],
    ...images,
  });
  const request = {
    verb: 'extract',
    instruction,
    page: pageView(snapshot),
    variables: [],
    messages,
    schema,
    schemaName: 'extract_answer',
  } as const;
  return await context.desk.ask(progress, request, {
    model: options.model,
    rules: rules(snapshot),
    restoresValues: true,
  });
}
