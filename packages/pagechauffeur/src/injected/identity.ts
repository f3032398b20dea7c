const numberByObject = new WeakMap<object, number>();
let lastNumber = 0;

/** Returns a number that no other object has, so that identities can be compared as part of a text. */
export function numberOf(object: object): number {
  const known = numberByObject.get(object);
  if (known !== undefined) return known;
  lastNumber += 1;
  numberByObject.set(object, lastNumber);
  return lastNumber;
}
