import { allowsNull, branchesOf, isRecord, requiredOf, resolveSchema } from '../../model/json-schema.ts';
import type { JsonSchema } from '../../model/model-client.ts';
import { isStopWord } from '../text/word-classes.ts';
import { spellFieldName, wordsOf } from '../text/words.ts';

/** `choice` is an enum or constant. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'url' | 'choice' | 'object' | 'list';

/** A node of the schema, prepared for matching with labels on the page. */
export interface Field {
  readonly name: string;
  /** Stems of the words in the name. Empty for generic names such as `value`. */
  readonly stems: readonly string[];
  /** Stems of the words in the description. */
  readonly hints: readonly string[];
  /** True if only values of controls count, as in "the current username". */
  readonly isSetting?: boolean;
  /** True if the instruction narrows the field down, as in "annual earnings". A label must then contain all stems. */
  readonly isNarrowed?: boolean;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Allowed values, for kind `choice`. */
  readonly choices: readonly unknown[];
  /** Properties, for kind `object`. */
  readonly fields: readonly Field[];
  /** Describes the entries, for kind `list`. */
  readonly item: Field | null;
  readonly schema: JsonSchema;
}

const NAMELESS = new Set([
  'value',
  'values',
  'result',
  'results',
  'data',
  'items',
  'item',
  'list',
  'entries',
  'entry',
  'answer',
  'output',
  'extraction',
  'records',
  'rows',
  'response',
]);

/** Maximum schema depth, because a schema can refer to itself. Deeper fields count as missing. */
const MAX_DEPTH = 8;

export function readField(
  schema: unknown,
  { name, isRequired, root, depth = 0 }: { name: string; isRequired: boolean; root: JsonSchema; depth?: number },
): Field {
  const outer = resolveSchema(schema, root);
  const inner =
    branchesOf(outer)
      .map((branch) => resolveSchema(branch, root))
      .find((branch) => branch['type'] !== 'null') ?? outer;
  const description = textOf(outer['description'] ?? inner['description']);
  const isTooDeep = depth > MAX_DEPTH;
  const kind = isTooDeep ? 'list' : kindOf(inner, { name, description });
  const required = requiredOf(inner);
  const child = (childSchema: unknown, childName: string, isChildRequired: boolean): Field =>
    readField(childSchema, { name: childName, isRequired: isChildRequired, root, depth: depth + 1 });
  const properties = kind === 'object' && isRecord(inner['properties']) ? Object.entries(inner['properties']) : [];
  return {
    name,
    stems: NAMELESS.has(name) ? [] : distinctiveStems(spellFieldName(name)),
    hints: distinctiveStems(description.replace(/\(.*?\)/g, ' ')),
    kind,
    isRequired: isRequired && !isTooDeep,
    isNullable: allowsNull(outer, root),
    choices: Array.isArray(inner['enum']) ? inner['enum'] : inner['const'] === undefined ? [] : [inner['const']],
    fields: properties.map(([key, property]) => child(property, key, required.includes(key))),
    item: kind === 'list' && !isTooDeep ? child(inner['items'] ?? {}, name, true) : null,
    schema: inner,
  };
}

function kindOf(schema: JsonSchema, { name, description }: { name: string; description: string }): FieldKind {
  const types: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  const type = types.find((one) => one !== 'null');
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return 'choice';
  if (type === 'object' || schema['properties'] !== undefined) return 'object';
  if (type === 'array') return 'list';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  const isUrl =
    /^(?:uri|url|iri)/.test(textOf(schema['format'])) || LINK_NUMBER.test(description) || URL_NAME.test(name);
  return isUrl ? 'url' : 'text';
}

/** Part of the description that the library itself adds to URL fields. */
const LINK_NUMBER = /number of a link or image/;
const URL_NAME = /(?:^|[a-z_-])(?:url|uri|href)$/i;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the stems of all words except stop words. If there are only stop words, returns theirs. */
function distinctiveStems(text: string): readonly string[] {
  const words = wordsOf(text);
  const distinctive = words.filter((word) => !isStopWord(word.text));
  return (distinctive.length > 0 ? distinctive : words).map(({ stem }) => stem);
}
