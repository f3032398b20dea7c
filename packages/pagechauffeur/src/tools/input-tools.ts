import { elementPhrase } from '../actions/element-phrase.ts';
import { actOn, actOnElement, phraseOf, unknownRef } from './act-on-element.ts';
import { oneOf, optional, ref, text } from './fields.ts';
import { focusedElement } from './focused-element.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

export const press: Tool = tool({
  name: 'press',
  description: 'press: keys such as Control+A, on ref or the focused element.',
  kind: 'act',
  fields: { keys: text(), ref: optional(ref()) },
  run: async (context, { keys, ref: name }) => {
    const call = { method: 'press', verbPhrase: `press ${keys} on`, arguments: [keys] };
    return name === undefined ? actOn(context, await focusedElement(context), call) : actOnElement(context, name, call);
  },
});

export const drag: Tool = tool({
  name: 'drag',
  description: '',
  kind: 'act',
  fields: { ref: ref(), to: ref('drag: a ref') },
  run: async (context, { ref: name, to }) => {
    const goal = context.element(to);
    if (!goal) return unknownRef(to);
    const destination = ` to ${phraseOf(goal)}`;
    return actOnElement(context, name, {
      method: 'dragAndDrop',
      arguments: [to],
      dropTarget: goal.target,
      destination,
    });
  },
});

const SCROLLS = {
  down: { method: 'nextChunk', verbPhrase: 'scroll down' },
  up: { method: 'prevChunk', verbPhrase: 'scroll up' },
  here: { method: 'scrollTo', verbPhrase: 'scroll into view' },
} as const;

export const scroll: Tool = tool({
  name: 'scroll',
  description: 'scroll: ref or the page, also to load more; here scrolls ref into view.',
  kind: 'act',
  fields: { to: oneOf(['down', 'up', 'here'], 'scroll: down, up, here'), ref: optional(ref()) },
  run: async (context, { to, ref: name }) => {
    const call = SCROLLS[to];
    if (name !== undefined && to === 'here') return scrolledIntoView(name, await actOnElement(context, name, call));
    if (name !== undefined) return actOnElement(context, name, call);
    if (to === 'here') return failed('scroll here needs the ref of the element to scroll into view.');
    const frame = context.page.target.frames.main;
    return actOn(
      context,
      { target: { frame, element: { selector: 'html' }, label: 'the page' }, label: 'the page' },
      call,
    );
  },
});

/** The element is scrolled while it is prepared, before effects are observed. So the effect is always `changed`. */
function scrolledIntoView(name: string, outcome: ToolOutcome): ToolOutcome {
  const { isError, step } = outcome;
  if (isError || !step) return outcome;
  const summary = `Done: ${elementPhrase(step.outcome.element)} is in view.`;
  return { ...outcome, text: `Done: ${name} is in view.`, summary, effect: 'changed' };
}
