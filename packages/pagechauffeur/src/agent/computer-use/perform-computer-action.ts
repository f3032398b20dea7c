import type { Point } from '../../injected/contract.ts';
import { heldInput } from '../../actions/input/held-input.ts';
import { charactersOf } from '../../actions/input/key-events.ts';
import type { Page } from '../../page/page.ts';
import { dragBetween } from '../../page/page-pointer.ts';
import { actOnPage } from '../../tools/act-on-page.ts';
import { missingVariables } from '../../tools/act-on-element.ts';
import { addressOf } from '../../tools/addresses.ts';
import { focusedElement } from '../../tools/focused-element.ts';
import { settled } from '../../tools/settled.ts';
import { followingPages } from '../../tools/follow-pages.ts';
import type { ToolContext } from '../../tools/tool-context.ts';
import { failed, type ToolOutcome } from '../../tools/tool-outcome.ts';
import { pause } from '../../util/pause.ts';
import { guardTransfers, type TransferInput } from '../../verb/guard-transfers.ts';
import { performStep } from '../../verb/perform-step.ts';
import type { ComputerAction } from './computer-action.ts';

type Action<Kind extends ComputerAction['kind']> = Extract<ComputerAction, { readonly kind: Kind }>;
/** Actions that only read the screen. `ComputerTool` handles them itself. */
export type Picturing = Action<'screenshot' | 'zoom' | 'cursor-position'>;
type InputAction = Exclude<ComputerAction, Picturing>;

/** Longest `wait`, and longest time to hold a key or button, in seconds. */
const MAX_SECONDS = 60;
const MAX_PRESSES = 100;

/** Runs an action, waits until the page settles, and returns the outcome. */
export async function performComputerAction(context: ToolContext, action: InputAction): Promise<ToolOutcome> {
  switch (action.kind) {
    case 'unusable':
      return failed(action.why);
    case 'wait':
      await pause(context.progress, milliseconds(action.seconds));
      return settled(context, `Waited ${seconds(action.seconds)} s.`);
    case 'navigate':
      return navigate(context, action.url);
    case 'back':
    case 'forward':
      return goThroughHistory(context, action.kind);
    case 'type':
      return type(context, action);
    default:
      return followingPages(context, () => send(context, inputOf(context, action), transferOf(action)));
  }
}

interface Input {
  readonly report: string;
  /** Point in the viewport. `undefined` if the focused element receives the input. */
  readonly at: Point | undefined;
  readonly isWheel?: boolean;
  readonly expectsAnswer?: boolean;
  readonly send: () => Promise<unknown>;
}

function send(
  context: ToolContext,
  { report, at, send: run, ...input }: Input,
  transfer: TransferInput,
): Promise<ToolOutcome> {
  const { progress, verbs, variables } = context;
  const guarded = (): Promise<unknown> => guardTransfers({ progress, context: verbs, variables }, transfer, run);
  return actOnPage(context, { expectsAnswer: true, ...input, at: at ?? 'focus', run: guarded, done: () => report });
}

function transferOf(action: Pointed | Keyed): TransferInput {
  switch (action.kind) {
    case 'press':
      return { keys: action.combinations };
    case 'hold':
      return { keys: [action.combination] };
    case 'key-down':
      return { keys: [action.key] };
    case 'click':
      return { isTransfer: action.button === 'middle' };
    case 'drag':
    case 'mouse-down':
    case 'mouse-up':
    case 'move':
      return { isTransfer: true };
    default:
      return {};
  }
}

type Pointed = Action<'click' | 'long-press' | 'move' | 'mouse-down' | 'mouse-up' | 'drag' | 'scroll'>;
type Keyed = Action<'press' | 'hold' | 'key-down' | 'key-up'>;

function inputOf(context: ToolContext, action: Pointed | Keyed): Input {
  switch (action.kind) {
    case 'press':
    case 'hold':
    case 'key-down':
    case 'key-up':
      return keyInput(context, action);
    case 'drag':
      return dragInput(context, action);
    case 'mouse-down':
    case 'mouse-up':
      return buttonInput(context, action);
    default:
      return pointerInput(context, action);
  }
}

function pointerInput(
  { page, progress }: ToolContext,
  action: Action<'click' | 'long-press' | 'move' | 'scroll'>,
): Input {
  const at = action.at ?? mouseOf(page);
  const { modifiers = [] } = action;
  const options = { ...limits(progress), modifiers };
  const held = modifiers.length > 0 ? ` with ${modifiers.join('+')} held` : '';
  switch (action.kind) {
    case 'click': {
      const { button, count } = action;
      const report = `Clicked${words(button, count)}${held}`;
      return { report, at, send: () => page.click(at.x, at.y, { ...options, button, clickCount: count }) };
    }
    case 'long-press': {
      const delay = milliseconds(action.seconds);
      return {
        report: `Pressed for ${seconds(action.seconds)} s`,
        at,
        send: () => page.click(at.x, at.y, { ...options, delay }),
      };
    }
    case 'move':
      return {
        report: `Moved the mouse${held}`,
        at,
        expectsAnswer: false,
        // With a pressed button, this is part of a drag.
        send: () =>
          heldInput(page.target).buttons === 0
            ? page.hover(at.x, at.y, options)
            : page.mouse.move(at.x, at.y, limits(progress)),
      };
    case 'scroll': {
      const { deltaX, deltaY } = action;
      const report = `Scrolled${held}`;
      return { report, at, isWheel: true, send: () => page.scroll(at.x, at.y, deltaX, deltaY, options) };
    }
  }
}

