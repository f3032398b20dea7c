import { type DeclaredAnswer, type DeclaredTool, declaredTools } from '../../cdp/declared-tools.ts';
import { ProtocolError } from '../../cdp/protocol-error.ts';
import { isRecord } from '../../util/is-record.ts';
import { mapTexts } from '../../util/value-mask.ts';
import { missingVariables } from '../act-on-element.ts';
import { actOnPage } from '../act-on-page.ts';
import { optional, text } from '../fields.ts';
import { outcomeOfParts, contentPart } from '../custom/tool-output.ts';
import type { ToolContext } from '../tool-context.ts';
import { failed, type ToolOutcome } from '../tool-outcome.ts';
import { type Tool, tool } from '../tool.ts';
import { toolsByCallName } from './page-tools.ts';

/**
 * Calls a tool that the page declares. All declared tools share this one library tool, so that a page cannot imitate
 * another tool.
 */
export const pageTool: Tool = tool({
  name: 'pageTool',
  // The list of declared tools below the page text explains the call.
  description: '',
  kind: 'act',
  fields: { tool: text(), input: optional(text('JSON')) },
  run: async (context, { tool: name, input = '{}' }) => {
    const refusal = missingVariables(context, [input], 'page-tool');
    if (refusal) return refusal;
    const tools = toolsByCallName(await declaredTools(context.page.target).list(context.progress));
    const declared = tools.get(name);
    if (!declared) return failed(`The page declares no tool ${JSON.stringify(name)}.`);
    const given = readInput(input);
    if (given === undefined) return failed('input must be a string that contains a JSON object.');
    const expanded = mapTexts(given, (words) => context.variables.expand(words, 'page-tool'));
    return callOf(context, { declared, name, input: expanded });
  },
});

interface Called {
  readonly declared: DeclaredTool;
  readonly name: string;
  readonly input: unknown;
}

async function callOf(context: ToolContext, { declared, name, input }: Called): Promise<ToolOutcome> {
  const { progress, page } = context;
  let answer: DeclaredAnswer | undefined;
  const outcome = await actOnPage(context, {
    done: () => `Done: called ${JSON.stringify(name)} of the page${REPORTS[answer?.kind ?? 'answered']}`,
    run: async () => {
      answer = await declaredTools(page.target).call(progress, declared, input).catch(asFailure);
    },
  });
  if (answer?.kind === 'failed') return { ...outcome, quoted: withNotes(answer.reason, outcome), isError: true };
  if (answer?.kind !== 'answered') return outcome;
  const { quoted, images } = answerParts(answer.output);
  return { ...outcome, quoted: withNotes(quoted, outcome), ...(images && { images }), data: answer.output };
}

const REPORTS: Readonly<Record<DeclaredAnswer['kind'], string>> = {
  answered: '',
  failed: ', which failed',
  'document-gone': ', whose document was replaced or removed before it returned a result',
  'filled-in': ', which filled in its form; check and submit the form',
};

/** The browser rejects the call if the page has removed the tool. */
function asFailure(error: unknown): DeclaredAnswer {
  if (error instanceof ProtocolError) return { kind: 'failed', reason: error.reason };
  throw error;
}

/** Converts MCP content or any other data. */
function answerParts(output: unknown): ToolOutcome {
  const parts = isRecord(output) && Array.isArray(output['content']) ? output['content'] : [output];
  return outcomeOfParts('the page', parts.map(contentPart));
}

function withNotes(toolText: string | undefined, { quoted }: ToolOutcome): string {
  return [toolText, quoted].filter(Boolean).join('\n');
}

function readInput(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) ? value : undefined;
  } catch {
    // The caller reports invalid input.
    return undefined;
  }
}
