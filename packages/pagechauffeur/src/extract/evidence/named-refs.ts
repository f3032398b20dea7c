import type { JsonSchema } from '../../model/model-client.ts';
import { isRecord } from '../../util/is-record.ts';
import { type DataPath, type NamedPlaces, pathKey } from '../places/find-places.ts';
import type { PlacedLine } from '../places/placed-lines.ts';

/** Answer field in which a model names refs. */
const REFS_FIELD = 'evidence_refs';

const REFS_SCHEMA: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      field: { type: 'string', description: 'path of the field in this answer, such as items.0.price' },
      ref: { type: 'string', description: 'ref of the element that it was read from, as in the page' },
    },
    required: ['field', 'ref'],
    additionalProperties: false,
  },
  description:
    'only for fields whose value stands on the page in several places, or not word for word: the element that each was read from, where it has a ref',
};

/** Adds a field for refs of values that cannot be located by their text. */
export function schemaWithRefs(schema: JsonSchema): JsonSchema {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return REFS_FIELD in properties ? schema : { ...schema, properties: { ...properties, [REFS_FIELD]: REFS_SCHEMA } };
}

/** An answer without its refs, and the refs by field path. */
export interface AnswerAndRefs {
  readonly output: unknown;
  readonly refByPath: ReadonlyMap<string, string>;
}

/** Separates the refs from an answer. */
export function takeRefs(answer: unknown, schema: JsonSchema): AnswerAndRefs {
  const properties = schema['properties'];
  if (!isRecord(answer) || (isRecord(properties) && REFS_FIELD in properties))
    return { output: answer, refByPath: new Map() };
  const { [REFS_FIELD]: refs, ...output } = answer;
  const refByPath = new Map<string, string>();
  for (const entry of Array.isArray(refs) ? refs : []) {
    if (!isRecord(entry) || typeof entry['field'] !== 'string' || typeof entry['ref'] !== 'string') continue;
    refByPath.set(pathKey(dataPath(entry['field'], output)), entry['ref']);
  }
  return { output, refByPath };
}

/** `mugs.0.price`, `mugs[0].price` and `$.mugs[0].price` are the same path. */
function dataPath(field: string, output: object): DataPath {
  const steps = field.split(/[.[\]$]+/).filter((step) => step !== '');
  // A root that is not an object was wrapped in the field `value`.
  const isWrapped = Object.keys(output).length === 1 && 'value' in output && steps[0] === 'value';
  return (isWrapped ? steps.slice(1) : steps).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** Lines of the named refs. Drops refs that no line has. */
export function namedPlaces(lines: readonly PlacedLine[], refByPath: ReadonlyMap<string, string>): NamedPlaces {
  if (refByPath.size === 0) return new Map();
  const placeByRef = new Map(lines.flatMap(({ node }, place) => (node.ref === undefined ? [] : [[node.ref, place]])));
  const places = [...refByPath].flatMap(([path, ref]) => {
    const place = placeByRef.get(ref);
    return place === undefined ? [] : [[path, [place]] as const];
  });
  return new Map(places);
}
