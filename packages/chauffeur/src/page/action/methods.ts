import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PageTarget } from '../../cdp/page-target.ts';
import {
  DriverElementNotFoundError,
  DriverInvalidArgumentError,
  DriverLocatorError,
  DriverUnsupportedFeatureError,
} from '../../errors.ts';
import type { PrepareAction, ValueSet } from '../../injected/contract.ts';
import { pressKeys, typeText } from '../input/keyboard.ts';
import { clickMouse, dragMouse, moveMouse, tapTouch } from '../input/mouse.ts';
import type { Progress } from '../../util/progress.ts';
import type { ReadyElement } from './element-action.ts';
import { prepareTarget } from './prepare-target.ts';

/** What a method has at hand when its element is ready. */
export interface MethodCall {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly arguments: readonly string[];
}

/** One way to act on an element. */
export interface ActionMethod {
  /** The checks that apply before it. */
  readonly prepare: PrepareAction;
  /** Whether the page is to see a trusted event, which `settle` then waits for. */
  readonly sendsInput: boolean;
  /** How many arguments it takes: at least, at most. */
  readonly arity: readonly [least: number, most: number];
  /** What the arguments are, for messages. */
  readonly usage: string;
  /** Whether the element is already as wanted, so that nothing is to be sent. */
  isDone?(ready: ReadyElement): boolean;
  /** Sends the commands at once; what is still to be waited for is returned. Choosing options gives their values. */
  run(call: MethodCall): Promise<unknown>;
}

const click = (options: Parameters<typeof clickMouse>[2]): ActionMethod => ({
  prepare: 'click',
  sendsInput: true,
  arity: [0, 1],
  usage: 'none',
  run: ({ ready }) => Promise.all(clickMouse(inputSession(ready), ready.point, options)),
});

const check = (wanted: boolean): ActionMethod => ({
  prepare: 'check',
  sendsInput: true,
  arity: [0, 0],
  usage: 'none',
  isDone: (ready) => ready.checked === wanted,
  run: ({ ready }) => Promise.all(clickMouse(inputSession(ready), ready.point)),
});

const select: ActionMethod = {
  prepare: 'select',
  sendsInput: false,
  arity: [1, Number.POSITIVE_INFINITY],
  usage: 'the labels, values or index=n of the options',
  run: ({ ready, arguments: options }) => setValue(ready, options),
};

const scrollChunk = (direction: 1 | -1): ActionMethod => ({
  prepare: 'scroll',
  sendsInput: false,
  arity: [0, 0],
  usage: 'none',
  run: ({ ready }) => wheel(ready, direction * ready.pageHeight),
});

