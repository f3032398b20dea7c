import type { Protocol } from 'devtools-protocol';
import type { Session } from '../cdp/session.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';

/** Maximum number of objects read per message. Further objects become their description. */
const MAX_OBJECTS = 100;
const MAX_DEPTH = 5;

/**
 * Converts remote objects to plain data, with one `Runtime.getProperties` per object. Runs no getter, proxy trap or
 * `toJSON` of the page, so the page cannot detect it.
 */
export class ConsoleReader {
  readonly #session: Session;
  #objectsLeft = MAX_OBJECTS;

  constructor(session: Session) {
    this.#session = session;
  }

  async read(object: Protocol.Runtime.RemoteObject, depth = 0): Promise<unknown> {
    if (!needsPreview(object)) return plainValue(object);
    if (depth === MAX_DEPTH || this.#objectsLeft === 0 || object.objectId === undefined) return object.description;
    this.#objectsLeft -= 1;
    const { result } = await this.#session.send('Runtime.getProperties', {
      objectId: object.objectId,
      ownProperties: true,
    });
    const shown = result.filter(({ enumerable, name }) => enumerable && name !== '__proto__');
    const entries = await Promise.all(shown.map(async (property) => this.#entry(property, depth + 1)));
    return object.subtype ? arrayOf(entries) : Object.fromEntries(entries);
  }

  async #entry({ name, value }: Protocol.Runtime.PropertyDescriptor, depth: number): Promise<[string, unknown]> {
    return [name, value ? await this.read(value, depth) : '[getter]'];
  }
}

/**
 * True for objects and for arrays with at most `PAGE_BOUNDS.entries` items: their properties are read. Other values are
 * sent by value or as their description.
 */
export function needsPreview({ type, subtype, description = '' }: Protocol.Runtime.RemoteObject): boolean {
  if (type !== 'object' || !(subtype === undefined || subtype === 'array' || subtype === 'typedarray')) return false;
  return Number(/\((\d+)\)$/.exec(description)?.[1] ?? 0) <= PAGE_BOUNDS.entries;
}

/**
 * Converts a value without reading its properties: `bigint` becomes a string; objects, functions and symbols become
 * their description.
 */
export function plainValue(object: Protocol.Runtime.RemoteObject): unknown {
  const { type, subtype, unserializableValue, description } = object;
  if (subtype === 'null') return null;
  if (type === 'bigint') return unserializableValue;
  if (unserializableValue !== undefined) return Number(unserializableValue);
  return type === 'object' || type === 'function' || type === 'symbol' ? description : (object.value as unknown);
}

/** Keeps only the items: drops holes and named properties. */
function arrayOf(entries: readonly (readonly [string, unknown])[]): unknown[] {
  return entries.filter(([name]) => /^\d+$/.test(name)).map(([, value]) => value);
}
