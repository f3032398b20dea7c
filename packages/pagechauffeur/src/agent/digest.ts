import { POINT_TOOLS, TOOLS } from '../tools/table.ts';
import type { ModelMessage } from '../model/model-client.ts';
import { ungrouped } from '../model/tool-groups.ts';
import { truncate } from '../util/truncate.ts';
import type { AgentAction } from './agent-result.ts';
import { COMPUTER } from './computer-use/computer-tool.ts';

/**
 * Maximum number of characters per result in a digest. Results of reading tools get more, because the page does not
 * repeat them.
 */
const MAX_RESULT_LENGTH = 160;
const MAX_READING_LENGTH = 1500;

interface DigestInput {
  /** Messages of the runs that this one continues. */
  readonly earlier: readonly ModelMessage[];
  readonly actions: readonly AgentAction[];
  readonly mostCharacters: number;
}

/** Summarizes a run with one line per tool call. Drops the oldest lines if it exceeds `mostCharacters`. */
export function digestOf({ earlier, actions, mostCharacters }: DigestInput): string {
  const lines = [...earlierLines(earlier), ...actions.map(lineOf)];
  let length = 0;
  const first = lines.findLastIndex((line) => (length += line.length + 1) > mostCharacters) + 1;
  return [...(first > 0 ? [`… ${first} earlier`] : []), ...lines.slice(first)].join('\n');
}

/** First line of a digest. The rest can contain page text, so boundary lines enclose it. */
export const DIGEST_HEADING = 'The earlier messages are omitted. Your actions so far:';
const BOUNDARY_LINE = /^page-\d{20}$\n?/gm;

/**
 * Returns one line per task, answer and action of earlier runs. A message that is a digest itself already has these
 * lines.
 */
function earlierLines(messages: readonly ModelMessage[]): readonly string[] {
  const results = new Map(messages.flatMap((message) => (message.results ?? []).map((result) => [result.id, result])));
  return messages.flatMap(({ role, kind, text, calls = [] }) => {
    if (kind === 'digest') return text.replaceAll(BOUNDARY_LINE, '').trimEnd().split('\n').slice(1);
    if (role === 'user') return kind === 'task' ? [`before: ${truncate(text, MAX_READING_LENGTH)}`] : [];
    const words = text === '' ? [] : [`before: you said ${truncate(text, MAX_READING_LENGTH)}`];
    const actions = calls.map(ungrouped).map(({ id, tool, input }) => {
      const { text: result = '' } = results.get(id) ?? {};
      return `before: ${describeAction({ tool, input, result: result.replaceAll(BOUNDARY_LINE, '') })}`;
    });
    return [...words, ...actions];
  });
}

/** Returns the results of reading tools, so that a run that ends at a limit still returns data. */
export function readingResults(actions: readonly AgentAction[]): string {
  const read = actions.filter(({ tool, success }) => success && isReading(tool));
  return read.map(({ result }) => truncate(result, MAX_READING_LENGTH)).join('\n');
}

const READING: ReadonlySet<string> = new Set(['extract', 'find', 'evaluate', 'pageTool']);
const OF_LIBRARY: ReadonlySet<string> = new Set([...TOOLS, ...POINT_TOOLS].map(({ name }) => name));

/** True for tools that are called for their result, such as `extract`. Custom and MCP tools count as such. */
export function isReading(tool: string): boolean {
  return READING.has(tool) || !(OF_LIBRARY.has(tool) || tool === COMPUTER);
}

function lineOf({ step, ...action }: AgentAction): string {
  return `step ${step}: ${describeAction(action)}`;
}

function describeAction({ tool, input, result }: Pick<AgentAction, 'tool' | 'input' | 'result'>): string {
  const given = truncate(JSON.stringify(input) ?? '', MAX_RESULT_LENGTH);
  return `${tool} ${given} → ${truncate(result, isReading(tool) ? MAX_READING_LENGTH : MAX_RESULT_LENGTH)}`;
}
