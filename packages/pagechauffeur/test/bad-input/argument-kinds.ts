import {
  flag,
  itself,
  type Kind,
  milliseconds,
  name,
  notOneOf,
  number,
  options,
  signal,
  text,
  timeout,
  whole,
  oneOf,
} from './wrong-values.ts';

/** The arguments of a method, in order, with the names that errors call them by; null when it takes none. */
export type MethodArguments = readonly (readonly [argument: string, kind: Kind])[] | null;

/** What the methods of a class take. Every public method of the class stands here. */
export type ArgumentTable = Readonly<Record<string, MethodArguments>>;

/** What every call takes that may have to wait. */
export const limits = { timeout, signal };
/** How to navigate. */
export const navigation = { ...limits, waitUntil: oneOf('load') };

/** Of a method that takes nothing but its limits. */
export const onlyLimits = [['options', options(limits)]] as const;

/** A script of the user's, as a function or an expression. */
export const script = notOneOf(() => 1, [null, undefined, 5, '', {}, [], Symbol('wrong')]);
/** What a script is given. */
export const data = notOneOf(undefined, [Symbol('wrong'), (): void => undefined, { deep: [(): void => undefined] }]);

/** Runs a script and gives what it answers. */
export const runsScript = [
  ['script', script],
  ['argument', data],
  ['options', options(limits)],
] as const;

/** Text that is put in or typed. */
export const givesText = [
  ['text', text],
  ['options', options(limits)],
] as const;

/** The same with a pause between the keys. */
export const typesText = [
  ['text', text],
  ['options', options({ ...limits, delay: milliseconds })],
] as const;

/** A key or combination. */
export const keys = notOneOf('Enter', [null, undefined, 5, '', '  ', {}, [], 'NoSuchKey']);

/** Keys that are pressed and held for a moment. */
export const pressesKeys = [
  ['keys', keys],
  ['options', options({ ...limits, delay: milliseconds })],
] as const;

/** A point of the viewport. */
export const point = [
  ['x', number],
  ['y', number],
] as const;

const locatorOf = [
  ['selector', name],
  ['options', options({ strict: flag })],
] as const;

const words = notOneOf('words', [null, undefined, 5, {}, true, [], Symbol('wrong')]);
const byText = [
  ['text', words],
  ['options', options({ exact: flag })],
] as const;

/** Of whatever finds elements. */
export const queryArguments: ArgumentTable = {
  locator: locatorOf,
  getByRole: [
    ['role', notOneOf('button', [null, undefined, 5, '', {}, Symbol('wrong')])],
    ['options', options({ name: notOneOf('Buy', [null, 5, {}]), checked: flag, exact: flag })],
  ],
  getByText: byText,
  getByLabel: byText,
  getByPlaceholder: byText,
  getByAltText: byText,
  getByTitle: byText,
  getByTestId: [['testId', words]],
  frameLocator: [['selector', name]],
};

/** Of whatever is a document or shows one. */
export const documentArguments: ArgumentTable = {
  ...queryArguments,
  evaluate: runsScript,
  waitForSelector: [
    ['selector', name],
    ['options', options({ ...limits, state: oneOf('visible'), pierceShadow: flag })],
  ],
  title: null,
  content: null,
};

/** Of whatever has requests: which are meant, and what becomes of them. */
const pattern = notOneOf('**', [null, undefined, 5, '', {}, true, Symbol('wrong')]);
const handler = notOneOf(() => undefined, [null, undefined, 5, 'handler', {}]);

/** Waits for an address. */
export const waitsForUrl = [
  ['pattern', pattern],
  ['options', options(navigation)],
] as const;

const addInitScript = [
  ['script', notOneOf('1', [null, undefined, 5, {}, [], Symbol('wrong'), { path: 5 }, { path: 'a', content: 'b' }])],
  ['argument', notOneOf(undefined, [5, null, Symbol('wrong')])],
] as const;

/** Of whatever has requests and documents: a page, and a context for all its pages. */
export const networkArguments: ArgumentTable = {
  route: [
    ['pattern', pattern],
    ['handler', handler],
    ['options', options({ times: whole(1) })],
  ],
  unroute: [
    ['pattern', pattern],
    ['handler', notOneOf(undefined, [null, 5, 'handler', {}])],
  ],
  unrouteAll: null,
  setExtraHTTPHeaders: [['headers', notOneOf({}, [null, undefined, 5, 'headers', [], { a: 5 }, { 'a b': 'c' }])]],
  addInitScript,
};

/** An event of a class that tells events. */
export function event(good: string): Kind {
  return notOneOf(good, [null, undefined, 5, '', 'explosion', {}, Symbol('wrong')]);
}

/** Of whatever tells events, one of which is `good`. */
export function listeningArguments(good: string): ArgumentTable {
  const listener = [
    ['event', event(good)],
    ['listener', handler],
  ] as const;
  return { on: listener, once: listener, off: listener };
}

/** A locator, where another will do. */
export const otherLocator = notOneOf(itself, [null, undefined, 5, 'p', {}]);
