import {
  flag,
  type Kind,
  milliseconds,
  name,
  notOneOf,
  number,
  oneOf,
  options,
  signal,
  stringOrStrings,
  strings,
  text,
  timeout,
  whole,
} from './wrong-values.ts';

/** The arguments of a method, in order, with the names that errors call them by; null when it takes none. */
export type MethodArguments = readonly (readonly [argument: string, kind: Kind])[] | null;

/** What the methods of a class take. Every public method of the class stands here. */
export type ArgumentTable = Readonly<Record<string, MethodArguments>>;

const limits = { timeout, signal };
const onlyLimits = [['options', options(limits)]] as const;
const navigation = { ...limits, waitUntil: oneOf('load') };
const action = { ...limits, force: flag };
const onlyAction = [['options', options(action)]] as const;
const screenshot = {
  ...limits,
  type: oneOf('png'),
  quality: whole(0),
  fullPage: flag,
  omitBackground: flag,
  clip: notOneOf(undefined, [null, 5, 'all']),
  path: name,
};
const scope = { selector: name, ignoreSelectors: strings };
const verb = {
  ...limits,
  model: notOneOf(undefined, [5, true, (): void => undefined]),
  page: notOneOf(undefined, [null, 5, {}, 'page']),
  serverCache: flag,
};
const instructed = { ...verb, variables: notOneOf(undefined, [null, 5, 'words', [], { name: null }, { name: {} }]) };

const addInitScript = [
  ['script', notOneOf('1', [null, undefined, 5, {}, [], Symbol('wrong'), { path: 5 }, { path: 'a', content: 'b' }])],
  ['argument', notOneOf(undefined, [5, null, Symbol('wrong')])],
] as const;
/** A part of a filter. */
const part = notOneOf('a', [null, 5, {}, []]);

const pattern = notOneOf('**', [null, undefined, 5, '', {}, true, Symbol('wrong')]);
const words = notOneOf('words', [null, undefined, 5, {}, true, [], Symbol('wrong')]);
const script = notOneOf(() => 1, [null, undefined, 5, '', {}, [], Symbol('wrong')]);
const data = notOneOf(undefined, [Symbol('wrong'), (): void => undefined, { deep: [(): void => undefined] }]);
const handler = notOneOf(() => undefined, [null, undefined, 5, 'handler', {}]);
const event = notOneOf('close', [null, undefined, 5, '', 'explosion', {}, Symbol('wrong')]);
const headers = notOneOf({}, [null, undefined, 5, 'headers', [], { a: 5 }, { 'a b': 'c' }]);
const listener = [
  ['event', event],
  ['listener', handler],
] as const;
const matching = { exact: flag };

/** Of whatever finds elements. */
const queryArguments: ArgumentTable = {
  getByRole: [
    ['role', notOneOf('button', [null, undefined, 5, '', {}, Symbol('wrong')])],
    ['options', options({ name: notOneOf('Buy', [null, 5, {}]), checked: flag, exact: flag })],
  ],
  getByText: [
    ['text', words],
    ['options', options(matching)],
  ],
  getByLabel: [
    ['text', words],
    ['options', options(matching)],
  ],
  getByPlaceholder: [
    ['text', words],
    ['options', options(matching)],
  ],
  getByAltText: [
    ['text', words],
    ['options', options(matching)],
  ],
  getByTitle: [
    ['text', words],
    ['options', options(matching)],
  ],
  getByTestId: [['testId', words]],
  frameLocator: [['selector', name]],
};

