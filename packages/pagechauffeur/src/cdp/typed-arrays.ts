/** Classes that `evaluate` can pass to and from a page. */
export const TYPED_ARRAYS: readonly (new (buffer: ArrayBuffer) => ArrayBufferView)[] = [
  Uint8Array,
  Int8Array,
  Uint8ClampedArray,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
];
