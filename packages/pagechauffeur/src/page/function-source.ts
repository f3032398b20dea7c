/** A function's source as an expression; a method in the short form of object literals and classes is made one. */
export function functionSource(method: (...args: never[]) => unknown): string {
  const source = method.toString();
  if (/^(async\s*)?(function\b|\(|[\w$]+\s*=>)/.test(source)) return source;
  return source.startsWith('async ') ? source.replace('async ', 'async function ') : `function ${source}`;
}
