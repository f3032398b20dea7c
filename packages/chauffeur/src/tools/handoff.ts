import type { VariableTable, Variables } from '../verb/variables.ts';
import { oneOf, text } from './fields.ts';
import type { ToolContext } from './tool-context.ts';
import { failed } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

/** What an agent needs of whoever gave it its task. */
export interface HandoffQuestion {
  /** What it is about: `question` for a decision or a fact; the others for what only a person can do or give. */
  readonly kind: 'question' | 'sign-in' | 'captcha' | 'code' | 'payment';
  /** What is needed, in a sentence of the model's. */
  readonly question: string;
  /** The page that it is about; what is done in it by hand is seen by the agent afterwards. */
  readonly url: string;
  /** Aborted when the run ends before there is an answer. */
  readonly signal: AbortSignal;
}

/** What a person answers. */
export interface HandoffAnswer {
  /** In words, which the model reads; may be left out when something was done in the browser. */
  readonly text?: string;
  /** Values that the model may use by `%name%` without seeing them, such as a code. */
  readonly variables?: Variables;
}

/** Asks the caller; the answer is a text, or text and variables. Undefined: nobody can help. */
export type Handoff = (question: HandoffQuestion) => Promise<string | HandoffAnswer | undefined>;

const KINDS = ['question', 'sign-in', 'captcha', 'code', 'payment'] as const;

/** Asks whoever gave the task. */
export const handoff: Tool = tool({
  name: 'handoff',
  description:
    'Asks the person who gave the task: for a decision that is theirs, a code that was sent to them, a captcha, a sign-in. Not for what the page can tell.',
  kind: 'act',
  isPatient: true,
  fields: { kind: oneOf(KINDS, 'what it is about'), question: text('what you need, in a sentence') },
  run: async (context, { kind, question }) => {
    const { ask, progress, page } = context;
    if (!ask) return failed('Nobody is there to answer. Go on without, or be done and say what is missing.');
    const answer = await progress.race(ask({ kind, question, url: page.url(), signal: progress.signal }));
    if (answer === undefined) return failed('Nobody could help. Go on without, or be done and say what is missing.');
    return { text: toldAnswer(context, typeof answer === 'string' ? { text: answer } : answer) };
  },
});

function toldAnswer({ variables: table }: ToolContext, { text: words = '', variables }: HandoffAnswer): string {
  const names = variables === undefined ? [] : added(table, variables);
  const said = words === '' ? 'It was seen to.' : `The answer: ${words}`;
  return names.length === 0 ? said : `${said} You may use ${names.join(', ')} in arguments now.`;
}

function added(table: VariableTable, variables: Variables): readonly string[] {
  table.add(variables);
  return Object.keys(variables).map((name) => `%${name}%`);
}
