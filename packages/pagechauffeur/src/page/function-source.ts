/** Source of a function as an expression. Converts methods in short form. */
export function functionSource(method: (...args: never[]) => unknown): string {
  const source = method.toString();
  if (/^(async\s*)?(function\b|\(|[\w$]+\s*=>)/.test(source)) return source;
  return source.startsWith('async ') ? source.replace('async ', 'async function ') : `function ${source}`;
}
