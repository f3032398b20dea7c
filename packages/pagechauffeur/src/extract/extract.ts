import { LLMResponseError, SchemaValidationError } from '../errors.ts';
import { settlePage } from '../actions/settle-page.ts';
import type { Checked, InvalidAnswer } from '../model/generate-checked.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { describeIssue } from '../model/schema-check.ts';
import { isPageSettled } from '../replay/is-page-settled.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { checkFlag, checkString } from '../util/check-argument.ts';
import type { CacheStatus, VerbContext } from '../verb/verb-context.ts';
import { askAboutPage, type Question } from './ask-about-page.ts';
import { evidenceFor, type EvidenceSource, namedLines, schemaWithRefs, takeRefs } from './evidence.ts';
import { beginExtract, type ExtractCall, readSettledPage } from './extract-call.ts';
import type { AnyExtractOptions } from './extract-options.ts';
import { findValueLines } from './places/find-value-lines.ts';
import { locatedLines } from './places/located-lines.ts';
import { followPlan } from './plan/follow-plan.ts';
import { checkPlanOption, PlanMemory } from './plan/plan-memory.ts';
import type { ExtractSchema, InferSchema } from './schema.ts';
import { type ExtractionShape, extractionShape } from './schema-shape.ts';

/** The page as text: the result of `extract()` without an instruction or a schema. */
export interface PageText {
  readonly pageText: string;
}

/** The answer to an instruction that has no schema. */
export interface ExtractedText {
  readonly extraction: string;
  /** `HIT` if no model was called, else `MISS`. Set only with `env: 'REMOTE'` and `serverCache`. */
  readonly cacheStatus?: CacheStatus;
}

interface WantedData<Schema extends ExtractSchema> {
  readonly instruction: string;
  readonly schema: Schema;
}

/** Must not look like a choice to `PlanMemory`. */
const DEFAULT_INSTRUCTION = 'Extract all data described by the schema.';

const TEXT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { extraction: { type: 'string', description: 'what the instruction asks for, as text' } },
  required: ['extraction'],
  additionalProperties: false,
};

/** Returns the page text, a text that answers the instruction, or data in the form of a schema. */
export async function extractAny(
  context: VerbContext,
  { instruction, schema }: { readonly instruction: string | undefined; readonly schema: ExtractSchema | undefined },
  options: AnyExtractOptions,
): Promise<unknown> {
  checkFlag('withEvidence', options.withEvidence);
  checkPlanOption(context, options);
  if (schema === undefined)
    return instruction === undefined ? extractPageText(context, options) : extractText(context, instruction, options);
  const wanted = { schema, instruction: instruction ?? DEFAULT_INSTRUCTION };
  const { data, evidence } = await extractData(context, wanted, options);
  return options.withEvidence ? { data, evidence } : data;
}

async function extractPageText(context: VerbContext, options: AnyExtractOptions): Promise<PageText> {
  using progress = beginExtract(context, options);
  const { text } = await readSettledPage({ progress, context, options }, {});
  return { pageText: text };
}

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
    unwrap: (output) => output,
    // The response for a part of a long page can lack the field.
    check: (output) => ({ value: { extraction: (output as Partial<ExtractedText>).extraction ?? '' } }),
    invalidError: () => new LLMResponseError('extract: the model did not return text.'),
  };
  const { value } = await askAboutPage({ progress, context, options }, question, {});
  return value;
}

/** Data in the form of the user's schema. */
interface ValidData<T> {
  readonly data: T;
  /** The data before the transforms of the schema. */
  readonly untransformed: unknown;
}

/** Data, and the lines of the page that contain its values. */
interface LocatedData<T> extends ValidData<T>, EvidenceSource {}

/**
 * Extracts data in the form of a schema, from the settled page with all frames. Takes no page lock, because it changes
 * nothing:
 *
 * 1. Read the data of the settled page with a stored plan (`plan/`): from where a model found it before, without a
 *    model call. Plans are on with `experimental: true` and a cache, unless `plan` is false, a screenshot is requested,
 *    or the instruction or schema chooses or counts entries (`PlanMemory.for`). The key is URL, instruction, schema and
 *    scope.
 * 2. Without a matching plan, wait until the page settles, read it, and ask a model about the whole page, with a
 *    screenshot if one is requested. A page of more than 4 token budgets, or 2 if the schema has lists, is read in
 *    parts, whose responses may omit fields. They are merged, with one more call if the answer needs all of them, such
 *    as a total, or if they disagree (`ask-about-page.ts`). The platform's cache can answer a model call that asks the
 *    same about the same text (`ask-page.ts`).
 * 3. Check each response (`check` in `questionFor`): remove the refs that it names for the evidence (`takeRefs`),
 *    replace link numbers with URLs (`toUserData`), and validate the data, which applies the transforms of the schema.
 *    Invalid data goes back to the model once, then throws `SchemaValidationError`. A response that is not JSON goes
 *    back, too; it, and one that is refused or cut off, throws `LLMResponseError`. In a part of a page, missing fields
 *    are no issue. The merged response of a page in parts is checked, too, but does not go back.
 * 4. If plans are on, store a plan that reads exactly this data, covers the schema and contains no value of a variable.
 *    It replaces a plan that did not match. The data itself is not stored.
 * 5. With `withEvidence`, return the locations of the values. If one call reads the whole page, the model also names
 *    the elements of values that their text does not locate.
 *
 * Models see placeholders instead of variable values from earlier calls. The response gets the values back before its
 * check (`ModelService.ask`).
 */
