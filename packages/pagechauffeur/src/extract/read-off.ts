import { isRecord, mapSchemas } from '../model/json-schema.ts';
import type { Checked, InvalidAnswer } from '../model/generate-checked.ts';
import type { JsonSchema } from '../model/model-client.ts';
import type { DriverError } from '../errors.ts';
import type { Snapshot, TreeOptions } from '../snapshot/snapshot.ts';
import { askPage, viewportPicture } from './ask-page.ts';
import { type ExtractCall, readPage, readSettledPage } from './extract-call.ts';
import type { PageQuestion } from './page-question.ts';
import { askParts } from './parts/ask-parts.ts';
import { cutPage } from './parts/page-parts.ts';
import { textTokens } from './text-tokens.ts';

/** A question about a page of any length. */
export interface Question<T> {
  readonly instruction: string;
  readonly schema: JsonSchema;
  /** Schema of the answer if one model call reads the whole page. Default: `schema`. */
  readonly schemaAtOnce?: JsonSchema;
  /** Checks an answer against the page in the prompt. */
  readonly check: (output: unknown, snapshot: Snapshot) => Checked<T> | Promise<Checked<T>>;
  /** Creates the error for an answer that is still invalid after the model was asked to repair it. */
  readonly invalidError: (invalid: InvalidAnswer) => DriverError;
}

/** The answer of the model, and the page in its prompt. */
export interface Answer<T> {
  readonly value: T;
  readonly snapshot: Snapshot;
}

/**
 * A page up to this many times the token budget is read in one model call. With lists, the limit is lower, because the
 * answer repeats their entries.
 */
const BUDGETS_AT_ONCE = { withLists: 2, withoutLists: 4 } as const;

/** Answers a question about the page with one model call, or in parts if the page is long. */
export async function readOff<T>(
  call: ExtractCall,
  question: Question<T>,
  wanted: Pick<TreeOptions, 'withPlaces' | 'keepsAddresses'>,
): Promise<Answer<T>> {
  const { progress, context, options } = call;
  const client = await context.modelService.clientOf(progress, options.model);
  const withTree = wanted.withPlaces || (client !== undefined && client.readsTree !== false);
  const snapshot = await readSettledPage(call, { ...wanted, withTree });
  const mostTokens = client?.readsWholePages ? Infinity : tokensAtOnce(question.schema, context.tokenBudget);
  if (textTokens(snapshot.text) > mostTokens) return askInParts(call, question, { snapshot, mostTokens, wanted });
  return { snapshot, value: await askAtOnce(call, question, snapshot) };
}

function tokensAtOnce(schema: JsonSchema, tokenBudget: number): number {
  let hasLists = false;
  mapSchemas(schema, (inner) => {
    hasLists ||= inner['type'] === 'array' || isRecord(inner['items']);
    return inner;
  });
  return tokenBudget * (hasLists ? BUDGETS_AT_ONCE.withLists : BUDGETS_AT_ONCE.withoutLists);
}

async function askAtOnce<T>(call: ExtractCall, question: Question<T>, snapshot: Snapshot): Promise<T> {
  const images = await viewportPicture(call);
  const { schema, schemaAtOnce = schema } = question;
  return askPage(call, snapshot, { ...asked(question, snapshot), schema: schemaAtOnce, ...(images ? { images } : {}) });
}

/** Reads a long page in parts. Requests the elements of its lines, which decide where it can be split. */
async function askInParts<T>(
  call: ExtractCall,
  question: Question<T>,
  { snapshot, mostTokens, wanted }: { snapshot: Snapshot; mostTokens: number; wanted: TreeOptions },
): Promise<Answer<T>> {
  const placed = wanted.withPlaces ? snapshot : await readPage(call, { ...wanted, withTree: true, withPlaces: true });
  const page = cutPage(placed, mostTokens);
  if (page.parts.length < 2) return { snapshot: placed, value: await askAtOnce(call, question, placed) };
  call.context.log.write('extract', 2, `Reading the page in ${page.parts.length} parts.`);
  const images = await viewportPicture(call);
  return { snapshot: placed, value: await askParts(call, page, { ...asked(question, placed), images }) };
}

function asked<T>({ instruction, schema, check, invalidError }: Question<T>, snapshot: Snapshot): PageQuestion<T> {
  const rules = { check: (output: unknown) => check(output, snapshot), invalidError };
  return { instruction, schema, rules };
}
