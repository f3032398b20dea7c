import type { SpecPart } from './part.ts';

/** Calls, and rules for them. */
export const callParts: Readonly<Record<string, SpecPart>> = {
  service: {
    title: 'The whole',
    rows: {
      'launches-browser': 'the driver launches and ends a local Chromium',
      'frames-and-shadow': 'verbs work in iframes and shadow DOM without an option',
      'verbs-on-driver': 'act, extract and observe are methods of the driver, not of pages',
      'first-page': 'context.pages()[0] is the page that init() opened',
    },
  },
  states: {
    title: 'States and transitions',
    rows: {
      init: 'init() launches the browser and opens a first page',
      'before-init': 'any other method throws before init()',
      close: 'close() ends the browser',
      'close-keep-alive': 'close() with keepAlive leaves the browser running',
      'parent-exit': 'the browser ends with its parent',
      'parent-exit-keep-alive': 'with keepAlive the browser outlives its parent',
      'remote-reconnect': 'a driver resumes a remote session by its id',
      'close-force': 'force kills the browser even while it is closing; off by default',
      'close-twice': 'close() while closing',
    },
  },
  'life-calls': {
    title: 'Constructor and life cycle',
    rows: {
      constructor: 'new Driver(options)',
      init: 'init() returns a Promise<void>',
      close: 'close(options?) returns a Promise<void>',
      agent: 'agent(config?) returns an agent',
    },
  },
  'act-calls': {
    title: 'act',
    rows: {
      instruction: 'act(instruction)',
      'instruction-options': 'act(instruction, options)',
      action: 'act(action), without a model',
      'action-options': 'act(action, options), with variables',
      placeholders: '%name% in an instruction refers to an entry of variables',
      'variables-kept': 'variable values do not reach model providers',
      'observed-action': 'act accepts an action from observe()',
    },
  },
  'observe-calls': {
    title: 'observe',
    rows: {
      instruction: 'observe(instruction)',
      'instruction-options': 'observe(instruction, options)',
      'no-instruction': 'without an instruction, all interactive elements',
      order: 'most relevant first',
      placeholders: 'models see only names, and arguments keep the placeholders',
      empty: 'an empty array if nothing was found',
    },
  },
  'extract-calls': {
    title: 'extract',
    rows: {
      none: 'extract()',
      options: 'extract(options)',
      instruction: 'extract(instruction)',
      schema: 'extract(instruction, schema)',
      'schema-options': 'extract(instruction, schema, options)',
      object: 'one object with instruction, selector and schema',
      'observed-selector': 'the selector of an observed action limits an extract',
    },
  },
  properties: {
    title: 'Properties and accessors',
    rows: {
      'context.newPage': 'returns a promise of a page',
      'context.pages': 'all open pages',
      'context.setActivePage': 'makes a page the active page',
      'context.activePage': 'the active page',
      metrics: 'a promise of the metrics',
      history: 'a promise of a read-only array',
      remoteSessionID: 'undefined for LOCAL and before init()',
      remoteSessionURL: 'undefined until a remote session is active',
      remoteDebugURL: 'undefined for LOCAL',
    },
  },
  page: {
    title: 'Page object',
    rows: {
      goto: 'page.goto',
      reload: 'page.reload',
      goBack: 'page.goBack',
      goForward: 'page.goForward',
      click: 'page.click',
      type: 'page.type',
      keyPress: 'page.keyPress',
      locator: 'page.locator',
      deepLocator: 'page.deepLocator',
      url: 'page.url',
      title: 'page.title',
      screenshot: 'page.screenshot',
      evaluate: 'page.evaluate',
      foreign: 'verbs accept pages of three other libraries',
      active: 'verbs work on the active page by default',
    },
  },
};
