import { quoted } from './literals.ts';

/** An edit of part of a text. `anchor` and `text` are code. */
export interface EditCode {
  readonly method: 'replace' | 'insert';
  readonly anchor: string;
  readonly text: string;
  /** True for `input` and `textarea`, false for other editors. */
  readonly isField: boolean;
}

/** A text and its locator, both as code. */
export interface TextCode {
  readonly locator: string;
  readonly text: string;
}

/** The code that differs between libraries. */
export interface Dialect {
  /** Import lines of a script with these helpers. */
  importsOf(helpers: readonly string[]): readonly string[];
  /** Helper functions that the body of a script needs. */
  helpersOf(body: string): readonly string[];
  /** Restricts text to documents with one of these origins. */
  bind(code: TextCode, origins: readonly string[]): TextCode;
  /** First parameter of the script's function. */
  readonly parameter: string;
  /** Lines that declare the first page as `page`. */
  readonly firstPage: readonly string[];
  /** Lines that run the script if it is executed directly. `variables` is the code of the values, or empty. */
  main(variables: string): readonly string[];
  /** Lines before and after a step that opens a new page. */
  openedPage(name: string, opener: string): { readonly before: readonly string[]; readonly after: readonly string[] };
  /** Opens an empty page. */
  newPage(name: string): readonly string[];
  /** Types text at the end of a field. `hasLines` is true if the text can have several lines. */
  type(locator: string, text: string, hasLines: boolean): readonly string[];
  /** Replaces text, or inserts text after it. */
  editText(page: string, locator: string, edit: EditCode): readonly string[];
  /**
   * True if names are matched as rendered, for example in upper case because of `text-transform`, and not as in the
   * DOM.
   */
  readonly namesAreDrawn: boolean;
  /** Click options for an element in a shadow root. There, another element can cover the one with the role. */
  readonly mannerInShadow: string;
  /** Passes files to an element that is not a file input. */
  offerFiles(page: string, locator: string, files: string): readonly string[];
}

/** Scripts for this library. */
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
  namesAreDrawn: true,
  mannerInShadow: '',
  offerFiles: (_page, locator, files) => [`await ${locator}.setInputFiles(${files});`],
};

/** Scripts for Playwright. */
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
    // The default browser context has a page of its own, so the script creates a new context.
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
  // A page may move the focus before keys arrive, so a bound text is inserted in the document of its field.
  editText: (page, locator, edit) =>
    isHandle(locator)
      ? selectText(locator, edit, "document.execCommand('insertText', false, text)")
      : [...selectText(locator, edit), `await ${page}.keyboard.insertText(${edit.text});`],
  namesAreDrawn: false,
  mannerInShadow: 'force: true',
  offerFiles: (page, locator, files) => [
    `const [chooser] = await Promise.all([${page}.waitForEvent('filechooser'), ${locator}.click()]);`,
    `await chooser.setFiles(${files});`,
  ],
};

/**
 * Selects text or puts the caret after it, then runs the code in `insert`. The generated code throws if the field does
 * not contain the text.
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

/** Field type, lines that find the text in the field, and the expression that selects it. */
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

/** The code of an element handle that {@link WITHIN} returns. */
const HANDLE = '(await within(';

function isHandle(code: string): boolean {
  return code.startsWith(HANDLE);
}

const WITHIN = [
  '/** Returns the field if its document has one of these origins. The handle does not move on to the field of a later document. */',
  'async function within(field: Locator, origins: readonly RegExp[]): Promise<ElementHandle> {',
  '  const element = (await field.elementHandle()) as ElementHandle;',
  '  const frame = await element.ownerFrame();',
  "  const { origin } = new URL(frame?.url() ?? 'about:blank');",
  '  if (!origins.some((pattern) => pattern.test(origin))) throw new Error(`Cannot type this value into a document of ${origin}.`);',
  '  return element;',
  '}',
];

/** Converts a bound origin to the code of a regular expression. */
function originPattern(origin: string): string {
  const source = origin
    .replaceAll(/[\\/.*+?()[\]{}|^$]/g, '\\$&')
    .replace('\\*\\.', '[^/]+\\.')
    .replace(/:\\\*$/, '(?::\\d+)?');
  return String(new RegExp(`^${source}$`));
}
