import { frameXPath } from '../../snapshot/frame-xpath.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { isRecord } from '../../util/is-record.ts';
import type { Progress } from '../../util/progress.ts';
import { type DataPath, type FoundPlaces, pathKey } from '../places/find-places.ts';
import { type PlacedLine } from '../places/placed-lines.ts';

/** Where the page shows the value of a field. */
export interface FieldEvidence {
  /** Ref of the element in the snapshot. Absent for plain text, which has none. */
  readonly ref?: string;
  /** `xpath=` and the absolute XPath of the element, starting at the main frame. */
  readonly selector: string;
  /** Text of the element at this place. */
  readonly text: string;
}

/**
 * Evidence for a data type: the same fields, each with the place of its value, or `undefined` if the page does not contain the value word
 * for word.
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

/** Extracted data with its places on the page. */
export interface WithEvidence<Data, Stated = Data> {
  readonly data: Data;
  readonly evidence: EvidenceOf<Stated>;
}

/** Data and the page that it was extracted from. */
export interface EvidenceSource {
  readonly snapshot: Snapshot;
  readonly lines: readonly PlacedLine[];
  readonly found: FoundPlaces;
}

/** Evidence for each field of the data. */
export async function evidenceFor(
  progress: Progress,
  data: unknown,
  { snapshot, lines, found }: EvidenceSource,
): Promise<unknown> {
  const frame = await frameXPath(progress, snapshot.frame);
  const evidenceAt = (path: DataPath): FieldEvidence | undefined => {
    const line = lines[found.get(pathKey(path)) ?? -1];
    return line && fieldEvidence(line, frame);
  };
  return mirrored(data, [], evidenceAt);
}

function fieldEvidence({ node, path }: PlacedLine, frame: string): FieldEvidence {
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