/** Every method by the name that actions use; the specification's and Playwright's names are both known. */
const METHODS: Readonly<Record<string, ActionMethod>> = {
  click: click({}),
  doubleClick: click({ clickCount: 2 }),
  rightClick: click({ button: 'right' }),
  middleClick: click({ button: 'middle' }),
  hover: {
    prepare: 'hover',
    sendsInput: true,
    arity: [0, 0],
    usage: 'none',
    run: ({ ready }) => moveMouse(inputSession(ready), ready.point),
  },
  tap: {
    prepare: 'click',
    sendsInput: true,
    arity: [0, 0],
    usage: 'none',
    run: ({ ready }) => Promise.all(tapTouch(inputSession(ready), ready.point)),
  },
  fill: { prepare: 'fill', sendsInput: true, arity: [1, 1], usage: 'the text', run: fill },
  type: {
    prepare: 'type',
    sendsInput: true,
    arity: [1, 1],
    usage: 'the text',
    run: ({ ready, arguments: [text = ''] }) => Promise.all(typeText(ready.world.session, text)),
  },
  press: {
    prepare: 'press',
    sendsInput: true,
    arity: [1, 1],
    usage: 'a key such as Enter or Control+A',
    run: ({ ready, arguments: [keys = ''] }) => Promise.all(pressKeys(ready.world.session, keys)),
  },
  check: check(true),
  uncheck: check(false),
  select,
  selectOption: select,
  selectOptionFromDropdown: select,
  focus: { prepare: 'focus', sendsInput: false, arity: [0, 0], usage: 'none', run: () => Promise.resolve() },
  scrollTo: {
    prepare: 'scroll',
    sendsInput: false,
    arity: [0, 1],
    usage: 'nothing, to bring the element into view, or how far down its content is to be scrolled, in per cent',
    run: scrollTo,
  },
  scrollBy: {
    prepare: 'scroll',
    sendsInput: false,
    arity: [1, 2],
    usage: 'pixels down, or pixels right and down',
    run: scrollBy,
  },
  nextChunk: scrollChunk(1),
  prevChunk: scrollChunk(-1),
  dragAndDrop: {
    prepare: 'drag',
    sendsInput: false,
    arity: [1, 1],
    usage: 'the selector of the element to drop on',
    run: dragAndDrop,
  },
  upload: {
    prepare: 'upload',
    sendsInput: false,
    arity: [1, Number.POSITIVE_INFINITY],
    usage: 'paths of files',
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

/** The method of this name, checked against its number of arguments. */
export function actionMethod(name: string, args: readonly string[]): ActionMethod {
  const method = METHODS[name] ?? METHODS[ALIASES[name] ?? ''];
  if (!method)
    throw new DriverInvalidArgumentError(
      `There is no action method ${JSON.stringify(name)}. Use one of ${ACTION_METHOD_NAMES.join(', ')}.`,
      { argument: 'method' },
    );
  const [least, most] = method.arity;
  if (args.length < least || args.length > most) {
    throw new DriverInvalidArgumentError(
      `The method ${name} takes as arguments: ${method.usage}. It was given ${args.length}.`,
      { argument: 'arguments' },
    );
  }
  return method;
}

/** The names that a model or an action may use. */
export const ACTION_METHOD_NAMES: readonly string[] = Object.keys(METHODS);

// Pointer input goes to the root of the frame's process, which the session stands for; so does text.
function inputSession(ready: ReadyElement): ReadyElement['world']['session'] {
  return ready.world.session;
}

async function fill({ ready, arguments: [text = ''] }: MethodCall): Promise<void> {
  const { session } = ready.world;
  if (ready.textEntry === 'set') await setValue(ready, [text]);
  else if (text === '') await Promise.all(pressKeys(session, 'Delete'));
  else await session.send('Input.insertText', { text });
}

/** Gives the values that the control has by then. */
async function setValue(ready: ReadyElement, values: readonly string[]): Promise<readonly string[]> {
  const answer: ValueSet = await ready.world.call('setValue', ready.element.ref, values);
  if (answer.kind === 'refused') throw new DriverInvalidArgumentError(answer.message, { argument: 'arguments' });
  if (answer.kind === 'stale')
    throw new DriverElementNotFoundError(`${ready.element.tag} left the page before its value was set.`, {
      selectors: [ready.target.label],
    });
  return answer.values;
}

/** Without a percentage the element itself is to come into view, which preparing it has done. */
async function scrollTo({ ready, arguments: [percent] }: MethodCall): Promise<void> {
  if (percent === undefined) return;
  const share = Number.parseFloat(percent);
  if (!(share >= 0 && share <= 100))
    throw new DriverInvalidArgumentError(`scrollTo takes a percentage from 0 to 100, not ${JSON.stringify(percent)}.`, {
      argument: 'arguments',
    });
  await ready.world.call('scrollTo', { ref: ready.element.ref }, share);
}

async function scrollBy({ ready, arguments: args }: MethodCall): Promise<void> {
  const [right, down] = args.length === 2 ? args : ['0', args[0]];
  const deltaX = Number.parseFloat(right ?? '0');
  const deltaY = Number.parseFloat(down ?? '0');
  if (Number.isNaN(deltaX) || Number.isNaN(deltaY))
    throw new DriverInvalidArgumentError(`scrollBy takes numbers of pixels, not ${args.join(', ')}.`, {
      argument: 'arguments',
    });
  await wheel(ready, deltaY, deltaX);
}

async function wheel(ready: ReadyElement, deltaY: number, deltaX = 0): Promise<void> {
  await inputSession(ready).send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...ready.point, deltaX, deltaY });
}

/** The element to drop on is looked for, and scrolled to, with the button held; both must be in the same process. */
async function dragAndDrop({ progress, page, ready, arguments: [selector = ''] }: MethodCall): Promise<void> {
  const place = { frame: page.frames.main, element: { selector }, label: selector };
  const dropPoint = async (): Promise<ReadyElement['point']> => {
    const goal = await prepareTarget(progress, page, place, {
      action: 'drop',
      timeout: DROP_TARGET_TIMEOUT_MS,
      force: false,
    });
    if (goal.world.session === ready.world.session) return goal.point;
    throw new DriverUnsupportedFeatureError('Dragging into a frame of another process is not supported yet.');
  };
  await dragMouse(inputSession(ready), { from: ready.point, to: dropPoint });
}

const DROP_TARGET_TIMEOUT_MS = 5000;

async function upload({ ready, arguments: paths }: MethodCall): Promise<void> {
  const { world, element, target } = ready;
  const files = paths.map((path) => resolve(path));
  await Promise.all(files.map(checkReadable));
  const handle = await world.callForHandle('element', { ref: element.ref });
  if (!handle)
    throw new DriverLocatorError(`${element.tag} left the page before files were chosen.`, { selector: target.label });
  await world.session.send('DOM.setFileInputFiles', { files, objectId: handle.objectId });
  await world.session.send('Runtime.releaseObject', { objectId: handle.objectId });
}

/** The browser itself takes any path, and the page then fails when it reads the file. */
async function checkReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    throw new DriverInvalidArgumentError(`There is no file to read at ${path}.`, {
      argument: 'arguments',
      cause: error,
    });
  }
}
