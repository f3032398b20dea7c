import { actOnElement, andThen } from './act-on-element.ts';
import { flag, list, oneOf, optional, ref, text } from './fields.ts';
import { failed } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

const VALUE = 'the text; %name% stands for a variable';

/** The buttons of a mouse. */
export const BUTTONS = ['left', 'right', 'middle'] as const;
const CLICKS = { left: 'click', right: 'rightClick', middle: 'middleClick' } as const;

/** Clicks an element. */
export const click: Tool = tool({
  name: 'click',
  description: 'Clicks an element.',
  kind: 'act',
  fields: {
    ref: ref(),
    button: optional(oneOf(BUTTONS, 'default left')),
    twice: optional(flag()),
  },
  run: (context, { ref: name, button, twice }) => actOnElement(context, name, { method: clickMethod(button, twice) }),
});

/** The method that a click with a button, or a double click, is. */
export function clickMethod(button: (typeof BUTTONS)[number] = 'left', twice = false): string {
  return twice ? 'doubleClick' : CLICKS[button];
}

/** Replaces the text of a field. */
export const fill: Tool = tool({
  name: 'fill',
  description: 'Replaces the text of a field; also sets dates, colors and ranges.',
  kind: 'act',
  fields: { ref: ref(), text: text(VALUE), submit: optional(flag('presses Enter afterwards')) },
  run: async (context, { ref: name, text: value, submit = false }) => {
    const filled = await actOnElement(context, name, { method: 'fill', arguments: [value] });
    if (!submit || filled.isError) return filled;
    const press = { method: 'press', words: 'press Enter on', arguments: ['Enter'] };
    return andThen(filled, await actOnElement(context, name, press));
  },
});

/** Adds text at the end of a field, key by key. */
export const typeText: Tool = tool({
  name: 'type',
  description: 'Adds text to what stands in a field, key by key.',
  kind: 'act',
  fields: { ref: ref(), text: text(VALUE) },
  run: (context, { ref: name, text: value }) => actOnElement(context, name, { method: 'type', arguments: [value] }),
});

/** Chooses options of a list. */
export const select: Tool = tool({
  name: 'select',
  description: 'Chooses options of an element that lists them.',
  kind: 'act',
  fields: { ref: ref(), options: list(text(), 'their labels') },
  run: (context, { ref: name, options }) => actOnElement(context, name, { method: 'select', arguments: options }),
});

/** Ticks a box or takes the tick away. */
export const check: Tool = tool({
  name: 'check',
  description: 'Ticks a checkbox, radio button or switch, or with on false unticks it.',
  kind: 'act',
  fields: { ref: ref(), on: optional(flag('default true')) },
  run: (context, { ref: name, on = true }) => actOnElement(context, name, { method: on ? 'check' : 'uncheck' }),
});

/** Gives files to a field. */
export const upload: Tool = tool({
  name: 'upload',
  description: 'Gives files to a file field, or to the button that opens one.',
  kind: 'act',
  fields: { ref: ref(), paths: list(text()) },
  run: async (context, { ref: name, paths }) => {
    const unnamed = paths.filter((path) => !context.namesFile(path));
    if (unnamed.length === 0) return actOnElement(context, name, { method: 'upload', arguments: paths });
    return failed(`The task names no file ${unnamed.join(', ')}. Only files that stand in it can be uploaded.`);
  },
});

/** Puts the pointer over an element. */
export const hover: Tool = tool({
  name: 'hover',
  description: 'Puts the pointer over an element.',
  kind: 'act',
  fields: { ref: ref() },
  run: (context, { ref: name }) => actOnElement(context, name, { method: 'hover' }),
});
