import type { SpecPart } from './part.ts';

/** What users call, and the rules of it. */
export const callParts: Readonly<Record<string, SpecPart>> = {
  service: {
    title: 'The whole',
    rows: {
      'launches-browser': 'a local Chromium is launched and ended',
      'frames-and-shadow': 'iframes and shadow DOM are gone into without any option',
      'verbs-on-driver': 'act, extract and observe are methods of the driver, not of pages',
      'first-page': 'context.pages()[0] is the page that init() made',
    },
  },
  states: {
    title: 'States and transitions',
    rows: {
      init: 'init() launches the browser; a first page is there',
      'before-init': 'any other method before init() is refused',
      close: 'close() ends the browser',
      'close-keep-alive': 'close() with keepAlive leaves the browser running',
      'parent-exit': 'the browser ends with its parent',
      'parent-exit-keep-alive': 'with keepAlive it does not',
      'remote-reconnect': 'a remote session is come back to by its id',
      'close-force': 'force closes even when closing has begun; off by default',
      'close-twice': 'close() while closing',
    },
  },
  'life-calls': {
    title: 'Constructor and life cycle',
    rows: {
      constructor: 'new Driver(options)',
      init: 'init() promises nothing',
      close: 'close(options?) promises nothing',
      agent: 'agent(config?) gives an agent',
    },
  },
  'act-calls': {
    title: 'act',
    rows: {
      instruction: 'act(instruction)',
      'instruction-options': 'act(instruction, options)',
      action: 'act(action), without a model',
      'action-options': 'act(action, options), with variables',
      placeholders: '%name% in an instruction is an entry of variables',
      'variables-kept': 'values of variables reach no model provider',
      'observed-action': 'an action that observe() gave may be passed',
    },
  },
  'observe-calls': {
    title: 'observe',
    rows: {
      instruction: 'observe(instruction)',
      'instruction-options': 'observe(instruction, options)',
      'no-instruction': 'without an instruction all interactive elements',
      order: 'most relevant first',
      placeholders: 'models see names only, and arguments keep the placeholders',
      empty: 'an empty array when nothing was found',
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
      'context.newPage': 'promises a page',
      'context.pages': 'all open pages',
      'context.setActivePage': 'makes a page the active one',
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
      foreign: 'verbs take pages of three other libraries',
      active: 'verbs work on the active page when none is given',
    },
  },
};
