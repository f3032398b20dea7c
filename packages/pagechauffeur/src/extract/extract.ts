import { LLMResponseError, SchemaValidationError } from '../errors.ts';
import type { Checked, InvalidAnswer } from '../model/generate-checked.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { describeIssue } from '../model/schema-check.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { checkFlag, checkString } from '../util/check-argument.ts';
import type { CacheStatus, VerbContext } from '../verb/verb-context.ts';
import { evidenceFor, type EvidenceSource, namedPlaces, schemaWithRefs, takeRefs } from './evidence.ts';
import { beginExtract, type ExtractCall, readSettledPage } from './extract-call.ts';
import type { AnyExtractOptions } from './extract-options.ts';
import { findPlaces } from './places/find-places.ts';
import { placedLines } from './places/placed-lines.ts';
import { followPlan } from './plan/follow-plan.ts';
import { checkPlanOption, PlanMemory } from './plan/plan-memory.ts';
import { type Question, readOff } from './read-off.ts';
import type { ExtractSchema, InferSchema } from './schema.ts';
import { type ExtractionShape, extractionShape } from './schema-shape.ts';

/** The page as text: the result of `extract()` without an instruction. */
export interface PageText {
  readonly pageText: string;
}

/** The answer to an instruction that has no schema. */
export interface ExtractedText {
  readonly extraction: string;
  /** `HIT` if no model was called, else `MISS`. Set only with `env: 'REMOTE'` and `serverCache`. */
  readonly cacheStatus?: CacheStatus;
}

/** The instruction and the schema. */
interface WantedData<Schema extends ExtractSchema> {
  readonly instruction: string;
  readonly schema: Schema;
}

const TEXT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { extraction: { type: 'string', description: 'what the instruction asks for, as text' } },
  required: ['extraction'],
  additionalProperties: false,
};

/** Returns the page text, an answer as text, or data, depending on the arguments. */
export async function extractAny(
  context: VerbContext,
  { instruction, schema }: { readonly instruction: string | undefined; readonly schema: ExtractSchema | undefined },
  options: AnyExtractOptions,
): Promise<unknown> {
  checkFlag('withEvidence', options.withEvidence);
  checkPlanOption(context, options);
  if (schema === undefined)
    return instruction === undefined ? extractPageText(context, options) : extractText(context, instruction, options);
  const wanted = { schema, instruction: instruction ?? 'Extract the data that the schema describes.' };
  const { data, evidence } = await extractData(context, wanted, options);
  return options.withEvidence ? { data, evidence } : data;
}

/** Returns the page text. Calls no model. */
async function extractPageText(context: VerbContext, options: AnyExtractOptions): Promise<PageText> {
  using progress = beginExtract(context, options);
  const { text } = await readSettledPage({ progress, context, options }, {});
  return { pageText: text };
}

/** Answers an instruction with text. */
async function extractText(
  context: VerbContext,
  instruction: string,
  options: AnyExtractOptions,
): Promise<ExtractedText> {
  checkString('instruction', instruction);
  using progress = beginExtract(context, options);
  const question: Question<ExtractedText> = {
    instruction,
    schema: TEXT_SCHEMA,
    // One part of a long page may contain no answer.
    check: (output) => ({ value: { extraction: (output as Partial<ExtractedText>).extraction ?? '' } }),
    invalidError: () => new LLMResponseError('extract: the model did not return text.'),
  };
  const { value } = await readOff({ progress, context, options }, question, {});
  return value;
}

interface Extracted<T> {
  readonly data: T;
  /** `undefined` without `withEvidence`. */
  readonly evidence: unknown;
}

/** Extracts data, validates it and applies the transforms of the schema. */
async function extractData<Schema extends ExtractSchema>(
  context: VerbContext,
  { instruction, schema }: WantedData<Schema>,
  options: AnyExtractOptions,
): Promise<Extracted<InferSchema<Schema>>> {
  checkString('instruction', instruction);
  const shape = await extractionShape(schema);
  using progress = beginExtract(context, options);
  const call: ExtractCall = { progress, context, options };
  const { withEvidence = false } = options;
  const memory = PlanMemory.for(call, { instruction, schema: shape.jsonSchema });
  const read =
    (memory && (await readByPlan(call, memory, shape))) ??
    (await readByModel(call, { memory, shape, instruction, withPlaces: withEvidence || memory !== undefined }));
  return { data: read.data, evidence: withEvidence ? await evidenceFor(progress, read.stated, read) : undefined };
}

