import type { Protocol } from 'devtools-protocol';
import type { Session } from '../cdp/session.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';

/** Maximum number of objects per message to read. Others are represented by their description. */
const MAX_OBJECTS = 100;
const MAX_DEPTH = 5;

/**
 * Reads page values as plain data. Requests the properties of one object at a time, so that no getter, trap or `toJSON` of the page runs
 * and the page cannot notice it.
 */
export class ConsoleReader {
  readonly #session: Session;
  #objectsLeft = MAX_OBJECTS;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Value of a page object. */
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

/** True if the value is read by its properties instead of its description. */
export function needsPreview({ type, subtype, description = '' }: Protocol.Runtime.RemoteObject): boolean {
  if (type !== 'object' || !(subtype === undefined || subtype === 'array' || subtype === 'typedarray')) return false;
  return Number(/\((\d+)\)$/.exec(description)?.[1] ?? 0) <= PAGE_BOUNDS.entries;
}

/** A value without properties: itself if JSON can represent it, otherwise its description. */
export function plainValue(object: Protocol.Runtime.RemoteObject): unknown {
  const { type, subtype, unserializableValue, description } = object;
  if (subtype === 'null') return null;
  if (type === 'bigint') return unserializableValue;
  if (unserializableValue !== undefined) return Number(unserializableValue);
  return type === 'object' || type === 'function' || type === 'symbol' ? description : (object.value as unknown);
}

/** An array may have holes and non-index properties. */
function arrayOf(entries: readonly (readonly [string, unknown])[]): unknown[] {
  return entries.filter(([name]) => /^\d+$/.test(name)).map(([, value]) => value);
}
