import { quote, shorten } from '../util/truncate.ts';
import { DriverInvalidArgumentError } from '../errors.ts';
import type { Point, PrepareAction, SentEntry, TextPart } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { typedAtEnd } from './input/editor-keys.ts';
import { withTypedText } from './input/guarded-keys.ts';
import { heldInput } from './input/held-input.ts';
import { sendToFocus } from './input/keyboard.ts';
import {
  charactersOf,
  checkKeys,
  isTypedByKey,
  type KeySequence,
  modifierBits,
  pressedKeys,
  typedKeys,
} from './input/key-events.ts';
import { type ClickOptions, clickMouse, clickSlowly, moveMouse, tapTouch, turnWheel } from './input/mouse-events.ts';
import { frameShown } from './input/pointer-route.ts';
import type { DoneToElement, ReadyElement } from './element-action.ts';
import type { MethodCall } from './method-call.ts';
import { changeControl } from './change-control.ts';
import { confirmChecked, unknownStateError } from './confirm-checked.ts';
import { dragToTarget } from './drag-to-target.ts';
import { enterText, sendToReady } from './enter-text.ts';
import { giveFiles, preparationForFiles } from './give-files.ts';
import { checkReadable } from './put-files.ts';

/** How one method, such as `click` or `fill`, prepares its element and sends its input. */
export interface ActionMethod {
  readonly checks: PrepareAction;
  /** Returns different checks if this element needs them: for example, an upload button is prepared for a click. */
  otherChecks?(ready: ReadyElement): PrepareAction | undefined;
  /** True if `settle` must wait for a trusted event that the method triggers. */
  readonly sendsInput: boolean;
  /** True if the effect can follow some time after the input, as with smooth scrolling. */
  readonly isLate?: boolean;
  /** True for a drag: the settle request is sent after the last of several input steps. */
  readonly isMultiStep?: boolean;
  readonly arity: readonly [min: number, max: number];
  /** Completes "Pass …" in error messages. */
  readonly usage: string;
  /**
   * Throws if the arguments are invalid. Called before the element is searched, with variables replaced by their
   * values.
   */
  check?(args: readonly string[]): void;
  /** The text to enter. The page reports whether the field contains it afterwards. */
  entry?(args: readonly string[]): SentEntry;
  readonly typed?: number;
  /** Where to point, in CSS pixels from the element's top left corner. Without it, the middle of the element. */
  position?(args: readonly string[]): Point | undefined;
  /**
   * True if the method sends keys or text, which the browser gives to whichever element has the focus. They need a
   * guard.
   */
  readonly usesKeys?: boolean;
  /** The keys to send. `held` are the bits of modifiers that are already down. */
  keys?(args: readonly string[], held: number): KeySequence | undefined;
  part?(args: readonly string[]): TextPart;
  /** True if the element already has the requested state. No input is sent then. */
  isDone?(ready: ReadyElement): boolean;
  confirm?(progress: Progress, done: DoneToElement): Promise<void>;
  /**
   * Sends the input and resolves when the browser has acknowledged it. Resolves to the new values if the method has
   * changed a control such as a `select` or a date field.
   */
  run(call: MethodCall): Promise<unknown>;
}

/** Shared by the methods that point at the element or at a point in it. */
const point = {
  sendsInput: true,
  arity: [0, 1],
  usage: 'none, or a point in the element such as "120,40", in pixels from its top left corner',
  check: checkPoint,
  position: pointOf,
} as const;

const click = (manner: ClickOptions): ActionMethod => ({
  ...point,
  checks: 'click',
  run: (call) => clickOn(call, manner),
});

const check = (wanted: boolean): ActionMethod => ({
  checks: 'check',
  sendsInput: true,
  arity: [0, 0],
  usage: 'none',
  isDone: (ready) => ready.checked === wanted,
  confirm: (progress, done) => confirmChecked(progress, { ...done, wanted }),
  run: (call) => {
    // A click could turn the box on.
    if (!wanted && call.ready.checked === undefined) throw unknownStateError(call.progress, call.ready);
    return clickOn(call, {});
  },
});

