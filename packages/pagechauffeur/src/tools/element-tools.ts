import { DriverLocatorError } from '../errors.ts';
import { actOnElement, mergeOutcomes } from './act-on-element.ts';
import { chooseInList } from './choose-in-list.ts';
import { flag, list, oneOf, optional, ref, text } from './fields.ts';
import type { ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

/** Description of the field `submit`. */
export const SUBMIT = 'then press Enter';

export const BUTTONS = ['left', 'right', 'middle'] as const;
const CLICKS = { left: 'click', right: 'rightClick', middle: 'middleClick' } as const;

export const click: Tool = tool({
  name: 'click',
  description: '',
  kind: 'act',
  fields: {
    ref: ref(),
    button: optional(oneOf(BUTTONS)),
    twice: optional(flag()),
  },
  run: (context, { ref: name, button, twice }) => actOnElement(context, name, { method: clickMethod(button, twice) }),
});

export function clickMethod(button: (typeof BUTTONS)[number] = 'left', twice = false): string {
  return twice ? 'doubleClick' : CLICKS[button];
}

export const fill: Tool = tool({
  name: 'fill',
  description: 'fill: replaces the text of a field, sets dates and ranges.',
  kind: 'act',
  fields: { ref: ref(), text: text(), submit: optional(flag(SUBMIT)) },
  run: (context, { ref: name, text: value, submit }) => enter(context, name, { method: 'fill', value, submit }),
});

export const typeText: Tool = tool({
  name: 'type',
  description: 'type: appends text key by key.',
  kind: 'act',
  fields: { ref: ref(), text: text(), submit: optional(flag(SUBMIT)) },
  run: (context, { ref: name, text: value, submit }) => enter(context, name, { method: 'type', value, submit }),
});

export const edit: Tool = tool({
  name: 'edit',
  description: 'replace, insert: change part of a text; find must occur in it once.',
  kind: 'act',
  fields: {
    ref: ref(),
    change: oneOf(['replace', 'insert', 'append']),
    find: optional(text('text to replace, or to insert after')),
    text: text(),
  },
  run: async (context, { ref: name, change, find, text: value }) => {
    if (change === 'append') return actOnElement(context, name, { method: change, arguments: [value] });
    if (find === undefined) return failed(`${change} needs find: text that occurs in ${name} once.`);
    return actOnElement(context, name, { method: change, arguments: [find, value] });
  },
});

/** A key follows in the same field, so the page need not settle in between. */
const BRIEF_SETTLE = { frames: 1, motion: 'arrival' } as const;

interface Entry {
  readonly method: 'fill' | 'type';
  readonly value: string;
  readonly submit: boolean | undefined;
}

async function enter(
  context: ToolContext,
  name: string,
  { method, value, submit = false }: Entry,
): Promise<ToolOutcome> {
  const entered = await actOnElement(submit ? { ...context, requiredSettle: BRIEF_SETTLE } : context, name, {
    method,
    arguments: [value],
  });
  if (!submit || entered.isError) return entered;
  const press = { method: 'press', verbPhrase: 'press Enter on', arguments: ['Enter'] };
  return mergeOutcomes(entered, await actOnElement(context, name, press));
}

/** Selects options in a `<select>` or in a custom list. */
export const select: Tool = tool({
  name: 'select',
  description: 'select: option labels, also of custom lists.',
  kind: 'act',
  fields: { ref: ref(), options: list(text()) },
  run: async (context, { ref: name, options }) => {
    try {
      return await actOnElement(context, name, { method: 'select', arguments: options });
    } catch (error) {
      const element = context.element(name);
      const isOtherList = error instanceof DriverLocatorError && error.reason === 'not-a-select';
      if (!isOtherList || !element || !context.hasTool('click')) throw error;
      return chooseInList(context, { ref: name, element }, options);
    }
  },
});

export const check: Tool = tool({
  name: 'check',
  description: '',
  kind: 'act',
  fields: { ref: ref(), on: optional(flag('default true')) },
  run: (context, { ref: name, on = true }) => actOnElement(context, name, { method: on ? 'check' : 'uncheck' }),
});

export const upload: Tool = tool({
  name: 'upload',
  description: 'upload: to a file field or its button.',
  kind: 'act',
  fields: { ref: ref(), paths: list(text()) },
  run: async (context, { ref: name, paths }) => {
    const issue = paths.map((path) => context.fileIssue(path)).find((found) => found !== null);
    if (issue === undefined) return actOnElement(context, name, { method: 'upload', arguments: paths });
    return failed(`Not uploaded: ${issue}.`);
  },
});

export const hover: Tool = tool({
  name: 'hover',
  description: '',
  kind: 'act',
  fields: { ref: ref() },
  run: (context, { ref: name }) => actOnElement(context, name, { method: 'hover' }),
});
