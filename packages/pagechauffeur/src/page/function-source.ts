/** Returns a function's source as an expression. Shorthand methods such as `run() {}` get the keyword `function`. */
export function functionSource(method: (...args: never[]) => unknown): string {
  const source = method.toString();
  if (/^(async\s*)?(function\b|\(|[\w$]+\s*=>)/.test(source)) return source;
  return source.startsWith('async ') ? source.replace('async ', 'async function ') : `function ${source}`;
}
