import { isRecord, resolveSchema } from '../../model/json-schema.ts';
import type { JsonSchema } from '../../model/model-client.ts';
import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { ShownPage } from '../../model/prompt.ts';
import { askPage } from '../ask-page.ts';
import type { ExtractCall } from '../extract-call.ts';
import { type FieldPath, type MergedAnswers, type PartValues, valueAt, withValues } from './merge-answers.ts';

interface AnsweredParts {
  readonly merged: MergedAnswers;
  readonly question: { readonly instruction: string; readonly schema: JsonSchema };
  readonly page: Pick<ShownPage, 'url' | 'title'>;
}

/** Words that select entries from the whole page. A part alone does not show which entries are meant. */
const CHOOSING =
  /\b((?:first|last)(?! names?\b)|top|bottom|most|least|highest|lowest|largest|smallest|biggest|longest|shortest|cheapest|dearest|latest|newest|oldest|earliest|best|worst|sorted|ordered by|ranked|up to|at most)\b/i;
/** Words that ask for an aggregate over all entries. */
const COUNTING = /\b(how many|how much|count|number of|total|sum|average|mean|compared?)\b/i;
/** Maximum number of entries that the model selects from. A longer list is more likely the requested data itself. */
const MAX_CHOICES = 500;

/**
 * Returns the answer for the whole page. Asks the model once more about the answers for the parts if they disagree, or
 * if the instruction counts, compares or selects entries.
 */
export async function askForWhole(call: ExtractCall, { merged, question, page }: AnsweredParts): Promise<unknown> {
  const isChosen = CHOOSING.test(question.instruction);
  const isOverall = isChosen || COUNTING.test(question.instruction);
  const fields = merged.fields.filter(({ values }) => isOverall || differ(values));
  const lists = isChosen ? listsOf(merged).filter(({ entries }) => entries.length <= MAX_CHOICES) : [];
  if (fields.length + lists.length === 0) return merged.output;
  const names = new Map([...fields, ...lists].map(({ path }, index) => [path, `field_${index + 1}`] as const));
  const properties = [
    ...fields.map(({ path }) => [names.get(path), schemaAt(question.schema, path)] as const),
    ...lists.map(({ path }) => [names.get(path), ENTRY_NUMBERS] as const),
  ];
  const output = await askPage<unknown>(call, shownAnswers(page, { fields, lists, names }), {
    instruction: question.instruction,
    note: NOTE,
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: properties.map(([name]) => name),
      additionalProperties: false,
    },
    rules: { check: (value) => ({ value }) },
  });
  const answer = isRecord(output) ? output : {};
  const answered = (path: FieldPath): unknown => answer[names.get(path) ?? ''];
  return withValues(merged.output, [
    ...fields.map(({ path }) => ({ path, value: answered(path) })),
    ...lists.map(({ path, entries }) => ({ path, value: chosen(entries, answered(path)) })),
  ]);
}

const NOTE =
  'The page was too long to be read at once. The text above replaces it: results from its parts, in order, for this same ' +
  'instruction. Answer for the whole page: merge what belongs together, and decide where parts differ.';
const ENTRY_NUMBERS: JsonSchema = {
  type: 'array',
  items: { type: 'integer' },
  description: 'the numbers of the entries that the instruction asks for, in the requested order',
};

function listsOf({ output, lists }: MergedAnswers): Shown['lists'] {
  return lists.flatMap((path) => {
    const entries = valueAt(output, path);
    return Array.isArray(entries) ? [{ path, entries }] : [];
  });
}

function differ(values: readonly unknown[]): boolean {
  return new Set(values.map((value) => JSON.stringify(value))).size > 1;
}

function chosen(entries: readonly unknown[], numbers: unknown): readonly unknown[] {
  const known = Array.isArray(numbers) ? numbers.filter((number) => entries[Number(number) - 1] !== undefined) : [];
  return known.map((number) => entries[Number(number) - 1]);
}

interface Shown {
  readonly fields: readonly PartValues[];
  readonly lists: readonly { readonly path: FieldPath; readonly entries: readonly unknown[] }[];
  readonly names: ReadonlyMap<FieldPath, string>;
}

/** Formats the answers as page lines. They repeat page text, so the prompt treats them as untrusted, too. */
function shownAnswers({ url, title }: Pick<ShownPage, 'url' | 'title'>, { fields, lists, names }: Shown): ShownPage {
  const lines = [
    ...fields.flatMap(({ path, values }) =>
      values.map((value) => `${names.get(path)} (${path.join('.')}): ${JSON.stringify(value)}`),
    ),
    ...lists.flatMap(({ path, entries }) =>
      entries.map(
        (entry, index) => `${names.get(path)} (${path.join('.')}) entry ${index + 1}: ${JSON.stringify(entry)}`,
      ),
    ),
  ];
  return { url, title, text: lines.map((line) => `- ${line}`).join('\n'), nodes: lines.map(textNode) };
}

function textNode(name: string): SnapshotNode {
  return { role: 'text', name, states: [], children: [] };
}

function schemaAt(root: JsonSchema, path: FieldPath): unknown {
  return path.reduce<unknown>((schema, name) => {
    const { properties } = resolveSchema(schema, root);
    return isRecord(properties) ? properties[name] : {};
  }, root);
}
