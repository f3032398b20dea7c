import { frameXPath } from '../snapshot/xpaths.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isRecord } from '../util/is-record.ts';
import type { Progress } from '../util/progress.ts';
import { type DataPath, type ValueLines, type NamedLines, pathKey } from './places/find-value-lines.ts';
import type { LocatedLine } from './places/located-lines.ts';
import type { JsonSchema } from '../model/model-client.ts';
import type { ExtractionShape } from './schema-shape.ts';

/** The element that contains the value of a field. */
export interface FieldEvidence {
  /** Ref of the element in the snapshot. Only interactive elements have one. */
  readonly ref?: string;
  /** `xpath=` followed by the absolute XPath, starting in the main frame. */
  readonly selector: string;
  /** Accessible name or text of the element; without one, its value, description, placeholder or URL. */
  readonly text: string;
}

/**
 * Evidence in the shape of the data: a {@link FieldEvidence} for each value, or `undefined` if no element was found for
 * the value.
 */
export type EvidenceOf<Data> = unknown extends Data
  ? unknown
  : Data extends readonly (infer Entry)[]
    ? readonly EvidenceOf<Entry>[]
    : Data extends Date | ((...args: never[]) => unknown)
      ? FieldEvidence | undefined
      : Data extends object
        ? { readonly [Name in keyof Data]: EvidenceOf<Data[Name]> }
        : FieldEvidence | undefined;

/** The result of `extract()` with `withEvidence: true`: the data, and the element that contains each value. */
export interface WithEvidence<Data, Stated = Data> {
  readonly data: Data;
  readonly evidence: EvidenceOf<Stated>;
}

/** The page, and where it contains the data. `lineByPath` maps fields to indexes in `lines`. */
export interface EvidenceSource {
  readonly snapshot: Snapshot;
  readonly lines: readonly LocatedLine[];
  readonly lineByPath: ValueLines;
}

/** Returns the data with each value replaced by its evidence. */
export async function evidenceFor(
  progress: Progress,
  data: unknown,
  { snapshot, lines, lineByPath }: EvidenceSource,
): Promise<unknown> {
  const frame = await frameXPath(progress, snapshot.frame);
  const evidenceAt = (path: DataPath): FieldEvidence | undefined => {
    const line = lines[lineByPath.get(pathKey(path)) ?? -1];
    return line && fieldEvidence(line, frame);
  };
  return mirrored(data, [], evidenceAt);
}

function fieldEvidence({ node, path }: LocatedLine, frame: string): FieldEvidence {
  const { ref, name, value, description, placeholder, url } = node;
  const text = [name, value, description, placeholder, url].find((said) => said) ?? '';
  return { ...(ref === undefined ? {} : { ref }), selector: `xpath=${frame}${path}`, text };
}

function mirrored(data: unknown, path: DataPath, evidenceAt: (path: DataPath) => FieldEvidence | undefined): unknown {
  if (Array.isArray(data)) return data.map((entry, index) => mirrored(entry, [...path, index], evidenceAt));
  if (!isRecord(data)) return evidenceAt(path);
  const fields = Object.entries(data).map(
    ([name, field]) => [name, mirrored(field, [...path, name], evidenceAt)] as const,
  );
  return Object.fromEntries(fields);
}

/** Extra field in the model's answer. */
const REFS_FIELD = 'evidence_refs';

const REFS_SCHEMA: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      field: { type: 'string', description: 'path of the field in this response, such as items.0.price' },
      ref: { type: 'string', description: 'ref of the element that it was read from' },
    },
    required: ['field', 'ref'],
    additionalProperties: false,
  },
  description:
    'refs of the elements that values were read from. Include a field only if its value occurs more than once on the page, or not literally, and the element has a ref.',
};

/** Adds a field in which the model returns the refs of elements that cannot be found by the text of a value. */
export function schemaWithRefs(schema: JsonSchema): JsonSchema {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return REFS_FIELD in properties ? schema : { ...schema, properties: { ...properties, [REFS_FIELD]: REFS_SCHEMA } };
}

/** `refByPath` maps {@link pathKey} of a field to the ref that the model named. */
interface AnswerAndRefs {
  readonly output: unknown;
  readonly refByPath: ReadonlyMap<string, string>;
}

/** Removes the refs from an answer and returns them separately. */
export function takeRefs(
  answer: unknown,
  { modelSchema, unwrapPath }: Pick<ExtractionShape<unknown>, 'modelSchema' | 'unwrapPath'>,
): AnswerAndRefs {
  const properties = modelSchema['properties'];
  if (!isRecord(answer) || (isRecord(properties) && REFS_FIELD in properties))
    return { output: answer, refByPath: new Map() };
  const { [REFS_FIELD]: refs, ...output } = answer;
  const refByPath = new Map<string, string>();
  for (const entry of Array.isArray(refs) ? refs : []) {
    if (!isRecord(entry) || typeof entry['field'] !== 'string' || typeof entry['ref'] !== 'string') continue;
    refByPath.set(pathKey(unwrapPath(pathOf(entry['field']))), entry['ref']);
  }
  return { output, refByPath };
}

/** Parses a field path. Accepts `mugs.0.price`, `mugs[0].price` and `$.mugs[0].price`. */
function pathOf(field: string): DataPath {
  const steps = field.split(/[.[\]$]+/).filter((step) => step !== '');
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** Returns the line for each ref that the model named. Drops refs that are not on the page. */
export function namedLines(lines: readonly LocatedLine[], refByPath: ReadonlyMap<string, string>): NamedLines {
  if (refByPath.size === 0) return new Map();
  const indexByRef = new Map(
    lines.flatMap(({ node }, lineIndex) => (node.ref === undefined ? [] : [[node.ref, lineIndex]])),
  );
  const lineIndexes = [...refByPath].flatMap(([path, ref]) => {
    const lineIndex = indexByRef.get(ref);
    return lineIndex === undefined ? [] : [[path, [lineIndex]] as const];
  });
  return new Map(lineIndexes);
}