const select: ActionMethod = {
  checks: 'select',
  sendsInput: false,
  arity: [1, Number.POSITIVE_INFINITY],
  usage: 'the labels, values or index=n of the options',
  run: ({ progress, page, ready, action }) => changeControl(progress, { page, ready }, action.arguments),
};

/** Shared by the methods that change part of a field's text. */
const edit = { checks: 'edit', sendsInput: true, usesKeys: true, run: fill } as const;

const scrollChunk = (direction: 1 | -1): ActionMethod => ({
  checks: 'scroll',
  sendsInput: false,
  isLate: true,
  arity: [0, 0],
  usage: 'none',
  run: (call) => wheel(call, direction * call.ready.pageHeight),
});

/** `ALIASES` has further names, such as Playwright's. */
const METHODS: Readonly<Record<string, ActionMethod>> = {
  click: click({}),
  doubleClick: click({ clickCount: 2 }),
  rightClick: click({ button: 'right' }),
  middleClick: click({ button: 'middle' }),
  hover: {
    ...point,
    checks: 'hover',
    run: (call) => moveMouse(inputSession(call.ready), call.ready.point, { modifiers: modifiersOf(call) }),
  },
  tap: {
    ...point,
    checks: 'tap',
    run: tap,
  },
  fill: {
    checks: 'fill',
    sendsInput: true,
    usesKeys: true,
    arity: [1, 1],
    usage: 'the text',
    typed: 0,
    entry: ([text = '']) => ({ text }),
    keys: ([text = ''], held) => (isTypedByKey(text) ? typedKeys([text], held) : undefined),
    run: fill,
  },
  replace: {
    ...edit,
    arity: [2, 2],
    usage: 'text that occurs once in the field, then its replacement',
    typed: 1,
    part: ([anchor = '', text = '']) => ({ kind: 'replace', anchor, text }),
  },
  insert: {
    ...edit,
    arity: [2, 2],
    usage: 'text that occurs once in the field, then the text to insert after it',
    typed: 1,
    part: ([anchor = '', text = '']) => ({ kind: 'insert', anchor, text }),
  },
  append: {
    ...edit,
    arity: [1, 1],
    usage: 'the text to append',
    typed: 0,
    part: ([text = '']) => ({ kind: 'append', text }),
  },
  type: {
    checks: 'type',
    sendsInput: true,
    usesKeys: true,
    arity: [1, 1],
    usage: 'the text',
    typed: 0,
    keys: ([text = ''], held) => typedKeys(charactersOf(text), held),
    run: sendKeys,
  },
  press: {
    checks: 'press',
    sendsInput: true,
    usesKeys: true,
    arity: [1, 1],
    usage: 'a key such as Enter or Control+A',
    check: ([keys]) => checkKeys(keys),
    keys: ([keys = ''], held) => pressedKeys(keys, held),
    run: sendKeys,
  },
  check: check(true),
  uncheck: check(false),
  select,
  selectOption: select,
  selectOptionFromDropdown: select,
  focus: { checks: 'focus', sendsInput: false, arity: [0, 0], usage: 'none', run: () => Promise.resolve() },
  scrollTo: {
    checks: 'scroll',
    sendsInput: false,
    arity: [0, 1],
    usage: 'none, to scroll the element into view, or the percentage to scroll its content to',
    check: ([percent]) => void (percent === undefined || shareOf(percent)),
    run: scrollTo,
  },
  scrollBy: {
    checks: 'scroll',
    sendsInput: false,
    isLate: true,
    arity: [1, 2],
    usage: 'pixels down, or pixels right and down',
    check: (args) => void pixelsOf(args),
    run: scrollBy,
  },
  nextChunk: scrollChunk(1),
  prevChunk: scrollChunk(-1),
  dragAndDrop: {
    checks: 'drag',
    sendsInput: false,
    isMultiStep: true,
    arity: [1, 1],
    usage: 'the selector of the element to drop on',
    run: dragToTarget,
  },
  upload: {
    checks: 'upload',
    otherChecks: preparationForFiles,
    sendsInput: false,
    arity: [1, Number.POSITIVE_INFINITY],
    usage: 'file paths',
    run: upload,
  },
};