async function extractData<Schema extends ExtractSchema>(
  context: VerbContext,
  { instruction, schema }: WantedData<Schema>,
  options: AnyExtractOptions,
): Promise<{ readonly data: InferSchema<Schema>; readonly evidence: unknown }> {
  checkString('instruction', instruction);
  const shape = await extractionShape(schema);
  using progress = beginExtract(context, options);
  const call: ExtractCall = { progress, context, options };
  const { withEvidence = false } = options;
  const memory = await planMemory(call, { instruction, schema: shape.jsonSchema });
  const result =
    (memory && (await readByPlan(call, memory, shape))) ??
    (await readByModel(call, { memory, shape, instruction, withEvidence }));
  const evidence = withEvidence ? await evidenceFor(progress, result.untransformed, result) : undefined;
  return { data: result.data, evidence };
}

/** Returns `undefined` if plans are off for this call. */
async function planMemory(
  call: ExtractCall,
  wanted: Parameters<typeof PlanMemory.for>[1],
): Promise<PlanMemory | undefined> {
  const { progress, context } = call;
  const { target } = context.page;
  const memory = PlanMemory.for(call, wanted);
  if (!memory || isPageSettled(target)) return memory;
  // If the page is about to navigate, the plan would be read and stored for its old URL.
  await settlePage(progress, target, context.domSettleTimeout);
  return PlanMemory.for(call, wanted);
}

/** Returns `undefined` if no plan is stored, the page does not match it, or the data does not match the schema. */
async function readByPlan<T>(
  call: ExtractCall,
  memory: PlanMemory,
  { validate, hasLinks }: ExtractionShape<T>,
): Promise<LocatedData<T> | undefined> {
  const { progress } = call;
  const plan = await progress.race(memory.plan());
  if (!plan) return undefined;
  const snapshot = await readSettledPage(call, { withTree: true, withXPaths: true, keepsLinkedImages: hasLinks });
  const lines = locatedLines(snapshot);
  const followed = followPlan(plan, lines);
  const checked = followed && (await progress.race(validate(followed.data)));
  const isUsed = checked !== undefined && !checked.issues;
  memory.logUse(isUsed);
  if (!followed || !isUsed) return undefined;
  return { data: checked.value, untransformed: followed.data, snapshot, lines, lineByPath: followed.lineByPath };
}

interface ModelReading<T> {
  readonly memory: PlanMemory | undefined;
  readonly shape: ExtractionShape<T>;
  readonly instruction: string;
  readonly withEvidence: boolean;
}

/** Asks a model for the data. Locates the data only if a plan or the evidence needs the locations. */
async function readByModel<T>(
  call: ExtractCall,
  { memory, shape, instruction, withEvidence }: ModelReading<T>,
): Promise<LocatedData<T>> {
  const question = questionFor(shape, instruction, withEvidence);
  const withXPaths = withEvidence || memory !== undefined;
  const { value, snapshot } = await askAboutPage(call, question, { withXPaths, keepsLinkedImages: shape.hasLinks });
  const { data, untransformed, refByPath } = value;
  if (!withXPaths) return { data, untransformed, snapshot, lines: [], lineByPath: new Map() };
  const lines = locatedLines(snapshot);
  const lineByPath = findValueLines(untransformed, lines, namedLines(lines, refByPath));
  if (memory) await call.progress.race(memory.keep(untransformed, { lines, lineByPath }));
  return { data, untransformed, snapshot, lines, lineByPath };
}

interface ModelAnswer<T> extends ValidData<T> {
  /** Refs that the model returned, by {@link pathKey} of the field. */
  readonly refByPath: ReadonlyMap<string, string>;
}

function questionFor<T>(
  shape: ExtractionShape<T>,
  instruction: string,
  withEvidence: boolean,
): Question<ModelAnswer<T>> {
  const { modelSchema, unwrap } = shape;
  const check = async (answer: unknown, snapshot: Snapshot): Promise<Checked<ModelAnswer<T>>> => {
    const { output, refByPath } = takeRefs(answer, shape);
    const restored = shape.toUserData(output, { urls: snapshot.urls, pageUrl: snapshot.url, text: snapshot.text });
    if (restored.issues) return restored;
    const untransformed = restored.value;
    const checked = await shape.validate(untransformed);
    return checked.issues ? checked : { value: { data: checked.value, untransformed, refByPath } };
  };
  return {
    instruction,
    schema: modelSchema,
    unwrap,
    check,
    invalidError,
    ...(withEvidence ? { wholePageSchema: schemaWithRefs(modelSchema) } : {}),
  };
}

function invalidError({ issues, output }: InvalidAnswer): SchemaValidationError {
  const listed = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => describeIssue(issue));
  const more = issues.length > listed.length ? `; and ${issues.length - listed.length} more` : '';
  return new SchemaValidationError(`The extracted data does not match the schema: ${listed.join('; ')}${more}.`, {
    issues,
    value: output,
  });
}

/** Maximum number of issues in the message. The error's `issues` contain all of them. */
const MAX_LISTED_ISSUES = 10;
