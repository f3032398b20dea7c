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

/** Calls a tool that the page declares. One tool serves all of them, so that no page can imitate a tool of the library. */
export const pageTool: Tool = tool({
  name: 'pageTool',
  // The list of declared tools explains this.
  description: '',
  kind: 'act',
  fields: { tool: text(), input: optional(text('JSON')) },
  run: async (context, { tool: name, input = '{}' }) => {
    const refusal = missingVariables(context, [input], 'page-tool');
    if (refusal) return refusal;
    const tools = toolsByCallName(await declaredTools(context.page.target).list(context.progress));
    const declared = tools.get(name);
    if (!declared) return failed(`The page has no tool ${JSON.stringify(name)} now.`);
    const given = readInput(input);
    if (given === undefined) return failed('input must be a JSON object as a string.');
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
    done: () => `Done: called ${JSON.stringify(name)} of the page${WHAT_CAME[answer?.kind ?? 'answered']}`,
    run: async () => {
      answer = await declaredTools(page.target).call(progress, declared, input).catch(notCarriedOut);
    },
  });
  if (answer?.kind === 'failed') return { ...outcome, quoted: withNotes(answer.reason, outcome), isError: true };
  if (answer?.kind !== 'answered') return outcome;
  const { quoted, images } = answerParts(answer.output);
  return { ...outcome, quoted: withNotes(quoted, outcome), ...(images && { images }), data: answer.output };
}

const WHAT_CAME: Readonly<Record<DeclaredAnswer['kind'], string>> = {
  answered: '',
  failed: ', which failed',
  navigated: ', and the page navigated',
  'filled-in': ', which filled in its form; check and submit the form',
};

/** The browser refuses a tool that the page has removed. */
function notCarriedOut(error: unknown): DeclaredAnswer {
  if (error instanceof ProtocolError) return { kind: 'failed', reason: error.reason };
  throw error;
}

/** Reads the answer of a page tool: MCP content or any other data. */
function answerParts(output: unknown): ToolOutcome {
  const parts = isRecord(output) && Array.isArray(output['content']) ? output['content'] : [output];
  return outcomeOfParts('the page', parts.map(contentPart));
}

function withNotes(said: string | undefined, { quoted }: ToolOutcome): string {
  return [said, quoted].filter(Boolean).join('\n');
}

function readInput(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) ? value : undefined;
  } catch {
    // The tool itself reports invalid input.
    return undefined;
  }
}
