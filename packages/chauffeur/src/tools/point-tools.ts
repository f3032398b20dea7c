import { actAtPoint, inView } from './act-at-point.ts';
import { actOn, andThen } from './act-on-element.ts';
import { actOnPage } from './act-on-page.ts';
import { BUTTONS, clickMethod } from './element-tools.ts';
import { type Field, flag, oneOf, optional, text, whole } from './fields.ts';
import { focusedElement } from './focused-element.ts';
import { type Tool, tool } from './tool.ts';

/** Pixels of the picture. */
const coordinate = (description: string): Field<number> => whole(description, { least: 0, most: 20_000 });
const AT = { x: coordinate('pixels from the left'), y: coordinate('pixels from the top') };

/** Clicks at a point. */
export const clickAt: Tool = tool({
  name: 'clickAt',
  description: 'Clicks at a point of the picture, for what has no ref, such as a spot of a map or canvas.',
  kind: 'act',
  fields: { ...AT, button: optional(oneOf(BUTTONS, 'default left')), twice: optional(flag('a double click')) },
  run: (context, { button, twice, ...point }) => actAtPoint(context, point, { method: clickMethod(button, twice) }),
});

/** Puts the pointer at a point. */
export const hoverAt: Tool = tool({
  name: 'hoverAt',
  description: 'Puts the pointer at a point of the picture.',
  kind: 'act',
  fields: AT,
  run: (context, point) => actAtPoint(context, point, { method: 'hover' }),
});

/** Clicks at a point and types there. */
export const typeAt: Tool = tool({
  name: 'typeAt',
  description: 'Clicks at a point of the picture and types a text into what then has the focus.',
  kind: 'act',
  fields: {
    ...AT,
    text: text('the text; %name% stands for a variable'),
    replace: optional(flag('in place of what stands there')),
    submit: optional(flag('presses Enter afterwards')),
  },
  run: async (context, { text: words, replace = false, submit = false, ...point }) => {
    const clicked = await actAtPoint(context, point, { method: 'click' });
    if (clicked.isError) return clicked;
    const field = await focusedElement(context);
    const typed = await actOn(context, field, { method: replace ? 'fill' : 'type', arguments: [words] });
    const { step: _, ...outcome } = andThen(clicked, typed);
    if (!submit || typed.isError) return outcome;
    const { step: __, ...pressed } = await actOn(context, field, { method: 'press', arguments: ['Enter'] });
    return andThen(outcome, pressed);
  },
});

/** Drags from a point to another. */
export const dragAt: Tool = tool({
  name: 'dragAt',
  description: 'Drags from a point of the picture to another.',
  kind: 'act',
  fields: { ...AT, toX: coordinate('where it is let go, from the left'), toY: coordinate('from the top') },
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

/** A turn of the wheel by so many pixels. */
const WHEEL = 600;
const WHEELS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;

/** Turns the wheel at a point. */
export const scrollAt: Tool = tool({
  name: 'scrollAt',
  description: 'Scrolls what lies at a point of the picture.',
  kind: 'act',
  fields: {
    ...AT,
    to: oneOf(['down', 'up', 'left', 'right'], 'where to'),
    pixels: optional(whole(`default ${WHEEL}`, { least: 1, most: 20_000 })),
  },
  run: (context, { to, pixels = WHEEL, ...point }) => {
    const [right, down] = WHEELS[to];
    return actAtPoint(context, point, {
      method: 'scrollBy',
      words: `scroll ${to} at`,
      arguments: [right, down].map((part) => String((part * pixels) / context.pictureScale)),
    });
  },
});
