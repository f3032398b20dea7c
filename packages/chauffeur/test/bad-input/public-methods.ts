/** Methods for other parts of the library, which users do not see. */
const INTERNALS = new Set(['constructor', 'begin', 'box', 'keepFromPictures']);

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

/** Calls a method by its name; what it throws at once comes as a rejection. */
export async function callMethod(subject: object, method: string, args: readonly unknown[]): Promise<unknown> {
  const methods = subject as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;
  return methods[method]?.apply(subject, [...args]);
}

/** Lets this many turns of the event loop pass, which is too few for a browser to answer what was begun before. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}
