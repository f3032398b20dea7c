import { QUESTION_KINDS } from '../util/question-kind.ts';
import { placeholderOf } from '../util/placeholders.ts';
import type { Variables } from '../policy/variables.ts';
import { oneOf, text } from './fields.ts';
import type { HandoffAnswer } from './handoff.ts';
import type { ToolContext } from './tool-context.ts';
import { failed } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

export const handoff: Tool = tool({
  name: 'handoff',
  description:
    'Asks the user: for a decision, a code that was sent to them, a captcha or a sign-in. Not for what the page shows.',
  kind: 'act',
  hasNoTimeout: true,
  fields: { kind: oneOf(QUESTION_KINDS), question: text('in one sentence') },
  run: async (context, { kind, question }) => {
    const { ask, progress, page } = context;
    if (!ask) return failed('Nobody can answer. Continue without it, or call done and say what is missing.');
    const answer = await progress.race(ask({ kind, question, url: page.url(), signal: progress.signal }));
    if (answer === undefined)
      return failed('Nobody could help. Continue without it, or call done and say what is missing.');
    return { text: formatAnswer(context, typeof answer === 'string' ? { text: answer } : answer) };
  },
});

function formatAnswer(context: ToolContext, { text: words = '', variables }: HandoffAnswer): string {
  const names = variables === undefined ? [] : added(context, variables);
  const message = words === '' ? 'The user has done it.' : `The answer: ${words}`;
  return names.length === 0 ? message : `${message} You can now use ${names.join(', ')} in arguments.`;
}

/** Adds the values as variables. They are masked from now on. */
function added({ variables: table, verbs }: ToolContext, variables: Variables): readonly string[] {
  table.add(variables);
  verbs.learn(variables);
  return Object.keys(variables).map(placeholderOf);
}