/** Data before and after the transforms of the user's schema, and its source. */
interface ReadData<T> extends EvidenceSource {
  readonly data: T;
  readonly stated: unknown;
}

/**
 * Reads data from where it was found before, without a model. Returns `undefined` if the page or the data does not
 * match the plan.
 */
async function readByPlan<T>(
  call: ExtractCall,
  memory: PlanMemory,
  { validate, hasLinks }: ExtractionShape<T>,
): Promise<ReadData<T> | undefined> {
  const { progress } = call;
  const plan = await progress.race(memory.plan());
  if (!plan) return undefined;
  const snapshot = await readSettledPage(call, { withTree: true, withPlaces: true, keepsAddresses: hasLinks });
  const lines = placedLines(snapshot);
  const followed = followPlan(plan, lines);
  const checked = followed && (await progress.race(validate(followed.data)));
  const isUsed = checked !== undefined && !checked.issues;
  memory.tell(isUsed);
  if (!followed || !isUsed) return undefined;
  return { data: checked.value, stated: followed.data, snapshot, lines, found: followed.found };
}

interface ModelReading<T> {
  readonly memory: PlanMemory | undefined;
  readonly shape: ExtractionShape<T>;
  readonly instruction: string;
  /** True if the caller needs to know where the page contains the data. */
  readonly withPlaces: boolean;
}

async function readByModel<T>(
  call: ExtractCall,
  { memory, shape, instruction, withPlaces }: ModelReading<T>,
): Promise<ReadData<T>> {
  const question = questionFor(shape, instruction, call.options.withEvidence ?? false);
  const { value, snapshot } = await readOff(call, question, { withPlaces, keepsAddresses: shape.hasLinks });
  const { data, stated, refByPath } = value;
  const lines = withPlaces ? placedLines(snapshot) : [];
  const found = withPlaces ? findPlaces(stated, lines, namedPlaces(lines, refByPath)) : new Map<string, number>();
  await call.progress.race(memory?.keep(stated, { lines, found }) ?? Promise.resolve());
  return { data, stated, snapshot, lines, found };
}

/** Data as it is on the page, and after the transforms of the user's schema. */
interface StatedData<T> {
  readonly data: T;
  readonly stated: unknown;
  /** Refs that the model returned, by field path. */
  readonly refByPath: ReadonlyMap<string, string>;
}

function questionFor<T>(
  shape: ExtractionShape<T>,
  instruction: string,
  withEvidence: boolean,
): Question<StatedData<T>> {
  const { modelSchema } = shape;
  const check = async (answer: unknown, snapshot: Snapshot): Promise<Checked<StatedData<T>>> => {
    const { output, refByPath } = takeRefs(answer, modelSchema);
    const stated = shape.restore(output, { urls: snapshot.urls, pageUrl: snapshot.url, text: snapshot.text });
    if (stated.issues) return stated;
    const checked = await shape.validate(stated.value);
    return checked.issues ? checked : { value: { data: checked.value, stated: stated.value, refByPath } };
  };
  return {
    instruction,
    schema: modelSchema,
    check,
    invalidError,
    ...(withEvidence ? { schemaAtOnce: schemaWithRefs(modelSchema) } : {}),
  };
}

function invalidError({ issues, output }: InvalidAnswer): SchemaValidationError {
  const listed = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => describeIssue(issue));
  const more = issues.length > listed.length ? `; and ${issues.length - listed.length} more` : '';
  return new SchemaValidationError(
    `The extracted data does not match the schema after one repair attempt: ${listed.join('; ')}${more}.`,
    { issues, value: output },
  );
}

/** Maximum number of issues in the message. The `issues` of the error contain all of them. */
const MAX_LISTED_ISSUES = 10;
