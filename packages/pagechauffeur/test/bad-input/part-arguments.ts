import {
  type ArgumentTable,
  documentArguments,
  keys,
  limits,
  onlyLimits,
  givesText,
  point,
  pressesKeys,
  queryArguments,
  typesText,
} from './argument-kinds.ts';
import { milliseconds, name, notOneOf, number, oneOf, options, text, whole } from './wrong-values.ts';

/** Of a `Frame`. */
export const frameArguments: ArgumentTable = {
  ...documentArguments,
  name: null,
  url: null,
  parentFrame: null,
  childFrames: null,
  isDetached: null,
};

/** Of a `FrameLocator`. */
export const frameLocatorArguments: ArgumentTable = { ...queryArguments, owner: null, resolveFrame: onlyLimits };

const oneKey = [
  ['key', keys],
  ['options', options(limits)],
] as const;

/** Of a `Keyboard`. */
export const keyboardArguments: ArgumentTable = {
  down: oneKey,
  up: oneKey,
  press: pressesKeys,
  type: typesText,
  insertText: givesText,
};

const button = { ...limits, button: oneOf('left'), clickCount: whole(1) };
const clicksAt = [...point, ['options', options({ ...button, delay: milliseconds })]] as const;

/** Of a `Mouse`. */
export const mouseArguments: ArgumentTable = {
  move: [...point, ['options', options({ ...limits, steps: whole(1) })]],
  down: [['options', options(button)]],
  up: [['options', options(button)]],
  click: clicksAt,
  dblclick: [...point, ['options', options({ ...limits, button: oneOf('left'), delay: milliseconds })]],
  wheel: [
    ['deltaX', number],
    ['deltaY', number],
    ['options', options(limits)],
  ],
};

const pressesClipboardKeys = [
  ['options', options({ ...limits, page: notOneOf(undefined, [null, 5, {}, 'page']) })],
] as const;

/** Of a `Clipboard`. */
export const clipboardArguments: ArgumentTable = {
  readText: onlyLimits,
  writeText: givesText,
  clear: onlyLimits,
  copy: pressesClipboardKeys,
  cut: pressesClipboardKeys,
  paste: pressesClipboardKeys,
};

/** Of a `ConsoleMessage`. */
export const consoleMessageArguments: ArgumentTable = { type: null, text: null, location: null, args: null };

/** Of a `Dialog`. */
export const dialogArguments: ArgumentTable = {
  type: null,
  message: null,
  defaultValue: null,
  accept: [['text', text]],
  dismiss: null,
};

/** Of a `Download`. */
export const downloadArguments: ArgumentTable = {
  suggestedFilename: null,
  url: null,
  path: onlyLimits,
  saveAs: [
    ['path', name],
    ['options', options(limits)],
  ],
  failure: onlyLimits,
  cancel: null,
};

/** Of a `Request`. */
export const requestArguments: ArgumentTable = {
  url: null,
  method: null,
  headers: null,
  postData: null,
  resourceType: null,
  frame: null,
  isNavigationRequest: null,
  redirectedFrom: null,
  failure: null,
  response: onlyLimits,
};

const header = [
  ['name', name],
  ['options', options(limits)],
] as const;

/** Of a `Response`. */
export const responseArguments: ArgumentTable = {
  url: null,
  status: null,
  statusText: null,
  ok: null,
  headers: null,
  allHeaders: onlyLimits,
  headerValue: header,
  headerValues: header,
  headersArray: onlyLimits,
  body: onlyLimits,
  text: onlyLimits,
  json: onlyLimits,
  finished: onlyLimits,
  frame: null,
  fromServiceWorker: null,
  serverAddr: null,
  securityDetails: null,
};

const headers = notOneOf({}, [null, 5, 'headers', [], { a: 5 }, { 'a b': 'c' }]);
const bytes = notOneOf('a', [null, 5, {}, [], true]);
const changes = [
  [
    'changes',
    options({
      url: notOneOf(undefined, [null, 5, '', '/here', 'ftp://there/']),
      method: notOneOf('GET', [null, 5, '', {}]),
      headers,
      postData: bytes,
    }),
  ],
] as const;

/** Of a `Route`. */
export const routeArguments: ArgumentTable = {
  request: null,
  fulfill: [
    [
      'answer',
      options({
        status: notOneOf(200, [null, '200', 99, 600, 200.5, Number.NaN]),
        headers,
        contentType: name,
        body: bytes,
        path: name,
        json: notOneOf(1, [1n, (): void => undefined, Symbol('wrong')]),
      }),
    ],
  ],
  abort: [['errorCode', notOneOf('failed', [null, 5, '', 'boredom', 'toString', {}])]],
  continue: changes,
  fallback: changes,
};