const ALIASES: Readonly<Record<string, string>> = {
  dblclick: 'doubleClick',
  doubleclick: 'doubleClick',
  rightclick: 'rightClick',
  dragTo: 'dragAndDrop',
  setInputFiles: 'upload',
  scroll: 'scrollBy',
};

// A caller or model can pass a name such as `constructor`, which every object inherits.
function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Returns the method with this name or alias.
 * @throws DriverInvalidArgumentError if there is none, or if the number of arguments is wrong.
 */
export function actionMethod(name: string, args: readonly string[]): ActionMethod {
  const method = own(METHODS, name) ?? own(METHODS, own(ALIASES, name) ?? '');
  if (!method)
    throw new DriverInvalidArgumentError(
      `Unknown action method ${quote(name)}. Use one of ${ACTION_METHOD_NAMES.join(', ')}.`,
      { argument: 'method' },
    );
  const [min, max] = method.arity;
  if (args.length < min || args.length > max) {
    throw new DriverInvalidArgumentError(
      `Wrong number of arguments for ${name}: ${args.length}. Pass ${method.usage}.`,
      { argument: 'arguments' },
    );
  }
  return method;
}

/** Resolves an alias such as `dblclick` to `doubleClick`. Returns `undefined` for an unknown name. */
export function canonicalMethod(name: string): string | undefined {
  const known = own(METHODS, name) ? name : own(ALIASES, name);
  return known !== undefined && METHODS[known] === select ? 'select' : known;
}

/** Returns the text that the method types, or `undefined` for methods without text. */
export function typedText(name: string, args: readonly string[]): string | undefined {
  const { typed } = own(METHODS, canonicalMethod(name) ?? '') ?? {};
  return typed === undefined ? undefined : (args[typed] ?? '');
}

/** Returns the point in the element, or `undefined` for methods and calls without one. */
export function pointIn(name: string, args: readonly string[]): Point | undefined {
  return own(METHODS, canonicalMethod(name) ?? '')?.position?.(args);
}

/**
 * True if the injected script enters the arguments or filters their keys, so that they cannot reach another document.
 */
export function isEnteredWithin(name: string): boolean {
  const method = canonicalMethod(name) ?? '';
  return method === 'select' || own(METHODS, method)?.typed !== undefined;
}

/** Method names without aliases, for prompts and error messages. */
export const ACTION_METHOD_NAMES: readonly string[] = Object.keys(METHODS);

// Input is sent to the frame's local root, which has the same session as the frame.
function inputSession(ready: ReadyElement): ReadyElement['world']['session'] {
  return ready.world.session;
}

function modifiersOf({ page, action }: MethodCall): number {
  return heldInput(page).modifiers | modifierBits(action.pointer?.modifiers ?? [], page.session);
}

function sendKeys({ progress, page, ready, action, keys }: MethodCall): Promise<unknown> {
  if (!keys) return Promise.resolve();
  const startsAtEnd = ready.editor === 'text' && keys.combination === undefined;
  const typed = startsAtEnd ? typedAtEnd(keys, inputSession(ready)) : keys;
  if (!ready.element.isFrame) return sendToReady(progress, { ready, keys: typed });
  // The element itself is a frame, so its focused element receives the keys. Its document can be of another origin.
  const sent = { keys, turn: ready.turn, checkDocument: action.checkDocument };
  if (keys.combination !== undefined) return sendToFocus(progress, page, sent);
  return withTypedText(progress, keys.strokes.length, (text) => sendToFocus(progress, page, { ...sent, text }));
}

