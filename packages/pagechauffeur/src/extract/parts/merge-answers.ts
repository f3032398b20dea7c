import { isRecord } from '../../util/is-record.ts';
import { type Echo, withoutEcho } from './echo.ts';

/** Path of a field or list in the answer. Contains property names only, no list indexes. */
export type FieldPath = readonly string[];

/** A field with values from several parts. */
export interface PartValues {
  readonly path: FieldPath;
  /** The values, from at least two parts, in order. */
  readonly values: readonly unknown[];
}

/** The merged answers of all parts. */
export interface MergedAnswers {
  readonly output: unknown;
  /** Fields with values from at least two parts. */
  readonly fields: readonly PartValues[];
  /** Lists with entries from at least two parts. */
  readonly lists: readonly FieldPath[];
}

/** The answer of one part, and how to recognize data that an earlier part has returned. */
export interface PartAnswer {
  readonly output: unknown;
  readonly echo: Echo;
}

/** Merges answers in the order of their parts. Lists are concatenated; other fields keep the first value. */
export function mergeAnswers(answers: readonly PartAnswer[]): MergedAnswers {
  const merger = new Merger();
  const output = answers.reduce<unknown>((merged, answer) => merger.merge(merged, answer, []), undefined);
  return { output, fields: merger.fields, lists: merger.lists };
}

/** Returns the value of a field in merged data. */
export function valueAt(data: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), data);
}

/** Replaces the values of fields. */
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

/**
 * Concatenates two lists. The first entries of the later one can repeat or continue the last ones of the earlier one.
 */
function listsAsOne(before: readonly unknown[], next: readonly unknown[], echo: Echo): unknown[] {
  const { entries, continued } = withoutEcho(before, next, echo);
  if (continued === undefined) return [...before, ...entries];
  return [...before.slice(0, -1), continued, ...entries];
}
