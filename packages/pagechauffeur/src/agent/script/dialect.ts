import { quoted } from './literals.ts';

/** An edit within a field's text. `anchor` and `text` are code. */
export interface EditCode {
  readonly method: 'replace' | 'insert';
  readonly anchor: string;
  readonly text: string;
  /** True for `input` and `textarea`, false for `contenteditable`. */
  readonly isField: boolean;
}

export interface TextCode {
  readonly locator: string;
  readonly text: string;
}

/** Generates the code in which this library and Playwright differ. Strings are code unless noted. */
export interface Dialect {
  /** Import lines for a script that contains these helpers. */
  importsOf(helpers: readonly string[]): readonly string[];
  /** Helper functions that `body` calls. */
  helpersOf(body: string): readonly string[];
  /** Restricts the text to documents from these origins (plain strings). */
  bind(code: TextCode, origins: readonly string[]): TextCode;
  /** First parameter of the generated `run` function. */
  readonly parameter: string;
  /** Lines that declare `page`. Empty if `page` is the parameter. */
  readonly firstPage: readonly string[];
  /** Lines that call `run` when the script is executed directly. `variables`: `, ` and its second argument, or empty. */
  main(variables: string): readonly string[];
  /** Lines around a step that opens a page. */
  openedPage(name: string, opener: string): { readonly before: readonly string[]; readonly after: readonly string[] };
  newPage(name: string): readonly string[];
  /** Types text at the end of a field. `hasLines` is true for multi-line fields. */
  type(locator: string, text: string, hasLines: boolean): readonly string[];
  /** Replaces `anchor` with text, or inserts text after it. */
  editText(page: string, locator: string, edit: EditCode): readonly string[];
  /** True if names are matched as rendered. Playwright matches the DOM text, before `text-transform`. */
  readonly matchesRenderedNames: boolean;
  /** Click options for elements in shadow roots, which another element of the component can cover. */
  readonly shadowClickOptions: string;
  /** Selects files with an element that opens a file chooser when it is clicked. */
  offerFiles(page: string, locator: string, files: string): readonly string[];
}

export const CHAUFFEUR: Dialect = {
  importsOf: () => ["import { Driver } from 'pagechauffeur';"],
  helpersOf: () => [],
  bind: ({ locator, text }, origins) => ({
    locator,
    text: `${text}, { origins: [${origins.map(quoted).join(', ')}] }`,
  }),
  parameter: 'driver: Driver',
  firstPage: ['const page = driver.context.activePage() ?? (await driver.context.newPage());'],
  main: (variables) => [
    "await using driver = new Driver({ env: 'LOCAL' });",
    'await driver.init();',
    `await run(driver${variables});`,
  ],
  openedPage: (name) => ({
    before: [`const ${name}Opens = driver.context.waitForEvent('page');`],
    after: [`const ${name} = await ${name}Opens;`],
  }),
  newPage: (name) => [`const ${name} = await driver.context.newPage();`],
  type: (locator, text) => [`await ${locator}.type(${text});`],
  editText: (_page, locator, { method, anchor, text }) => [
    `await ${locator}.${method === 'replace' ? 'replaceText' : 'insertTextAfter'}(${anchor}, ${text});`,
  ],
  matchesRenderedNames: true,
  shadowClickOptions: '',
  offerFiles: (_page, locator, files) => [`await ${locator}.setInputFiles(${files});`],
};