/** Of a `Page`. */
export const pageArguments: ArgumentTable = {
  ...queryArguments,
  on: listener,
  once: listener,
  off: listener,
  waitForEvent: [
    ['event', event],
    ['options', notOneOf({}, [null, 5, 'load', true])],
  ],
  waitForURL: [
    ['pattern', pattern],
    ['options', options(navigation)],
  ],
  waitForFunction: [
    ['script', script],
    ['argument', data],
    ['options', options(limits)],
  ],
  setContent: [
    ['html', text],
    ['options', options(navigation)],
  ],
  setViewportSize: [
    ['width', whole(1)],
    ['height', whole(1)],
    ['options', options({ ...limits, deviceScaleFactor: notOneOf(1, [null, '1', -1, Number.NaN]) })],
  ],
  pdf: [['options', options(limits)]],
  route: [
    ['pattern', pattern],
    ['handler', handler],
    ['options', options({ times: whole(1) })],
  ],
  unroute: [['pattern', pattern]],
  unrouteAll: null,
  setExtraHTTPHeaders: [['headers', headers]],
  hover: [
    ['x', notOneOf(1, [null, {}, true, Number.NaN, Symbol('wrong')])],
    ['y', number],
    ['options', options({ ...limits, returnXpath: flag })],
  ],
  tap: [
    ['x', notOneOf(1, [null, {}, true, Number.NaN, Symbol('wrong')])],
    ['y', number],
    ['options', options({ ...limits, returnXpath: flag })],
  ],
  scroll: [
    ['x', number],
    ['y', number],
    ['deltaX', number],
    ['deltaY', number],
    ['options', options({ ...limits, returnXpath: flag })],
  ],
  dragAndDrop: [
    ['fromX', number],
    ['fromY', number],
    ['toX', number],
    ['toY', number],
    ['options', options({ ...limits, returnXpath: flag, steps: whole(1), delay: milliseconds, button: oneOf('left') })],
  ],
  frames: null,
  mainFrame: null,
  frame: [['nameOrUrl', notOneOf('a', [null, undefined, 5, {}])]],
  goto: [
    ['url', name],
    ['options', options({ ...navigation, timeoutMs: timeout, referer: text })],
  ],
  reload: [['options', options(navigation)]],
  goBack: [['options', options(navigation)]],
  goForward: [['options', options(navigation)]],
  url: null,
  title: null,
  content: null,
  waitForLoadState: [
    ['state', oneOf('load')],
    ['options', options(limits)],
  ],
  waitForTimeout: [
    ['ms', milliseconds],
    ['options', options(limits)],
  ],
  waitForSelector: [
    ['selector', name],
    ['options', options({ ...limits, state: oneOf('visible') })],
  ],
  click: [
    ['x', notOneOf(1, [null, {}, true, Number.NaN, Symbol('wrong')])],
    ['y', number],
    ['options', options({ ...limits, button: oneOf('left'), clickCount: whole(1), returnXpath: flag })],
  ],
  type: [
    ['text', text],
    ['options', options({ ...limits, delay: milliseconds })],
  ],
  keyPress: [
    ['keys', name],
    ['options', options(limits)],
  ],
  locator: [
    ['selector', name],
    ['options', options({ strict: flag })],
  ],
  deepLocator: [
    ['selector', name],
    ['options', options({ strict: flag })],
  ],
  evaluate: [
    ['script', script],
    ['argument', data],
    ['options', options(limits)],
  ],
  screenshot: [['options', options(screenshot)]],
  snapshot: [['options', options({ ...limits, ...scope, includeIframes: flag })]],
  targetId: null,
  mainFrameId: null,
  addInitScript,
  sendCDP: [
    ['method', name],
    ['params', notOneOf(undefined, [null, 5, 'words', []])],
  ],
  bringToFront: null,
  close: [['options', options({ ...limits, runBeforeUnload: flag })]],
  isClosed: null,
};

