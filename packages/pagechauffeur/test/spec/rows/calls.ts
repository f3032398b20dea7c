import type { SpecPart } from './part.ts';

/** Calls, and rules for them. */
export const callParts: Readonly<Record<string, SpecPart>> = {
  service: {
    title: 'Overview',
    rows: {
      'launches-browser': 'the driver starts and closes a local Chromium',
      'frames-and-shadow': 'act, observe and extract work in iframes and shadow roots without an option',
      'verbs-on-driver': 'act, observe and extract are methods of the driver, not of pages',
      'first-page': 'context.pages()[0] is the page that init() opens',
    },
  },
  states: {
    title: 'States and transitions',
    rows: {
      init: 'init() starts the browser and opens a page',
      'before-init': 'any other method throws before init()',
      close: 'close() closes the browser',
      'close-keep-alive': 'with keepAlive, close() leaves the browser running',
      'parent-exit': 'the browser exits when its parent process exits',
      'parent-exit-keep-alive': 'with keepAlive, the browser keeps running when its parent process exits',
      'remote-reconnect': 'a driver can resume a remote session by id',
      'close-force': 'force: true kills the browser, even while it is closing; the default is false',
      'close-twice': 'a second close() returns the same promise',
    },
  },
  'life-calls': {
    title: 'Constructor and life cycle',
    rows: {
      constructor: 'new Driver(options) creates a driver',
      init: 'init() returns a Promise<void>',
      close: 'close(options?) returns a Promise<void>',
      agent: 'agent(config?) returns an agent',
    },
  },
  'act-calls': {
    title: 'act',
    rows: {
      instruction: 'act(instruction) runs one action',
      'instruction-options': 'act(instruction, options) accepts options',
      action: 'act(action) runs an action without a model',
      'action-options': 'act(action, options) accepts variables',
      placeholders: '%name% in an instruction refers to an entry of variables',
      'variables-kept': 'variable values do not reach model providers',
      'observed-action': 'act accepts an action from observe()',
    },
  },
  'observe-calls': {
    title: 'observe',
    rows: {
      instruction: 'observe(instruction) returns actions',
      'instruction-options': 'observe(instruction, options) accepts options',
      'no-instruction': 'observe() without an instruction returns all interactive elements',
      order: 'the most relevant action is first',
      placeholders: 'models see only the names of variables, and arguments contain placeholders',
      empty: 'the array is empty if nothing was found',
    },
  },
  'extract-calls': {
    title: 'extract',
    rows: {
      none: 'extract() returns the page as text',
      options: 'extract(options) returns the page as text',
      instruction: 'extract(instruction) returns text',
      schema: 'extract(instruction, schema) returns data with the type of the schema',
      'schema-options': 'extract(instruction, schema, options) accepts options',
      object: 'extract() accepts instruction, selector and schema in one object',
      'observed-selector': 'extract() accepts the selector of an action from observe()',
    },
  },
  properties: {
    title: 'Properties and accessors',
    rows: {
      'context.newPage': 'opens a page and returns a promise for it',
      'context.pages': 'returns all open pages',
      'context.setActivePage': 'makes a page the active page',
      'context.activePage': 'returns the active page',
      metrics: 'is a promise for the metrics',
      history: 'is a promise for a read-only array',
      remoteSessionID: 'is undefined with env LOCAL and before init()',
      remoteSessionURL: 'is undefined until a remote session is active',
      remoteDebugURL: 'is undefined with env LOCAL',
    },
  },
  page: {
    title: 'Page object',
    rows: {
      goto: 'page.goto() opens a URL',
      reload: 'page.reload() reloads the page',
      goBack: 'page.goBack() goes back in the history',
      goForward: 'page.goForward() goes forward in the history',
      click: 'page.click() clicks at a point',
      type: 'page.type() types text',
      keyPress: 'page.keyPress() presses a key',
      locator: 'page.locator() returns a locator',
      deepLocator: 'page.deepLocator() is the same as page.locator()',
      url: 'page.url() returns the current URL',
      title: 'page.title() returns the title',
      screenshot: 'page.screenshot() returns a screenshot',
      evaluate: 'page.evaluate() runs JavaScript in the page',
      foreign: 'act, observe and extract accept pages of Playwright, Puppeteer and Patchright',
      active: 'act, observe and extract use the active page by default',
    },
  },
};
