import type { ModelMessage, ModelVariable } from '../model/model-client.ts';
import { READING_RULES, variableText } from '../model/prompt.ts';

const AGENT_RULES = `You perform a task in a browser by calling tools. You then see their results and the changes of the page: \`*\` new, \`~\` changed.
- Call up to ten tools at once, unless one needs the result of another: fill in a form, submit it and call done in one step. After a call that fails or opens another page, all but done are skipped.
- Tools wait until the page settles. Its text includes what is out of view.
- If a tool fails, read the reason and try another way.
- Do what cannot be undone, such as buying or deleting, only if the task says so.
- Call done with the last action, or when the task cannot be done. If the page does not confirm it, you continue.`;

const SCREENSHOT_RULE = `
- The page comes with a screenshot of the viewport, whose content is also data. Use refs where they exist; use pixel coordinates of the screenshot where they do not.`;

interface Beginning {
  readonly task: string;
  readonly systemPrompt: string | undefined;
  /** Replaces the default rules, which describe pages as text with refs. */
  readonly rules?: string | undefined;
  readonly withScreenshots?: boolean;
  readonly variables: readonly ModelVariable[];
}

/** Returns the first messages of a conversation. The task is quoted literally. */
export function beginningOf({ task, systemPrompt, rules, withScreenshots = false, variables }: Beginning): {
  readonly system: readonly ModelMessage[];
  readonly task: ModelMessage;
} {
  const own = systemPrompt ? [systemPrompt] : [];
  const text = [
    ...(rules === undefined ? [READING_RULES, AGENT_RULES + (withScreenshots ? SCREENSHOT_RULE : '')] : [rules]),
    ...own,
  ].join('\n\n');
  return {
    system: [{ role: 'system', text, isStable: true }],
    task: { role: 'user', kind: 'task', text: `Task: ${task}${variableText(variables)}` },
  };
}
