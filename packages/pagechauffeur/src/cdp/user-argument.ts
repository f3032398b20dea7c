import { DriverInvalidArgumentError } from '../errors.ts';
import { describeValue } from '../util/check-argument.ts';
import { TYPED_ARRAYS } from './typed-arrays.ts';

/** Deeper nesting overflows the stack on one of the sides. */
const DEEPEST = 500;

/** True if JSON represents the value exactly. */
export function isJsonData(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.every((entry) => isJsonData(entry, depth + 1));
  return isPlainObject(value) && Object.values(value).every((entry) => isJsonData(entry, depth + 1));
}

/** Returns source code that creates an equal value in a page. Supports JSON, dates, maps, bytes and similar values. */
export function sourceOfValue(value: unknown): string {
  return write(value, { path: 'argument', holders: [] });
}

interface Place {
  /** Path from the argument to the value, for messages. */
  readonly path: string;
  /** The objects that contain the value, outermost first. */
  readonly holders: readonly object[];
}

function write(value: unknown, place: Place): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'undefined';
    case 'object':
      return value === null ? 'null' : writeObject(value, place);
    default:
      throw notData(value, place);
  }
}

function writeObject(value: object, place: Place): string {
  if (place.holders.includes(value)) throw refused(place, 'contains a circular reference');
  if (place.holders.length > DEEPEST) throw refused(place, `is nested deeper than ${DEEPEST} levels`);
  const inside = { ...place, holders: [...place.holders, value] };
  if (Array.isArray(value)) return `[${writeEach(value, inside)}]`;
  return writeKnown(value, inside) ?? writeProperties(value, inside);
}

function writeKnown(value: object, place: Place): string | undefined {
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof RegExp) return `new RegExp(${JSON.stringify(value.source)}, ${JSON.stringify(value.flags)})`;
  if (value instanceof URL) return `new URL(${JSON.stringify(value.href)})`;
  if (value instanceof Map) return `new Map([${writeEach([...value], place)}])`;
  if (value instanceof Set) return `new Set([${writeEach([...value], place)}])`;
  if (value instanceof Error) return writeError(value);
  return writeBytes(value);
}

function writeError({ name, message, stack = '' }: Error): string {
  const facts = JSON.stringify({ name, stack });
  return `Object.assign(new Error(${JSON.stringify(message)}), ${facts})`;
}

function writeBytes(value: object): string | undefined {
  if (value instanceof ArrayBuffer) return writeBuffer(new Uint8Array(value));
  if (!ArrayBuffer.isView(value)) return undefined;
  const bytes = writeBuffer(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  const kind = TYPED_ARRAYS.find((type) => value instanceof type);
  return kind && `new ${kind.name}(${bytes})`;
}

function writeBuffer(bytes: Uint8Array): string {
  return `new Uint8Array([${bytes.join(',')}]).buffer`;
}

function writeProperties(value: object, place: Place): string {
  if (givesJson(value)) return write(value.toJSON(), place);
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw notData(value, place);
  // A computed key never sets the prototype.
  const properties = Object.entries(value).map(
    ([key, entry]) => `[${JSON.stringify(key)}]: ${write(entry, { ...place, path: `${place.path}.${key}` })}`,
  );
  return `{${properties.join(', ')}}`;
}

function givesJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function writeEach(values: readonly unknown[], place: Place): string {
  return Array.from(values, (entry, index) => write(entry, { ...place, path: `${place.path}[${index}]` })).join(', ');
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A literal `__proto__` key would set the prototype.
  if (Object.hasOwn(value, '__proto__')) return false;
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
}

function notData(value: unknown, place: Place): DriverInvalidArgumentError {
  return refused(place, `is ${describeValue(value)}, which cannot be sent`);
}

function refused({ path }: Place, why: string): DriverInvalidArgumentError {
  return new DriverInvalidArgumentError(
    `Cannot pass ${path} to the page: it ${why}. Pass plain values, arrays, objects, dates, maps, sets or bytes.`,
    { argument: path },
  );
}
