import { POINT_TOOLS, TOOLS } from '../tools/table.ts';
import type { ModelMessage } from '../model/model-client.ts';
import { ungrouped } from '../model/tool-groups.ts';
import { truncate } from '../util/truncate.ts';
import type { AgentAction } from './agent-result.ts';
import { COMPUTER } from './computer-use/computer-tool.ts';

/** Characters of a result that a digest repeats; of what was read it repeats more, because the page does not say it again. */
const LONGEST_RESULT = 160;
const LONGEST_READING = 1500;

/** What a digest tells of. */
interface Digested {
  /** What was said in runs before, which this one goes on from. */
  readonly earlier: readonly ModelMessage[];
  readonly actions: readonly AgentAction[];
  readonly mostCharacters: number;
}

/** What was done and read so far, in a line each, at most so many characters: the beginning of a long run is left out. */
export function digestOf({ earlier, actions, mostCharacters }: Digested): string {
  const lines = [...earlierLines(earlier), ...actions.map(lineOf)];
  let length = 0;
  const first = lines.findLastIndex((line) => (length += line.length + 1) > mostCharacters) + 1;
  return [...(first > 0 ? [`… ${first} earlier`] : []), ...lines.slice(first)].join('\n');
}

/** Stands before a digest, which stands between boundary lines: it repeats what pages said. */
export const DIGEST_HEADING = 'What was said so far is left out. What you have done:';
const BOUNDARY_LINE = /^page-\d{20}$\n?/gm;

/** Tasks, answers and results of runs before, or what a digest of theirs says; pages of then are left out. */
function earlierLines(messages: readonly ModelMessage[]): readonly string[] {
  const results = new Map(messages.flatMap((message) => (message.results ?? []).map((result) => [result.id, result])));
  return messages.flatMap(({ role, kind, text, calls = [] }) => {
    if (kind === 'digest') return text.replaceAll(BOUNDARY_LINE, '').trimEnd().split('\n').slice(1);
    if (role === 'user') return kind === 'task' ? [`before: ${truncate(text, LONGEST_READING)}`] : [];
    const words = text === '' ? [] : [`before: you said ${truncate(text, LONGEST_READING)}`];
    const actions = calls.map(ungrouped).map(({ id, tool, input }) => {
      const { text: result = '' } = results.get(id) ?? {};
      return `before: ${describeAction({ tool, input, result: result.replaceAll(BOUNDARY_LINE, '') })}`;
    });
    return [...words, ...actions];
  });
}

/** What a run has read so far, for whoever gets its result when a limit has ended it; empty when it has read nothing. */
export function gatheredIn(actions: readonly AgentAction[]): string {
  const read = actions.filter(({ tool, success }) => success && isReading(tool));
  return read.map(({ result }) => truncate(result, LONGEST_READING)).join('\n');
}

const READING: ReadonlySet<string> = new Set(['extract', 'find', 'evaluate', 'pageTool']);
const OF_LIBRARY: ReadonlySet<string> = new Set([...TOOLS, ...POINT_TOOLS].map(({ name }) => name));

/** Whether a tool is asked for what it tells; tools of the user and of servers are, too. */
export function isReading(tool: string): boolean {
  return READING.has(tool) || !(OF_LIBRARY.has(tool) || tool === COMPUTER);
}

function lineOf({ step, ...action }: AgentAction): string {
  return `step ${step}: ${describeAction(action)}`;
}

function describeAction({ tool, input, result }: Pick<AgentAction, 'tool' | 'input' | 'result'>): string {
  const given = truncate(JSON.stringify(input) ?? '', LONGEST_RESULT);
  return `${tool} ${given} → ${truncate(result, isReading(tool) ? LONGEST_READING : LONGEST_RESULT)}`;
}
