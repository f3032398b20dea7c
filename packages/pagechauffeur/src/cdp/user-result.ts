import type { Protocol } from 'devtools-protocol';
import { TYPED_ARRAYS } from './typed-arrays.ts';

/** Deep serialization is done by the browser, so page scripts cannot interfere. */
export const BY_VALUE: Protocol.Runtime.SerializationOptions = { serialization: 'deep' };

type Written = Protocol.Runtime.DeepSerializedValue;
type Step = string | number;

/** The path in the result of a value that the browser does not serialize, such as an error or a typed array. */
export interface OpaqueValue {
  readonly path: readonly Step[];
}

interface OpaqueFacts {
  readonly error?: { readonly name: string; readonly message: string; readonly stack: string };
  readonly bytes?: { readonly kind: string; readonly text: string };
  readonly url?: string;
  readonly json?: unknown;
}

const OPAQUE = new Set<string>(['error', 'typedarray', 'arraybuffer', 'platformobject']);

/** Returns the values that need {@link describeOpaqueValues}. */
export function opaqueValuesOf(written: Written, path: readonly Step[] = []): OpaqueValue[] {
  if (OPAQUE.has(written.type)) return [{ path }];
  return childrenOf(written).flatMap(([steps, child]) => opaqueValuesOf(child, [...path, ...steps]));
}

function childrenOf({ type, value }: Written): (readonly [steps: readonly Step[], child: Written])[] {
  if (!Array.isArray(value)) return [];
  if (type === 'object') return (value as [string, Written][]).map(([key, child]) => [[key], child]);
  if (type === 'array' || type === 'set') return (value as Written[]).map((child, index) => [[index], child]);
  if (type !== 'map') return [];
  return (value as [Written | string, Written][]).flatMap(([key, child], index) => [
    ...(typeof key === 'string' ? [] : [[[index, 0], key] as const]),
    [[index, 1], child] as const,
  ]);
}

/** Runs in the page: returns the data from which {@link readResult} recreates each opaque value. */
export function describeOpaqueValues(result: unknown, paths: readonly (readonly Step[])[]): string {
  const facts: OpaqueFacts[] = [];
  for (let index = 0; index < paths.length; index += 1) {
    let value = result;
    const path = paths[index] ?? [];
    for (let step = 0; step < path.length; step += 1) {
      if (value instanceof Map || value instanceof Set) value = [...value];
      value = (value as Record<Step, unknown>)[path[step] ?? ''];
    }
    facts[index] = factsOf(value as object);
  }
  return JSON.stringify(facts);

  function factsOf(value: object): OpaqueFacts {
    if (value instanceof ArrayBuffer) return { bytes: { kind: 'ArrayBuffer', text: textOf(new Uint8Array(value)) } };
    if (ArrayBuffer.isView(value)) {
      const kind = Object.prototype.toString.call(value).slice(8, -1);
      return { bytes: { kind, text: textOf(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) } };
    }
    if (value instanceof URL) return { url: value.href };
    if ('message' in value && 'name' in value) {
      const { name, message, stack } = value as Error;
      return { error: { name, message, stack: stack ?? '' } };
    }
    const { toJSON } = value as { toJSON?: () => unknown };
    return typeof toJSON === 'function' ? { json: toJSON.call(value) } : {};
  }

  // oxlint-disable-next-line consistent-function-scoping -- the text of the whole function goes to the page
  function textOf(bytes: Uint8Array): string {
    let text = '';
    for (let start = 0; start < bytes.length; start += 8192)
      text += String.fromCharCode(...bytes.subarray(start, start + 8192));
    return btoa(text);
  }
}

/** Recreates a result in Node. Values that are not data, such as elements and functions, become `undefined`. */
export function readResult(written: Written, opaqueFacts: readonly OpaqueFacts[] = []): unknown {
  const reader: Reader = { facts: [...opaqueFacts], known: new Map() };
  return read(written, reader);
}

interface Reader {
  /** One for each opaque value, in the order of {@link opaqueValuesOf}. */
  readonly facts: OpaqueFacts[];
  /** Objects that occur several times, by the browser's reference number. */
  readonly known: Map<number, object>;
}

function read(written: Written, reader: Reader): unknown {
  const { type } = written;
  const value: unknown = written.value;
  if (OPAQUE.has(type)) return readOpaque(reader.facts.shift() ?? {});
  switch (type) {
    case 'null':
      return null;
    case 'number':
      return Number(value);
    case 'bigint':
      return BigInt(String(value));
    case 'string':
    case 'boolean':
      return value;
    case 'date':
      return new Date(value as string);
    case 'regexp': {
      const { pattern, flags } = value as { pattern: string; flags?: string };
      return new RegExp(pattern, flags);
    }
    default:
      return readContainer(written, reader);
  }
}

function readContainer(written: Written, reader: Reader): unknown {
  const { type, weakLocalObjectReference: reference } = written;
  if (reference !== undefined && written.value === undefined) return reader.known.get(reference);
  const container = CONTAINERS[type]?.();
  if (!container) return undefined;
  if (reference !== undefined) reader.known.set(reference, container);
  fill(container, written, reader);
  return container;
}

const CONTAINERS: Readonly<Record<string, () => object>> = {
  object: () => ({}),
  array: () => [],
  map: () => new Map(),
  set: () => new Set(),
};

function fill(container: object, { value = [] }: Written, reader: Reader): void {
  if (Array.isArray(container)) for (const entry of value as Written[]) container.push(read(entry, reader));
  else if (container instanceof Set) for (const entry of value as Written[]) container.add(read(entry, reader));
  else if (container instanceof Map)
    for (const [key, entry] of value as [Written | string, Written][])
      container.set(typeof key === 'string' ? key : read(key, reader), read(entry, reader));
  else
    for (const [key, entry] of value as [string, Written][])
      Object.defineProperty(container, key, {
        value: read(entry, reader),
        writable: true,
        enumerable: true,
        configurable: true,
      });
}

function readOpaque({ error, bytes, url, json }: OpaqueFacts): unknown {
  // A value that is not thrown, so it need not be a `DriverError`.
  if (error) return Object.assign(Reflect.construct(Error, [error.message]), { name: error.name, stack: error.stack });
  if (url !== undefined) return new URL(url);
  return bytes ? readBytes(bytes) : json;
}

function readBytes({ kind, text }: { kind: string; text: string }): unknown {
  const { buffer } = Uint8Array.from(Buffer.from(text, 'base64'));
  const Type = TYPED_ARRAYS.find(({ name }) => name === kind);
  return Type ? new Type(buffer) : buffer;
}
