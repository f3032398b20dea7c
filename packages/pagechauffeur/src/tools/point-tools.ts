import { actAtPoint, inView } from './act-at-point.ts';
import { actOn, mergeOutcomes } from './act-on-element.ts';
import { actOnPage } from './act-on-page.ts';
import { BUTTONS, clickMethod, SUBMIT } from './element-tools.ts';
import { type Field, flag, oneOf, optional, text, whole } from './fields.ts';
import type { Point } from '../injected/contract.ts';
import { focusedElement } from './focused-element.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolOutcome } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

const coordinate = (description?: string): Field<number> => whole(description, { least: 0, most: 20_000 });
const AT = { x: coordinate('pixels of the screenshot, for what has no ref, such as a canvas'), y: coordinate() };

export const clickAt: Tool = tool({
  name: 'clickAt',
  description: '',
  kind: 'act',
  fields: { ...AT, button: optional(oneOf(BUTTONS, 'default left')), twice: optional(flag()) },
  run: (context, { button, twice, ...point }) => actAtPoint(context, point, { method: clickMethod(button, twice) }),
});

export const hoverAt: Tool = tool({
  name: 'hoverAt',
  description: '',
  kind: 'act',
  fields: AT,
  run: (context, point) => actAtPoint(context, point, { method: 'hover' }),
});

export const typeAt: Tool = tool({
  name: 'typeAt',
  description: '',
  kind: 'act',
  fields: {
    ...AT,
    text: text(),
    replace: optional(flag('replaces the existing text')),
    submit: optional(flag(SUBMIT)),
  },
  // Another action between the click and the text could move the focus.
  run: (context, input) =>
    context.page.target.takeTurn(context.progress, "the agent's typeAt", (turn) =>
      turn.inside(() => clickAndType(context, input)),
    ),
});

interface TypedText extends Point {
  readonly text: string;
  readonly replace?: boolean | undefined;
  readonly submit?: boolean | undefined;
}

async function clickAndType(
  context: ToolContext,
  { text: words, replace = false, submit = false, ...point }: TypedText,
): Promise<ToolOutcome> {
  const clicked = await actAtPoint(context, point, { method: 'click' });
  if (clicked.isError) return clicked;
  const field = await focusedElement(context);
  const typed = await actOn(context, field, { method: replace ? 'fill' : 'type', arguments: [words] });
  const { step: _, ...outcome } = mergeOutcomes(clicked, typed);
  if (!submit || typed.isError) return outcome;
  const { step: __, ...pressed } = await actOn(context, field, { method: 'press', arguments: ['Enter'] });
  return mergeOutcomes(outcome, pressed);
}

export const dragAt: Tool = tool({
  name: 'dragAt',
  description: 'drag from x, y goes to toX, toY',
  kind: 'act',
  fields: { ...AT, toX: coordinate(), toY: coordinate() },
  run: (context, { x, y, toX, toY }) => {
    const { page, progress } = context;
    const limits = { signal: progress.signal, timeout: progress.remaining };
    return actOnPage(context, {
      done: () => `Done: dragged from (${x}, ${y}) to (${toX}, ${toY})`,
      run: async () => {
        const [from, to] = [inView(context, { x, y }), inView(context, { x: toX, y: toY })];
        await page.dragAndDrop(from.x, from.y, to.x, to.y, limits);
      },
    });
  },
});

/** Default scroll distance in screenshot pixels. */
const WHEEL = 600;
const WHEELS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;

export const scrollAt: Tool = tool({
  name: 'scrollAt',
  description: '',
  kind: 'act',
  fields: {
    ...AT,
    to: oneOf(['down', 'up', 'left', 'right'], 'scroll at x, y: also left, right'),
    pixels: optional(whole(`default ${WHEEL}`, { least: 1, most: 20_000 })),
  },
  run: (context, { to, pixels = WHEEL, ...point }) => {
    const [right, down] = WHEELS[to];
    return actAtPoint(context, point, {
      method: 'scrollBy',
      verbPhrase: `scroll ${to} at`,
      arguments: [right, down].map((part) => String((part * pixels) / context.screenshotScale)),
    });
  },
});
