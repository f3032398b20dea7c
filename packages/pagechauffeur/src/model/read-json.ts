/**
 * Finds JSON data in a model's text: the whole text, a code block, or the first object or array in prose. Ignores
 * reasoning in `<think>` tags. Returns `undefined` if there is none.
 */
export function readJson(text: string): unknown {
  const answer = text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/g, '').trim();
  for (const candidate of candidates(answer)) {
    const data = parse(candidate);
    if (data !== undefined) return data;
  }
  return undefined;
}

function* candidates(answer: string): Generator<string> {
  yield answer;
  for (const [, block = ''] of answer.matchAll(/```[\w-]*\s*\n([\s\S]*?)```/g)) yield block;
  for (let start = nextBracket(answer, 0); start >= 0;) {
    const end = matchingBracket(answer, start);
    if (end < 0) return; // A truncated response: a complete object inside it is not the result.
    yield answer.slice(start, end + 1);
    start = nextBracket(answer, end + 1);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function nextBracket(text: string, from: number): number {
  const found = text.slice(from).search(/[{[]/);
  return found < 0 ? -1 : from + found;
}

/** Returns the index of the bracket that closes the one at `start`, or -1. Ignores brackets in strings. */
function matchingBracket(text: string, start: number): number {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{' || match[0] === '[') depth += 1;
    if (match[0] === '}' || match[0] === ']') depth -= 1;
    if (depth === 0) return match.index;
  }
  return -1;
}
