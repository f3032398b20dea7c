import { isRecord } from '../../util/is-record.ts';
import type { Checked } from '../../model/generate-checked.ts';
import { withoutNullFields } from '../../model/null-fields.ts';
import type { JsonSchema, ModelImage } from '../../model/model-client.ts';
import type { SchemaIssue } from '../../errors.ts';
import { askPage } from '../ask-page.ts';
import type { ExtractCall } from '../extract-call.ts';
import type { PageQuestion } from '../page-question.ts';
import { askForWhole } from './ask-for-whole.ts';
import { echoOf } from './echo.ts';
import { mergeAnswers, type PartAnswer } from './merge-answers.ts';
import type { CutPage, PagePart } from './page-parts.ts';
import { allowsNull, mapValues, resolveSchema } from '../../model/json-schema.ts';

/** Maximum number of concurrent model calls. More could exceed the rate limits of providers. */
const PARTS_AT_A_TIME = 4;

export interface PartsQuestion<T> extends Pick<PageQuestion<T>, 'instruction' | 'schema' | 'rules'> {
  /** Returns the data in a response, to which the paths of issues refer. */
  readonly unwrap: (output: unknown) => unknown;
  readonly images: readonly ModelImage[] | undefined;
}

/** Asks about every part of a page and merges the answers in page order. Fails if one part fails. */
export async function askParts<T>(call: ExtractCall, { page, parts }: CutPage, question: PartsQuestion<T>): Promise<T> {
  const { progress } = call;
  const { schema, rules } = question;
  const asked = { ...question, schema: partSchema(schema) };
  const answers = await inOrder(parts, (part, index) => askPart(call, asked, { part, index, count: parts.length }), {
    onError: (error) => progress.fail(error),
  });
  const whole = await askForWhole(call, { merged: mergeAnswers(answers), question, page });
  const output = withoutNullFields(whole, schema);
  const checked = await rules.check(output);
  if (!checked.issues) return checked.value;
  throw rules.invalidError?.({ issues: checked.issues, output }) ?? new TypeError('The merged answer is invalid.');
}

/**
 * Returns the schema for one part. A field may be missing, because another part may have it, and lists may have any
 * length. List entries keep all requirements, because parts usually end between entries.
 */
function partSchema(schema: JsonSchema): JsonSchema {
  return relaxed(schema, schema, []);
}

function relaxed(schema: JsonSchema, root: JsonSchema, around: readonly JsonSchema[]): JsonSchema {
  const { properties } = schema;
  if (!isRecord(properties)) return schema;
  const within = [...around, schema];
  const { required: _, minProperties: _least, ...rest } = schema;
  return { ...rest, properties: mapValues(properties, (field) => optional(field, root, within)) };
}

function optional(field: unknown, root: JsonSchema, around: readonly JsonSchema[]): unknown {
  const schema = resolveSchema(field, root);
  if (schema['type'] === 'array' && !('prefixItems' in schema)) return ofAnyLength(schema, field);
  if (schema['type'] === 'object' && isRecord(schema['properties']) && !around.includes(schema))
    return relaxed({ ...schema, ...described(field) }, root, [...around, schema]);
  if (allowsNull(field, root)) return field;
  return { anyOf: [field, { type: 'null' }], ...described(field) };
}

function ofAnyLength(schema: JsonSchema, field: unknown): JsonSchema {
  const { minItems: _least, maxItems: _most, uniqueItems: _unique, ...rest } = schema;
  return { ...rest, ...described(field) };
}

function described(field: unknown): JsonSchema {
  return isRecord(field) && typeof field['description'] === 'string' ? { description: field['description'] } : {};
}

interface AskedPart {
  readonly part: PagePart;
  readonly index: number;
  readonly count: number;
}

async function askPart<T>(
  call: ExtractCall,
  { instruction, schema, rules, unwrap, images }: PartsQuestion<T>,
  { part, index, count }: AskedPart,
): Promise<PartAnswer> {
  const check = async (output: unknown): Promise<Checked<unknown>> => {
    const { issues = [] } = await rules.check(output);
    const own = issues.filter(({ path }) => isOfPart(path, unwrap(output)));
    return own.length > 0 ? { issues: own } : { value: output };
  };
  const output = await askPage(call, part.page, {
    instruction,
    schema,
    note: noteFor({ part, index, count }),
    rules: { ...rules, check },
    // The screenshot shows the viewport, which is usually the first part.
    ...(images && index === 0 ? { images } : {}),
  });
  return { output, echo: echoOf(part.context, part.own) };
}

function noteFor({ part: { context }, index, count }: AskedPart): string {
  const above =
    context.length === 0
      ? ''
      : ` The first ${context.length} lines come from further up on the page: they only show where this part belongs, and are read with an earlier part.`;
  return (
    `This is part ${index + 1} of ${count} of the page. The others are read separately, and the results are merged in order.${above} ` +
    'Answer from this part only: null for values that are not in it, an empty list for lists without entries.'
  );
}

/**
 * True if the model must fix the issue in this part. A missing field can be in another part, but a value or list entry
 * that is present must be valid.
 */
function isOfPart(path: SchemaIssue['path'], data: unknown): boolean {
  if (path.some((step) => typeof step === 'number')) return true;
  const value = path.reduce<unknown>((inner, step) => (isRecord(inner) ? inner[step] : undefined), data);
  return value !== undefined && value !== null && typeof value !== 'object';
}

async function inOrder<T, U>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<U>,
  { onError }: { readonly onError: (error: unknown) => void },
): Promise<readonly U[]> {
  const results: U[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  try {
    await Promise.all(Array.from({ length: PARTS_AT_A_TIME }, worker));
  } catch (error) {
    onError(error);
    throw error;
  }
  return results;
}
