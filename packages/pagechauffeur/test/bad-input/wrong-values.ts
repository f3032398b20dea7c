/** What an argument takes: a value that is right, and values that are not. */
export interface Kind {
  readonly good: unknown;
  readonly wrong: readonly unknown[];
  /** The fields of an options object, each with what it takes. */
  readonly fields?: Readonly<Record<string, Kind>>;
}

const neverRight: readonly unknown[] = [null, Symbol('wrong'), (): void => undefined];

function kind(good: unknown, wrong: readonly unknown[]): Kind {
  return { good, wrong: [...neverRight, ...wrong] };
}

/** A string that names something. */
export const name: Kind = kind('#absent', [5, '', '  ', {}, [], true]);
/** A string that may be empty. */
export const text: Kind = kind('words', [5, {}, [], true, 5n]);
/** A number that is no limit of time. */
export const number: Kind = kind(1, ['1', Number.NaN, Number.POSITIVE_INFINITY, {}, true]);
/** Milliseconds of a wait. */
export const milliseconds: Kind = kind(1, ['1', Number.NaN, -1, {}, true]);
/** The limit of a call; none is right too. */
export const timeout: Kind = kind(1, ['1', Number.NaN, -1, {}, true]);
/** A boolean. */
export const flag: Kind = kind(false, ['yes', 0, 1, {}]);
/** What ends a call. */
export const signal: Kind = kind(new AbortController().signal, ['x', 5, {}, new AbortController()]);
/** A sparse array. Methods such as `every` skip its hole. */
export const withHole: readonly unknown[] = Object.assign([], { length: 1 });
/** An array of strings. */
export const strings: Kind = kind([], [5, {}, [5], [null], withHole, 'a']);
/** A string or several. */
export const stringOrStrings: Kind = kind('a', [5, {}, [5], [null], withHole]);

/** One of these words, which begin with the one that is used. */
export function oneOf(good: string): Kind {
  return kind(good, [5, '', 'sideways', {}, [good]]);
}

/** A whole number from `least` on. */
export function whole(least: number): Kind {
  return kind(least, ['1', 1.5, Number.NaN, ...(least === Number.MIN_SAFE_INTEGER ? [] : [least - 1]), {}]);
}

/** An object with these fields, none of which must be there. */
export function options(fields: Readonly<Record<string, Kind>> = {}): Kind {
  return { good: {}, wrong: [...neverRight, 5, 'load', true, []], fields };
}

/** Anything that these values are not. */
export function notOneOf(good: unknown, wrong: readonly unknown[]): Kind {
  return { good, wrong };
}

/** Stands for the object whose method is called, where a method takes one of its own kind. */
export const itself: unique symbol = Symbol('the object itself');
