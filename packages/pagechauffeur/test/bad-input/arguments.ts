import {
  data,
  documentArguments,
  event,
  keys,
  limits,
  listeningArguments,
  type ArgumentTable,
  navigation,
  networkArguments,
  otherLocator,
  point,
  pressesKeys,
  queryArguments,
  runsScript,
  script,
  typesText,
  waitsForUrl,
} from './argument-kinds.ts';
import {
  clipboardArguments,
  consoleMessageArguments,
  dialogArguments,
  downloadArguments,
  frameArguments,
  frameLocatorArguments,
  keyboardArguments,
  mouseArguments,
  requestArguments,
  responseArguments,
  routeArguments,
} from './part-arguments.ts';
import {
  flag,
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
  withHole,
} from './wrong-values.ts';

const modifiers = notOneOf(['Shift'], [null, 5, ['Enter'], 'Hyper', {}, withHole]);
const located = { ...limits, strict: flag };
const onlyLocated = [['options', options(located)]] as const;
const action = { ...located, force: flag };
const onlyAction = [['options', options(action)]] as const;
const pointed = { ...action, modifiers, trial: flag };
const atPoint = { ...limits, modifiers, returnXpath: flag };
/** A point, or a selector in place of both coordinates. */
const pointOrSelector = [
  ['x', notOneOf(1, [null, {}, true, Number.NaN, Symbol('wrong')])],
  ['y', number],
] as const;
const screenshot = {
  ...limits,
  type: oneOf('png'),
  quality: whole(0),
  fullPage: flag,
  omitBackground: flag,
  clip: notOneOf(undefined, [null, 5, 'all']),
  mask: notOneOf([], [null, 5, ['p'], [{}], withHole]),
  path: name,
};
const scope = { selector: name, ignoreSelectors: strings };
const tokens = notOneOf(1, [null, '1', 0, -1, Number.NaN, {}, true]);
const ref = notOneOf('e1', [null, 5, '', 'row 3', 'e', {}, []]);
const verb = {
  ...limits,
  model: notOneOf(undefined, [5, true, (): void => undefined]),
  page: notOneOf(undefined, [null, 5, {}, 'page']),
  serverCache: flag,
};
const instructed = { ...verb, variables: notOneOf(undefined, [null, 5, 'words', [], { name: null }, { name: {} }]) };
/** A part of a filter. */
const part = notOneOf('a', [null, 5, {}, []]);

/** Of a `Page`. */
const pageArguments: ArgumentTable = {
  ...documentArguments,
  ...listeningArguments('console'),
  ...networkArguments,
  waitForEvent: [
    ['event', event('console')],
    ['options', notOneOf({}, [null, 5, 'load', true])],
  ],
  waitForURL: waitsForUrl,
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
  hover: [...pointOrSelector, ['options', options(atPoint)]],
  tap: [...pointOrSelector, ['options', options(atPoint)]],
  scroll: [...point, ['deltaX', number], ['deltaY', number], ['options', options(atPoint)]],
  dragAndDrop: [
    ['fromX', number],
    ['fromY', number],
    ['toX', number],
    ['toY', number],
    ['options', options({ ...atPoint, steps: whole(1), delay: milliseconds, button: oneOf('left') })],
  ],
  frames: null,
  mainFrame: null,
  frame: [['nameOrUrl', notOneOf('a', [null, undefined, 5, {}])]],
  goto: [
    ['url', notOneOf('about:blank', [null, 5, '', '  ', {}, [], true])],
    ['options', options({ ...navigation, timeoutMs: timeout, referer: text })],
  ],
  reload: [['options', options(navigation)]],
  goBack: [['options', options(navigation)]],
  goForward: [['options', options(navigation)]],
  url: null,
  waitForLoadState: [
    ['state', oneOf('load')],
    ['options', options(limits)],
  ],
  waitForTimeout: [
    ['ms', milliseconds],
    ['options', options(limits)],
  ],
  click: [
    ...pointOrSelector,
    ['options', options({ ...atPoint, button: oneOf('left'), clickCount: whole(1), delay: milliseconds })],
  ],
  type: typesText,
  keyPress: pressesKeys,
  deepLocator: [
    ['selector', name],
    ['options', options({ strict: flag })],
  ],
  screenshot: [['options', options(screenshot)]],
  snapshot: [['options', options({ ...limits, ...scope, includeIframes: flag, tokenBudget: tokens, expand: ref })]],
  targetId: null,
  mainFrameId: null,
  sendCDP: [
    ['method', name],
    ['params', notOneOf(undefined, [null, 5, 'words', []])],
  ],
  bringToFront: null,
  close: [['options', options({ ...limits, runBeforeUnload: flag })]],
  isClosed: null,
};