function dragInput({ page, progress }: ToolContext, { path, modifiers = [] }: Action<'drag'>): Input {
  const mouse = mouseOf(page);
  // A single point is the end of a drag that starts at the mouse position.
  const [from = mouse, ...rest] = path.length > 1 ? path : [mouse, ...path];
  const to = rest.pop() ?? from;
  return {
    report: 'Dragged',
    at: from,
    send: () => dragBetween(progress, page.target, { from, via: rest, to, options: { modifiers } }),
  };
}

function buttonInput({ page, progress }: ToolContext, { kind, at: given }: Action<'mouse-down' | 'mouse-up'>): Input {
  const mouse = mouseOf(page);
  const at = given ?? mouse;
  const isDown = kind === 'mouse-down';
  return {
    report: `The left button is ${isDown ? 'down' : 'up'}`,
    at,
    expectsAnswer: !isDown,
    async send() {
      if (at.x !== mouse.x || at.y !== mouse.y) await page.mouse.move(at.x, at.y, limits(progress));
      await page.mouse[isDown ? 'down' : 'up'](limits(progress));
    },
  };
}

function keyInput({ page, progress }: ToolContext, action: Keyed): Input {
  const toFocus = { at: undefined };
  switch (action.kind) {
    case 'press': {
      const { combinations } = action;
      const times = Math.min(Math.max(1, action.times), MAX_PRESSES);
      const report = `Pressed ${combinations.join(' ')}${times > 1 ? ` ${times} times` : ''}`;
      return { ...toFocus, report, send: () => pressAll(page, { combinations, times, progress }) };
    }
    case 'hold': {
      const { combination } = action;
      const delay = milliseconds(action.seconds);
      const report = `Held ${combination} for ${seconds(action.seconds)} s`;
      return { ...toFocus, report, send: () => page.keyPress(combination, { ...limits(progress), delay }) };
    }
    case 'key-down':
      return {
        ...toFocus,
        report: `${action.key} is down`,
        send: () => page.keyboard.down(action.key, limits(progress)),
      };
    case 'key-up':
      return { ...toFocus, report: `${action.key} is up`, send: () => page.keyboard.up(action.key, limits(progress)) };
  }
}

async function pressAll(
  page: Page,
  { combinations, times, progress }: Pick<Action<'press'>, 'combinations' | 'times'> & Pick<ToolContext, 'progress'>,
): Promise<void> {
  for (let time = 0; time < times; time += 1)
    for (const combination of combinations) await page.keyPress(combination, limits(progress));
}

async function type(context: ToolContext, { text, at, replaces, submits }: Action<'type'>): Promise<ToolOutcome> {
  const { page, progress, variables } = context;
  const refusal = missingVariables(context, [text]);
  if (refusal) return refusal;
  // While Control is held down, typing `v` pastes.
  const transfer = { keys: charactersOf(text) };
  const input: Input = {
    report: `Typed ${JSON.stringify(text)}${submits ? ' and pressed Enter' : ''}`,
    at,
    async send() {
      if (at) await page.click(at.x, at.y, limits(progress));
      for (const keys of replaces ? ['ControlOrMeta+A', 'Backspace'] : []) await page.keyPress(keys, limits(progress));
      if (variables.documentCheck([text])) await typeBound(context, text);
      else await page.type(variables.expand(text, 'document'), limits(progress));
      if (submits) await page.keyPress('Enter', limits(progress));
    },
  };
  return followingPages(context, () => send(context, input, transfer));
}

/** Types a variable that is bound to origins. Only an element action checks the origin of the document. */
async function typeBound(context: ToolContext, text: string): Promise<void> {
  const { progress, verbs, variables } = context;
  const { target, label } = await focusedElement(context);
  const step = { target, method: 'type', arguments: [text], description: `type into ${label}` };
  await performStep(progress, verbs, { step, variables });
}

async function navigate(context: ToolContext, url: string): Promise<ToolOutcome> {
  const { page, progress } = context;
  const found = addressOf(context, url);
  if ('refusal' in found) return failed(found.refusal);
  const address = /^[a-z][a-z\d+.-]*:/i.test(found.address) ? found.address : `https://${found.address}`;
  const response = await page.goto(address, limits(progress));
  const outcome = await settled(context, `Opened ${url}${response ? ` (${response.status()})` : ''}.`);
  return { ...outcome, effect: 'navigated' };
}

async function goThroughHistory(context: ToolContext, direction: 'back' | 'forward'): Promise<ToolOutcome> {
  const { page, progress } = context;
  const before = page.url();
  const response = await (direction === 'back' ? page.goBack(limits(progress)) : page.goForward(limits(progress)));
  if (response === null && page.url() === before) return failed(`There is no page to go ${direction} to.`);
  return { ...(await settled(context, `Went ${direction}.`)), effect: 'navigated' };
}

function limits(progress: ToolContext['progress']): { signal: AbortSignal; timeout: number } {
  return { signal: progress.signal, timeout: progress.remaining };
}

function mouseOf(page: Page): Point {
  return heldInput(page.target).mouse;
}

function seconds(given: number): number {
  return Math.min(Math.max(0, given), MAX_SECONDS);
}

function milliseconds(given: number): number {
  return seconds(given) * 1000;
}

function words(button: string, count: number): string {
  const times = ['', '', ' twice', ' three times'][count] ?? ` ${count} times`;
  return button === 'left' ? times : `${times} with the ${button} button`;
}
