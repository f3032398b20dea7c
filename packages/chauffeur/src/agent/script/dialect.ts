/** How a library writes what others write in another way. */
export interface Dialect {
  /** The lines that begin a script. */
  readonly imports: readonly string[];
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
  /** Whether names are as the page draws them, such as all in capitals by a style, or else as its text says them. */
  readonly namesAreDrawn: boolean;
  /** What a click on an element in a shadow root is told: what draws it may lie over what has its role. */
  readonly mannerInShadow: string;
  /** Gives files to an element that is no file field. */
  offerFiles(page: string, locator: string, files: string): readonly string[];
}

/** A script over this library. */
export const CHAUFFEUR: Dialect = {
  imports: ["import { Driver } from 'chauffeur';"],
  parameter: 'driver: Driver',
  firstPage: ['const page = driver.context.activePage() ?? (await driver.context.newPage());'],
  main: (variables) => [
    "await using driver = new Driver({ env: 'LOCAL' });",
    'await driver.init();',
    `await run(driver${variables});`,
  ],
  openedPage: (name) => ({ before: [], after: [`const ${name} = await driver.context.awaitActivePage();`] }),
  newPage: (name) => [`const ${name} = await driver.context.newPage();`],
  type: (locator, text) => [`await ${locator}.type(${text});`],
  namesAreDrawn: true,
  mannerInShadow: '',
  offerFiles: (_page, locator, files) => [`await ${locator}.setInputFiles(${files});`],
};

/** A script over Playwright. */
export const PLAYWRIGHT: Dialect = {
  imports: ["import { chromium, type Page } from 'playwright';"],
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
  namesAreDrawn: false,
  mannerInShadow: 'force: true',
  offerFiles: (page, locator, files) => [
    `const [chooser] = await Promise.all([${page}.waitForEvent('filechooser'), ${locator}.click()]);`,
    `await chooser.setFiles(${files});`,
  ],
};