/** Of a `Locator`. */
const locatorArguments: ArgumentTable = {
  ...queryArguments,
  all: onlyLocated,
  filter: [
    ['options', options({ hasText: notOneOf('a', [null, 5, {}]), has: notOneOf(undefined, [null, 5, 'p', {}]) })],
  ],
  and: [['other', otherLocator]],
  or: [['other', otherLocator]],
  evaluate: runsScript,
  backendNodeId: onlyLocated,
  highlight: [['options', options({ ...located })]],
  dragTo: [
    ['target', otherLocator],
    ['options', options(action)],
  ],
  setChecked: [
    ['checked', notOneOf(true, [null, undefined, 'yes', 1])],
    ['options', options(action)],
  ],
  blur: onlyLocated,
  scrollIntoViewIfNeeded: onlyLocated,
  sendClickEvent: [['options', options({ ...located, bubbles: flag })]],
  centroid: onlyLocated,
  nth: [['index', whole(Number.MIN_SAFE_INTEGER)]],
  first: null,
  last: null,
  click: [['options', options({ ...pointed, button: oneOf('left'), clickCount: whole(1), delay: milliseconds })]],
  dblclick: [['options', options({ ...pointed, button: oneOf('left'), delay: milliseconds })]],
  hover: [['options', options(pointed)]],
  tap: [['options', options(pointed)]],
  fill: [
    ['value', text],
    ['options', options(action)],
  ],
  clear: onlyAction,
  replaceText: [
    ['anchor', name],
    ['text', text],
    ['options', options(action)],
  ],
  insertTextAfter: [
    ['anchor', name],
    ['text', name],
    ['options', options(action)],
  ],
  type: [
    ['text', text],
    ['options', options(action)],
  ],
  press: [
    ['keys', keys],
    ['options', options(action)],
  ],
  check: onlyAction,
  uncheck: onlyAction,
  selectOption: [
    ['values', stringOrStrings],
    ['options', options(action)],
  ],
  setInputFiles: [
    ['files', notOneOf({ name: 'a', buffer: Buffer.from('a') }, [5, null, {}, [5], [null], [{}], withHole])],
    ['options', options(action)],
  ],
  focus: onlyAction,
  scrollTo: [
    ['percent', notOneOf(50, [null, undefined, '50', Number.NaN, -1, 101, {}])],
    ['options', options(action)],
  ],
  textContent: onlyLocated,
  innerText: onlyLocated,
  innerHtml: onlyLocated,
  inputValue: onlyLocated,
  getAttribute: [
    ['name', name],
    ['options', options(located)],
  ],
  isChecked: onlyLocated,
  isEnabled: onlyLocated,
  isEditable: onlyLocated,
  isVisible: onlyLocated,
  boundingBox: onlyLocated,
  count: onlyLocated,
  waitFor: [['options', options({ ...located, state: oneOf('visible') })]],
  screenshot: [['options', options(screenshot)]],
};