/**
 * Time in ms between press and release if the page listens for the press. Some pages need up to two frames (2 × 17 ms)
 * to render the element that handles the release.
 */
const PRESS_MS = 34;

async function clickOn(call: MethodCall, fixed: ClickOptions): Promise<void> {
  const { progress, ready, action } = call;
  const { delay = ready.takesPress ? PRESS_MS : 0, clickCount } = action.pointer ?? {};
  const manner = { ...(clickCount === undefined ? {} : { clickCount }), ...fixed, modifiers: modifiersOf(call) };
  const session = inputSession(ready);
  if (delay > 0) await clickSlowly(progress, { ...manner, session, point: ready.point, delay });
  else await Promise.all(clickMouse(session, ready.point, manner));
}

/** An out-of-process frame must have been shown before, because the page's process routes the click of a tap. */
async function tap(call: MethodCall): Promise<void> {
  const { progress, page, ready } = call;
  const session = inputSession(ready);
  const frame = ready.frame.localRoot;
  if (session !== page.session) await frameShown(progress, page, { frame, point: ready.pagePoint });
  await Promise.all(tapTouch(session, ready.point, modifiersOf(call)));
}

async function fill({ progress, page, ready, action, entry, keys }: MethodCall): Promise<unknown> {
  const values = entry ? [entry.text] : action.arguments;
  if (ready.textEntry === 'set' || !entry) return changeControl(progress, { page, ready }, values);
  return enterText(progress, { ready, keys }, entry);
}

const POINT = /^(\d+(?:\.\d+)?)\s*[,;\s]\s*(\d+(?:\.\d+)?)$/;

function pointOf([text = '']: readonly string[]): Point | undefined {
  const [, x, y] = POINT.exec(text.trim()) ?? [];
  return x === undefined || y === undefined ? undefined : { x: Number(x), y: Number(y) };
}

/** Models sometimes pass an empty text instead of no argument. */
function checkPoint([text = '']: readonly string[]): void {
  if (text.trim() === '' || pointOf([text])) return;
  throw new DriverInvalidArgumentError(`${quote(text)} is not a point in the element. Pass ${point.usage}.`, {
    argument: 'arguments',
  });
}

/** Does nothing without a percentage: `prepare` has scrolled the element into view. */
async function scrollTo({ ready, action }: MethodCall): Promise<void> {
  const [percent] = action.arguments;
  if (percent === undefined) return;
  await ready.world.call('scrollTo', { ref: ready.element.ref }, shareOf(percent));
}

function shareOf(percent: string): number {
  const share = Number.parseFloat(percent);
  if (share >= 0 && share <= 100) return share;
  throw new DriverInvalidArgumentError(`scrollTo takes a percentage from 0 to 100. Received ${quote(percent)}.`, {
    argument: 'arguments',
  });
}

async function scrollBy(call: MethodCall): Promise<void> {
  const { deltaX, deltaY } = pixelsOf(call.action.arguments);
  await wheel(call, deltaY, deltaX);
}

function pixelsOf(args: readonly string[]): { readonly deltaX: number; readonly deltaY: number } {
  const [right, down] = args.length === 2 ? args : ['0', args[0]];
  const deltaX = Number.parseFloat(right ?? '0');
  const deltaY = Number.parseFloat(down ?? '0');
  if (Number.isFinite(deltaX) && Number.isFinite(deltaY)) return { deltaX, deltaY };
  throw new DriverInvalidArgumentError(`scrollBy takes numbers in pixels. Received ${shorten(args.join(', '))}.`, {
    argument: 'arguments',
  });
}

async function wheel(call: MethodCall, deltaY: number, deltaX = 0): Promise<void> {
  await turnWheel(inputSession(call.ready), call.ready.point, { deltaX, deltaY, modifiers: modifiersOf(call) });
}

async function upload({ progress, page, ready, action }: MethodCall): Promise<void> {
  await checkReadable(action.arguments);
  await giveFiles(progress, { page, ready, files: action.arguments });
}
