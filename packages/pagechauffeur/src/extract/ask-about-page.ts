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
  /** Schema for a call that reads the whole page. Default: `schema`. */
  readonly wholePageSchema?: JsonSchema;
  /** Returns the data in a response, to which the paths of issues refer. */
  readonly unwrap: (output: unknown) => unknown;
  /** Checks a response. `snapshot` is the whole page, even if the model has read only a part. */
  readonly check: (output: unknown, snapshot: Snapshot) => Checked<T> | Promise<Checked<T>>;
  /** Creates the error for a response that is still invalid after the repair attempt, or for an invalid merged one. */
  readonly invalidError: (invalid: InvalidAnswer) => DriverError;
}

/** The checked response, and the whole page. */
export interface Answer<T> {
  readonly value: T;
  readonly snapshot: Snapshot;
}

/**
 * A page up to this many times the token budget is read in one model call. With lists, the limit is lower, because the
 * response repeats their entries.
 */
const MAX_BUDGETS = { withLists: 2, withoutLists: 4 } as const;

/**
 * Asks a model about the page: in one call, or, if the page has more tokens than `MAX_BUDGETS` allows, in one call for
 * each part (`parts/`). Up to 4 parts are read at a time. Their responses are merged, and the model is asked again if
 * the answer needs the whole page, such as a total. A client with `readsWholePages` always gets the whole page.
 */
export async function askAboutPage<T>(
  call: ExtractCall,
  question: Question<T>,
  wanted: Pick<TreeOptions, 'withXPaths' | 'keepsLinkedImages'>,
): Promise<Answer<T>> {
  const { progress, context, options } = call;
  const client = await context.modelService.clientOf(progress, options.model);
  const withTree = wanted.withXPaths || (client !== undefined && client.readsTree !== false);
  const snapshot = await readSettledPage(call, { ...wanted, withTree });
  const maxTokens = client?.readsWholePages ? Infinity : maxTokensFor(question.schema, context.tokenBudget);
  if (textTokens(snapshot.text) > maxTokens) return askInParts(call, question, { snapshot, maxTokens, wanted });
  return { snapshot, value: await askWhole(call, question, snapshot) };
}

function maxTokensFor(schema: JsonSchema, tokenBudget: number): number {
  let hasLists = false;
  mapSchemas(schema, (inner) => {
    hasLists ||= inner['type'] === 'array' || isRecord(inner['items']);
    return inner;
  });
  return tokenBudget * (hasLists ? MAX_BUDGETS.withLists : MAX_BUDGETS.withoutLists);
}

async function askWhole<T>(call: ExtractCall, question: Question<T>, snapshot: Snapshot): Promise<T> {
  const images = await viewportPicture(call);
  const { schema, wholePageSchema = schema } = question;
  const whole = { ...pageQuestion(question, snapshot), schema: wholePageSchema };
  return askPage(call, snapshot, { ...whole, ...(images ? { images } : {}) });
}

async function askInParts<T>(
  call: ExtractCall,
  question: Question<T>,
  { snapshot, maxTokens, wanted }: { snapshot: Snapshot; maxTokens: number; wanted: TreeOptions },
): Promise<Answer<T>> {
  // `cutPage` uses the XPaths of the lines to cut the page between entries or sections.
  const placed = wanted.withXPaths ? snapshot : await readPage(call, { ...wanted, withTree: true, withXPaths: true });
  const page = cutPage(placed, maxTokens);
  if (page.parts.length < 2) return { snapshot: placed, value: await askWhole(call, question, placed) };
  call.context.log.write('extract', 2, `Reading the page in ${page.parts.length} parts.`);
  const images = await viewportPicture(call);
  return {
    snapshot: placed,
    value: await askParts(call, page, { ...pageQuestion(question, placed), unwrap: question.unwrap, images }),
  };
}

function pageQuestion<T>(
  { instruction, schema, check, invalidError }: Question<T>,
  snapshot: Snapshot,
): PageQuestion<T> {
  const rules = { check: (output: unknown) => check(output, snapshot), invalidError };
  return { instruction, schema, rules };
}