/** Of a `Locator`. */
export const locatorArguments: ArgumentTable = {
  ...queryArguments,
  all: onlyLimits,
  filter: [
    ['options', options({ hasText: notOneOf('a', [null, 5, {}]), has: notOneOf(undefined, [null, 5, 'p', {}]) })],
  ],
  and: [['other', notOneOf(undefined, [null, undefined, 5, 'p', {}])]],
  or: [['other', notOneOf(undefined, [null, undefined, 5, 'p', {}])]],
  evaluate: [
    ['script', script],
    ['argument', data],
    ['options', options(limits)],
  ],
  backendNodeId: onlyLimits,
  highlight: [['options', options({ ...limits })]],
  dragTo: [['target', notOneOf(undefined, [null, undefined, 5, 'p', {}])]],
  setChecked: [
    ['checked', notOneOf(true, [null, undefined, 'yes', 1])],
    ['options', options(action)],
  ],
  blur: onlyLimits,
  scrollIntoViewIfNeeded: onlyLimits,
  sendClickEvent: [['options', options({ ...limits, bubbles: flag })]],
  centroid: onlyLimits,
  nth: [['index', whole(Number.MIN_SAFE_INTEGER)]],
  first: null,
  last: null,
  locator: [
    ['selector', name],
    ['options', options({ strict: flag })],
  ],
  click: [
    ['options', options({ ...action, button: oneOf('left'), clickCount: whole(1), delay: milliseconds, trial: flag })],
  ],
  dblclick: onlyAction,
  hover: onlyAction,
  tap: onlyAction,
  fill: [
    ['value', text],
    ['options', options(action)],
  ],
  clear: onlyAction,
  type: [
    ['text', text],
    ['options', options(action)],
  ],
  press: [
    ['keys', name],
    ['options', options(action)],
  ],
  check: onlyAction,
  uncheck: onlyAction,
  selectOption: [
    ['values', stringOrStrings],
    ['options', options(action)],
  ],
  setInputFiles: [
    ['files', notOneOf('a', [5, null, {}, [5], [null], [{}]])],
    ['options', options(action)],
  ],
  focus: onlyAction,
  scrollTo: [
    ['percent', notOneOf(50, [null, undefined, '50', Number.NaN, -1, 101, {}])],
    ['options', options(action)],
  ],
  textContent: onlyLimits,
  innerText: onlyLimits,
  innerHtml: onlyLimits,
  inputValue: onlyLimits,
  getAttribute: [
    ['name', name],
    ['options', options(limits)],
  ],
  isChecked: onlyLimits,
  isEnabled: onlyLimits,
  isEditable: onlyLimits,
  isVisible: onlyLimits,
  boundingBox: onlyLimits,
  count: onlyLimits,
  waitFor: [['options', options({ ...limits, state: oneOf('visible') })]],
  screenshot: [['options', options(screenshot)]],
};

/** Of a `DriverContext`. */
export const contextArguments: ArgumentTable = {
  on: listener,
  once: listener,
  off: listener,
  route: [
    ['pattern', pattern],
    ['handler', handler],
    ['options', options({ times: whole(1) })],
  ],
  unroute: [['pattern', pattern]],
  unrouteAll: null,
  setExtraHTTPHeaders: [['headers', headers]],
  setDomainPolicy: [
    ['rules', notOneOf(null, [undefined, 5, 'a.test', [], { allowedDomains: 'a.test' }, { blockedDomains: [5] }])],
  ],
  getDomainPolicy: null,
  pages: null,
  activePage: null,
  setActivePage: [['page', notOneOf(undefined, [null, 5, {}, 'page'])]],
  awaitActivePage: [['timeout', timeout]],
  newPage: [['url', name]],
  cookies: [['urls', notOneOf(undefined, [null, 5, 'shop', {}, [''], Symbol('wrong')])]],
  addCookies: [['cookies', notOneOf([], [null, undefined, 5, 'a=b', {}])]],
  clearCookies: [['filter', options({ name: part, domain: part, path: part })]],
  storageState: [['options', options({ ...limits, path: name })]],
  setStorageState: [
    ['state', notOneOf({}, [null, undefined, 5, [], Symbol('wrong')])],
    ['options', options(limits)],
  ],
  grantPermissions: [
    ['permissions', notOneOf([], [null, undefined, 5, 'geolocation', {}, [5], ['flying']])],
    ['options', options({ origin: name })],
  ],
  clearPermissions: null,
  addInitScript,
  close: null,
};

/** Of a `Driver`. */
export const driverArguments: ArgumentTable = {
  init: null,
  close: [['options', options({ force: flag })]],
  connectURL: null,
  act: [
    ['instruction', notOneOf('words', [null, undefined, 5, '', true, Symbol('wrong'), (): void => undefined])],
    ['options', options(instructed)],
  ],
  observe: [
    ['instruction', notOneOf('words', [5, '', true, Symbol('wrong')])],
    ['options', options({ ...instructed, ...scope })],
  ],
  extract: [
    ['instruction', notOneOf('words', [5, '', true, Symbol('wrong')])],
    ['schema', notOneOf(undefined, [null, 5, 'schema', {}])],
    ['options', options({ ...verb, ...scope, screenshot: flag })],
  ],
};
