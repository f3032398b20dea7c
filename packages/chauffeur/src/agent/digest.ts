import { POINT_TOOLS, TOOLS } from '../tools/table.ts';
import type { AgentAction } from './agent-result.ts';
import { COMPUTER } from './computer-use/computer-tool.ts';

/** Characters of a result that a digest repeats; of what was read it repeats more, because the page does not say it again. */
const LONGEST_RESULT = 160;
const LONGEST_READING = 1500;

/** What a run has done and read so far, in a line each, at most so many characters: the beginning of a long run is left out. */
export function digestOf(actions: readonly AgentAction[], mostCharacters: number): string {
  const lines = actions.map(lineOf);
  let length = 0;
  const first = lines.findLastIndex((line) => (length += line.length + 1) > mostCharacters) + 1;
  return [...(first > 0 ? [`… ${first} earlier`] : []), ...lines.slice(first)].join('\n');
}

/** What a run has read so far, for whoever gets its result when a limit has ended it; empty when it has read nothing. */
export function gatheredIn(actions: readonly AgentAction[]): string {
  const read = actions.filter(({ tool, success }) => success && isReading(tool));
  return read.map(({ result }) => cut(result, LONGEST_READING)).join('\n');
}

const READING: ReadonlySet<string> = new Set(['extract', 'find', 'evaluate', 'pageTool']);
const OF_LIBRARY: ReadonlySet<string> = new Set([...TOOLS, ...POINT_TOOLS].map(({ name }) => name));

/** Tools of the user and of servers are asked for what they tell, too. */
function isReading(tool: string): boolean {
  return READING.has(tool) || !(OF_LIBRARY.has(tool) || tool === COMPUTER);
}

function lineOf({ step, tool, input, result }: AgentAction): string {
  const given = cut(JSON.stringify(input) ?? '', LONGEST_RESULT);
  return `step ${step}: ${tool} ${given} → ${cut(result, isReading(tool) ? LONGEST_READING : LONGEST_RESULT)}`;
}

function cut(text: string, longest: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