export const PLAYWRIGHT: Dialect = {
  importsOf: (helpers) => [
    `import { chromium, ${helpers.length > 0 ? 'type ElementHandle, type Locator, ' : ''}type Page } from 'playwright';`,
  ],
  helpersOf: (body) => (body.includes(HANDLE) ? ['', ...WITHIN] : []),
  bind: ({ locator, text }, origins) => ({
    locator: `${HANDLE}${locator}, [${origins.map(originPattern).join(', ')}]))`,
    text,
  }),
  parameter: 'page: Page',
  firstPage: [],
  main: (variables) => [
    'const browser = await chromium.launch();',
    'try {',
    // A context from `browser.newPage()` cannot open more pages, so the script creates its own.
    '  const context = await browser.newContext();',
    `  await run(await context.newPage()${variables});`,
    '} finally {',
    '  await browser.close();',
    '}',
  ],
  openedPage: (name, opener) => ({
    before: [`const ${name}Opens = ${opener}.context().waitForEvent('page');`],
    after: [`const ${name} = await ${name}Opens;`],
  }),
  newPage: (name) => [`const ${name} = await page.context().newPage();`],
  type: (locator, text, hasLines) => [
    `await ${locator}.press('${hasLines ? 'Control+End' : 'End'}');`,
    `await ${locator}.${isHandle(locator) ? 'type' : 'pressSequentially'}(${text});`,
  ],
  // The page can move the focus before keys arrive, so a bound value is inserted in the document of its field.
  editText: (page, locator, edit) =>
    isHandle(locator)
      ? selectText(locator, edit, "document.execCommand('insertText', false, text)")
      : [...selectText(locator, edit), `await ${page}.keyboard.insertText(${edit.text});`],
  matchesRenderedNames: false,
  shadowClickOptions: 'force: true',
  offerFiles: (page, locator, files) => [
    `const [chooser] = await Promise.all([${page}.waitForEvent('filechooser'), ${locator}.click()]);`,
    `await chooser.setFiles(${files});`,
  ],
};

/**
 * Selects `anchor`, or puts the caret after it, then runs `insert` in the page. The generated code throws if the field
 * does not contain `anchor`.
 */
function selectText(locator: string, { method, anchor, text, isField }: EditCode, insert?: string): readonly string[] {
  const from = method === 'replace' ? 'start' : 'end';
  const [type, find, select] = isField ? IN_FIELD : IN_EDITOR;
  return [
    insert === undefined
      ? `await ${locator}.evaluate((field: ${type}, anchor: string) => {`
      : `await ${locator}.evaluate((field: ${type}, [anchor = '', text = '']: string[]) => {`,
    ...find.map((line) => `  ${line}`),
    '  if (start < 0) throw new Error(`${JSON.stringify(anchor)} is not in the field.`);',
    '  const end = start + anchor.length;',
    '  field.focus();',
    `  ${select.replace('FROM', from)};`,
    ...(insert === undefined ? [] : [`  ${insert};`]),
    `}, ${insert === undefined ? anchor : `[${anchor}, ${text}]`});`,
  ];
}

/** The element type, the lines that set `start`, and the expression that selects the text. */
type Selecting = readonly [type: string, find: readonly string[], select: string];

const IN_FIELD: Selecting = [
  'HTMLInputElement | HTMLTextAreaElement',
  ['const start = field.value.indexOf(anchor);'],
  'field.setSelectionRange(FROM, end)',
];
const IN_EDITOR: Selecting = [
  'HTMLElement',
  [
    'const texts = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);',
    'let node = texts.nextNode();',
    'while (node && !node.nodeValue?.includes(anchor)) node = texts.nextNode();',
    'const start = node?.nodeValue?.indexOf(anchor) ?? -1;',
  ],
  'getSelection()?.setBaseAndExtent(node as Node, FROM, node as Node, end)',
];

/** Start of the code that calls the helper in {@link WITHIN}. */
const HANDLE = '(await within(';

function isHandle(code: string): boolean {
  return code.startsWith(HANDLE);
}

const WITHIN = [
  '/** Returns the field if its document has one of these origins. For a frame, checks the document in it. */',
  'async function within(field: Locator, origins: readonly RegExp[]): Promise<ElementHandle> {',
  '  const element = (await field.elementHandle()) as ElementHandle;',
  '  const frame = (await element.contentFrame()) ?? (await element.ownerFrame());',
  "  const { origin } = new URL(frame?.url() ?? 'about:blank');",
  '  if (!origins.some((pattern) => pattern.test(origin))) throw new Error(`Cannot type this value into a document of ${origin}.`);',
  '  return element;',
  '}',
];

/** Converts an origin such as `https://*.example.com` to a regular expression literal. */
function originPattern(origin: string): string {
  const source = origin
    .replaceAll(/[\\/.*+?()[\]{}|^$]/g, '\\$&')
    .replace('\\*\\.', '[^/]+\\.')
    .replace(/:\\\*$/, '(?::\\d+)?');
  return String(new RegExp(`^${source}$`));
}
