import { isRecord } from '../../util/is-record.ts';
import { type Echo, withoutEcho } from './echo.ts';

/** Property names from the root. Never contains list indexes. */
export type FieldPath = readonly string[];

/** A field for which several parts gave a value. */
export interface PartValues {
  readonly path: FieldPath;
  /** In page order. */
  readonly values: readonly unknown[];
}

/** The combined answer, with the paths that needed merging. */
export interface MergedAnswers {
  readonly output: unknown;
  readonly fields: readonly PartValues[];
  /** Lists to which several parts contributed entries. */
  readonly lists: readonly FieldPath[];
}

export interface PartAnswer {
  readonly output: unknown;
  readonly echo: Echo;
}

/** Merges answers in page order. Joins lists, without entries from context lines. Other fields keep the first value. */
export function mergeAnswers(answers: readonly PartAnswer[]): MergedAnswers {
  const merger = new Merger();
  const output = answers.reduce<unknown>((merged, answer) => merger.merge(merged, answer, []), undefined);
  return { output, fields: merger.fields, lists: merger.lists };
}

export function valueAt(data: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), data);
}

export function withValues(data: unknown, values: readonly { path: FieldPath; value: unknown }[]): unknown {
  return values.reduce((changed, { path, value }) => withValue(changed, path, value), data);
}

function withValue(data: unknown, [name, ...rest]: FieldPath, value: unknown): unknown {
  if (name === undefined) return value;
  const fields = isRecord(data) ? data : {};
  return { ...fields, [name]: withValue(fields[name], rest, value) };
}

class Merger {
  readonly #byPath = new Map<
    string,
    { readonly path: FieldPath; readonly isList: boolean; readonly values: unknown[] }
  >();

  get fields(): readonly PartValues[] {
    return this.#ofSeveralParts.filter(({ isList }) => !isList);
  }

  get lists(): readonly FieldPath[] {
    return this.#ofSeveralParts.filter(({ isList }) => isList).map(({ path }) => path);
  }

  get #ofSeveralParts() {
    return [...this.#byPath.values()].filter(({ values }) => values.length > 1);
  }

  merge(merged: unknown, { output, echo }: PartAnswer, path: FieldPath): unknown {
    if (output === undefined || output === null) return merged === undefined ? output : merged;
    if (isRecord(output)) return this.#fieldsAsOne(isRecord(merged) ? merged : {}, { output, echo }, path);
    if (!Array.isArray(output)) {
      this.#note(path, output, false);
      return merged ?? output;
    }
    if (output.length > 0) this.#note(path, output.length, true);
    return listsAsOne(Array.isArray(merged) ? merged : [], output, echo);
  }

  #fieldsAsOne(
    merged: Readonly<Record<string, unknown>>,
    { output, echo }: { output: Readonly<Record<string, unknown>>; echo: Echo },
    path: FieldPath,
  ): unknown {
    const names = new Set([...Object.keys(merged), ...Object.keys(output)]);
    const fields = Array.from(names, (name) => {
      const inner = { output: output[name], echo };
      return [name, this.merge(merged[name], inner, [...path, name])] as const;
    });
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }

  #note(path: FieldPath, value: unknown, isList: boolean): void {
    const key = JSON.stringify(path);
    const noted = this.#byPath.get(key);
    if (noted) noted.values.push(value);
    else this.#byPath.set(key, { path, isList, values: [value] });
  }
}

/** The later list may start with entries that repeat or continue those at the end of the earlier one. */
function listsAsOne(before: readonly unknown[], next: readonly unknown[], echo: Echo): unknown[] {
  const { entries, continued } = withoutEcho(before, next, echo);
  if (continued === undefined) return [...before, ...entries];
  return [...before.slice(0, -1), continued, ...entries];
}