/** Of a `DriverContext`. */
const contextArguments: ArgumentTable = {
  ...listeningArguments('close'),
  waitForEvent: [
    ['event', event('page')],
    ['options', notOneOf({}, [null, 5, 'load', true])],
  ],
  ...networkArguments,
  setDomainPolicy: [
    [
      'rules',
      notOneOf(null, [
        undefined,
        5,
        'a.test',
        [],
        { allowedDomains: 'a.test' },
        { blockedDomains: [5] },
        { blockedDomains: withHole },
      ]),
    ],
  ],
  getDomainPolicy: null,
  pages: null,
  activePage: null,
  setActivePage: [['page', notOneOf(undefined, [null, 5, {}, 'page'])]],
  awaitActivePage: [['timeout', timeout]],
  newPage: [['url', notOneOf('about:blank', [null, 5, '', '  ', {}, [], true])]],
  cookies: [['urls', notOneOf(undefined, [null, 5, 'shop', {}, [''], withHole, Symbol('wrong')])]],
  addCookies: [['cookies', notOneOf([], [null, undefined, 5, 'a=b', {}, withHole])]],
  clearCookies: [['filter', options({ name: part, domain: part, path: part })]],
  storageState: [['options', options({ ...limits, path: name })]],
  setStorageState: [
    ['state', notOneOf({ cookies: [], origins: [] }, [null, undefined, 5, [], Symbol('wrong')])],
    ['options', options(limits)],
  ],
  grantPermissions: [
    ['permissions', notOneOf([], [null, undefined, 5, 'geolocation', {}, [5], ['flying'], withHole])],
    ['options', options({ origin: name })],
  ],
  clearPermissions: null,
  close: null,
};

/** Of an `Agent`. */
const agentArguments: ArgumentTable = {
  execute: [
    [
      'task',
      {
        ...notOneOf('words', [null, 5, true, [], Symbol('wrong')]),
        fields: {
          instruction: notOneOf('words', [null, undefined, 5, '', true, {}]),
          maxSteps: whole(1),
          toolTimeout: milliseconds,
          excludeTools: strings,
          variables: notOneOf(undefined, [null, 5, 'words', []]),
          messages: notOneOf(undefined, [null, 5, 'words', {}, [{}], [{ role: 'system', text: '' }], withHole]),
          highlightCursor: flag,
          budget: options(),
          callbacks: notOneOf(undefined, [null, 5, 'words', [], { onAction: 5 }]),
          signal,
        },
      },
    ],
  ],
};

/** Of a `Driver`. */
const driverArguments: ArgumentTable = {
  agent: [
    [
      'config',
      options({
        model: verb.model,
        executionModel: verb.model,
        mode: oneOf('dom'),
        systemPrompt: text,
        stream: flag,
        contextTokens: whole(1000),
        tools: notOneOf(undefined, [null, 5, 'words', []]),
        integrations: notOneOf(undefined, [null, 5, 'words', {}, withHole]),
        allowEvaluate: flag,
        signal,
      }),
    ],
  ],
  init: null,
  close: [['options', options({ force: flag })]],
  connectURL: null,
  askPerson: [
    [
      'question',
      {
        ...notOneOf({ question: 'words' }, [null, undefined, 5, 'words', [], Symbol('wrong')]),
        fields: { question: name, kind: oneOf('code'), url: text, timeout, signal },
      },
    ],
  ],
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
    ['options', options({ ...verb, ...scope, screenshot: flag, withEvidence: flag, plan: flag })],
  ],
};

/** What the methods of each public class take, by the name of the class. */
export const argumentsByClass: Readonly<Record<string, ArgumentTable>> = {
  Agent: agentArguments,
  Clipboard: clipboardArguments,
  ConsoleMessage: consoleMessageArguments,
  Dialog: dialogArguments,
  Download: downloadArguments,
  Driver: driverArguments,
  DriverContext: contextArguments,
  Frame: frameArguments,
  FrameLocator: frameLocatorArguments,
  Keyboard: keyboardArguments,
  Locator: locatorArguments,
  Mouse: mouseArguments,
  Page: pageArguments,
  Request: requestArguments,
  Response: responseArguments,
  Route: routeArguments,
};
