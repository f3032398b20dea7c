import { DriverInvalidArgumentError } from '../errors.ts';
import { describeValue } from '../util/check-argument.ts';
import { isArrayOf } from '../util/is-array-of.ts';
import { TYPED_ARRAYS } from './typed-arrays.ts';

/** Deeper nesting could overflow the stack, here or in the page. */
const MAX_DEPTH = 500;

/** True if JSON represents the value without loss. */
export function isJsonData(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return isArrayOf(value, (entry) => isJsonData(entry, depth + 1));
  return isPlainObject(value) && Object.values(value).every((entry) => isJsonData(entry, depth + 1));
}

/**
 * Returns source code that creates an equal value in a page. Besides JSON data, supports values such as dates, maps and
 * bytes.
 * @throws DriverInvalidArgumentError if the value cannot be sent, for example because it contains a function.
 */
export function sourceOfValue(value: unknown): string {
  return write(value, { path: 'argument', holders: [] });
}

interface ValuePath {
  /** Path in messages, such as `argument.items[2]`. */
  readonly path: string;
  /** The objects around the value, outermost first, for detecting cycles. */
  readonly holders: readonly object[];
}

function write(value: unknown, path: ValuePath): string {
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
      return value === null ? 'null' : writeObject(value, path);
    default:
      throw notData(value, path);
  }
}

function writeObject(value: object, path: ValuePath): string {
  if (path.holders.includes(value)) throw refused(path, 'contains a circular reference');
  if (path.holders.length > MAX_DEPTH) throw refused(path, `is nested deeper than ${MAX_DEPTH} levels`);
  const inside = { ...path, holders: [...path.holders, value] };
  if (Array.isArray(value)) return `[${writeEach(value, inside)}]`;
  return writeKnown(value, inside) ?? writeProperties(value, inside);
}

function writeKnown(value: object, path: ValuePath): string | undefined {
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof RegExp) return `new RegExp(${JSON.stringify(value.source)}, ${JSON.stringify(value.flags)})`;
  if (value instanceof URL) return `new URL(${JSON.stringify(value.href)})`;
  if (value instanceof Map) return `new Map([${writeEach([...value], path)}])`;
  if (value instanceof Set) return `new Set([${writeEach([...value], path)}])`;
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

function writeProperties(value: object, path: ValuePath): string {
  if (givesJson(value)) return write(value.toJSON(), path);
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw notData(value, path);
  // A computed key never sets the prototype, unlike `__proto__: …`.
  const properties = Object.entries(value).map(
    ([key, entry]) => `[${JSON.stringify(key)}]: ${write(entry, { ...path, path: `${path.path}.${key}` })}`,
  );
  return `{${properties.join(', ')}}`;
}

function givesJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function writeEach(values: readonly unknown[], path: ValuePath): string {
  return Array.from(values, (entry, index) => write(entry, { ...path, path: `${path.path}[${index}]` })).join(', ');
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // In the page, a literal `__proto__` key would set the prototype.
  if (Object.hasOwn(value, '__proto__')) return false;
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
}

function notData(value: unknown, path: ValuePath): DriverInvalidArgumentError {
  return refused(path, `is ${describeValue(value)}, which cannot be sent`);
}

function refused({ path }: ValuePath, why: string): DriverInvalidArgumentError {
  return new DriverInvalidArgumentError(
    `Cannot pass ${path} to the page: it ${why}. Pass plain values, arrays, objects, dates, maps, sets or bytes.`,
    { argument: path },
  );
}
