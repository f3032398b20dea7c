import { quoted } from './literals.ts';

/** A change of a part of a text, its texts as code. */
export interface EditCode {
  readonly method: 'replace' | 'insert';
  readonly anchor: string;
  readonly text: string;
  /** An `input` or `textarea`; others are editors. */
  readonly isField: boolean;
}

/** A text that is entered, and where, as code. */
export interface TextCode {
  readonly locator: string;
  readonly text: string;
}

/** How a library writes what others write in another way. */
export interface Dialect {
  /** The lines that begin a script with these helpers. */
  importsOf(helpers: readonly string[]): readonly string[];
  /** The lines of the functions that a script needs. */
  helpersOf(body: string): readonly string[];
  /** Keeps a text within documents of these origins. */
  bind(code: TextCode, origins: readonly string[]): TextCode;
  /** What the script's function is given first. */
  readonly parameter: string;
  /** The lines that make the first page known as `page`. */
  readonly firstPage: readonly string[];
  /** What the script does when it is run by itself; the argument is the code of the variables, or nothing. */
  main(variables: string): readonly string[];
  /** The page that a step opens: what is written before the step, and after it. */
  openedPage(name: string, opener: string): { readonly before: readonly string[]; readonly after: readonly string[] };
  /** Opens an empty page. */
  newPage(name: string): readonly string[];
  /** Adds text at the end of a field, which may have lines. */
  type(locator: string, text: string, hasLines: boolean): readonly string[];
  /** Puts a text in the place of another one, or behind it. */
  editText(page: string, locator: string, edit: EditCode): readonly string[];
  /** Whether names are as the page draws them, such as all in capitals by a style, or else as its text says them. */
  readonly namesAreDrawn: boolean;
  /** What a click on an element in a shadow root is told: what draws it may lie over what has its role. */
  readonly mannerInShadow: string;
  /** Gives files to an element that is no file field. */
  offerFiles(page: string, locator: string, files: string): readonly string[];
}

/** A script over this library. */
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

/** A script over Playwright. */
export const PLAYWRIGHT: Dialect = {
  importsOf: (helpers) => [
    `import { chromium, ${helpers.length > 0 ? 'type Locator, ' : ''}type Page } from 'playwright';`,
  ],
  helpersOf: (body) => (body.includes('await withTimeout(') ? ['', ...WITHIN] : []),
  bind: ({ locator, text }, origins) => ({
    locator: `(await withTimeout(${locator}, [${origins.map(originPattern).join(', ')}]))`,
    text,
  }),
  parameter: 'page: Page',
  firstPage: [],
  main: (variables) => [
    'const browser = await chromium.launch();',
    'try {',
    // The page that a browser makes by itself is alone for good.
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
    `await ${locator}.pressSequentially(${text});`,
  ],
  editText: (page, locator, edit) => [...selectText(locator, edit), `await ${page}.keyboard.insertText(${edit.text});`],
  namesAreDrawn: false,
  mannerInShadow: 'force: true',
  offerFiles: (page, locator, files) => [
    `const [chooser] = await Promise.all([${page}.waitForEvent('filechooser'), ${locator}.click()]);`,
    `await chooser.setFiles(${files});`,
  ],
};

/** Selects a text, or puts the caret behind it; fails where the text does not stand. */
function selectText(locator: string, { method, anchor, isField }: EditCode): readonly string[] {
  const from = method === 'replace' ? 'start' : 'end';
  const [type, find, select] = isField ? IN_FIELD : IN_EDITOR;
  return [
    `await ${locator}.evaluate((field: ${type}, anchor: string) => {`,
    ...find.map((line) => `  ${line}`),
    '  if (start < 0) throw new Error(`${JSON.stringify(anchor)} does not stand in the field.`);',
    '  const end = start + anchor.length;',
    '  field.focus();',
    `  ${select.replace('FROM', from)};`,
    `}, ${anchor});`,
  ];
}

/** The type of a field, the lines that find where a text begins in it, and what selects the text. */
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

const WITHIN = [
  '/** The field, if the document that it is in is of one of these origins. */',
  'async function withTimeout(field: Locator, origins: readonly RegExp[]): Promise<Locator> {',
  '  const frame = await (await field.elementHandle())?.ownerFrame();',
  "  const { origin } = new URL(frame?.url() ?? 'about:blank');",
  '  if (!origins.some((pattern) => pattern.test(origin))) throw new Error(`This is not typed into a document of ${origin}.`);',
  '  return field;',
  '}',
];

/** An origin as a variable is bound to it, as the code of a regular expression. */
function originPattern(origin: string): string {
  const source = origin
    .replaceAll(/[\\/.+?()[\]{}|^$]/g, '\\$&')
    .replace('*\\.', '[^/]+\\.')
    .replace(/:\*$/, '(?::\\d+)?');
  return `/^${source}$/`;
}
