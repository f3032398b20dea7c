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

/** Of a `Page`. */
export const pageArguments: ArgumentTable = {
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
  locator: [['selector', name]],
  deepLocator: [['selector', name]],
  evaluate: [
    ['script', notOneOf(() => 1, [null, undefined, 5, '', {}, [], Symbol('wrong')])],
    ['argument', notOneOf(undefined, [Symbol('wrong'), (): void => undefined, { deep: [(): void => undefined] }])],
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
  close: [['options', options(limits)]],
  isClosed: null,
};

/** Of a `Locator`. */
export const locatorArguments: ArgumentTable = {
  nth: [['index', whole(Number.MIN_SAFE_INTEGER)]],
  first: null,
  last: null,
  locator: [['selector', name]],
  click: [['options', options({ ...action, button: oneOf('left') })]],
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
    ['paths', stringOrStrings],
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
