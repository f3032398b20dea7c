import { argumentsByClass } from './arguments.ts';
import { itself } from './wrong-values.ts';

/** Methods for other parts of the library, which users do not see. */
const INTERNALS = new Set(['constructor', 'begin', 'box', 'queryOf', 'findBy', 'awaitOpenedPage', 'saveAsNew']);

/** The public methods that an object has by its class and by those above it. */
export function methodsOf(subject: object): string[] {
  const names = new Set<string>();
  for (
    let layer = Object.getPrototypeOf(subject) as object;
    layer !== Object.prototype;
    layer = Object.getPrototypeOf(layer) as object
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(layer)))
      if (typeof value === 'function' && !INTERNALS.has(name)) names.add(name);
  }
  return [...names].toSorted();
}

/** Calls a method by its name. */
export function callMethod(subject: object, method: string, args: readonly unknown[]): unknown {
  const methods = subject as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;
  return methods[method]?.apply(subject, [...args]);
}

/** Arguments that a method takes, with these limits where it has some. */
export function goodArguments(
  { className, method, subject }: { className: string; method: string; subject: object },
  limits: object = {},
): unknown[] {
  const args = argumentsByClass[className]?.[method] ?? [];
  return args.map(([, { good, fields }]) => (fields?.['timeout'] ? limits : good === itself ? subject : good));
}

/** Lets this many turns of the event loop pass, which is too few for a browser to answer what was begun before. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}
