import { failureOf } from '../support/failure-of.ts';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentResult, DriverInvalidArgumentError } from '../../src/index.ts';
import { findBrowser } from '../../src/launch/find-browser.ts';
import { refOf } from '../../src/testing.ts';
import { useCache } from '../cache/cache-bench.ts';
import { isRemote } from '../support/driver-for-test.ts';
import { type EverythingSite, everythingSite } from './everything-pages.ts';
import { call, type Call, runTask, done, on } from './task-bench.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const isPlaywrightInstalled = existsSync(join(ROOT, 'apps/node_modules/playwright-core'));

const bench = useCache();
let site: EverythingSite;
/** Files that the task names. */
let paths: { readonly file: string; readonly saved: string };
let instruction = '';
const WHO = 'Ada "A" O\'Hara';
const NOTES = [
  `sent ${WHO}|Hello,\nDear friends|Peru|2027-05-03|7|true|true`,
  'searched mugs',
  'deleted Bob',
  'file letter.txt',
  'attached letter.txt',
  'dropped card',
  'shadow',
  'frame',
  'partner',
  'double',
  'right',
  'confirmed true',
  `prompted ${WHO}`,
  'details',
  'bought',
];
/** What a pointer passes over on its way is noted besides. */
function takeNotes(): readonly string[] {
  const notes = site.takeNotes();
  expect(notes).toContain('hovered');
  return notes.filter((note) => note !== 'hovered');
}

function steps(): readonly (readonly Call[])[] {
  const { file, saved } = paths;
  const button = (name: string, tool = 'click', input = {}): Call => on(tool, 'button', name, input);
  const drag: Call = (request) => ({
    tool: 'drag',
    input: { ref: refOf(request, { name: 'Card' }), to: refOf(request, { name: 'Tray' }) },
  });
  const deleteBob: Call = (request) => {
    const [, last] = [...request.page.text.matchAll(/(e\d+) button "Delete"/g)].map(([, ref]) => ref);
    return { tool: 'click', input: { ref: last } };
  };
  return [
    [
      on('fill', 'textbox', 'Name', { text: '%who%' }),
      on('type', 'textbox', 'About', { text: 'friends' }),
      on('select', 'combobox', 'Country', { options: ['Peru'] }),
      (request) => ({ tool: 'fill', input: { ref: dateRef(request.page.text), text: '2027-05-03' } }),
      on('fill', 'slider', 'Amount', { text: '7' }),
    ],
    [on('check', 'checkbox', 'Terms'), on('check', 'radio', 'Fast'), button('Send')],
    [on('fill', 'textbox', 'Search', { text: 'mugs', submit: true }), deleteBob],
    [
      (request) => ({ tool: 'upload', input: { ref: fileRef(request.page.text), paths: [file] } }),
      button('Attach', 'upload', { paths: [file] }),
      drag,
    ],
    [button('In the shadow'), button('In the frame'), button('In the other frame')],
    [
      button('Twice', 'click', { twice: true }),
      button('Other side', 'click', { button: 'right' }),
      button('HOVER ME', 'hover'),
    ],
    [
      call('dialog', { accept: true }),
      button('Confirm'),
      call('dialog', { accept: true, text: '%who%' }),
      button('Ask'),
    ],
    [on('click', 'link', 'Report'), call('download', { as: saved })],
    [button('Begin'), call('wait', { text: 'It is ready' })],
    [on('click', 'link', 'Details')],
    [button('Accept')],
    [call('tabs', { what: 'close' })],
    [on('click', 'link', 'Shop')],
    [button('Buy')],
    [call('back')],
    [done('All is done.')],
  ];
}

function dateRef(text: string): string {
  return /(e\d+) \S+ "Date"/.exec(text)?.[1] ?? '';
}

function fileRef(text: string): string {
  return /(e\d+) \S+ "File"/.exec(text)?.[1] ?? '';
}

let folder = '';
let result: AgentResult;

beforeAll(async () => {
  site = everythingSite(bench.server);
  // Its name has words of other steps, which is not to draw their sentences to it.
  folder = await mkdtemp(join(ROOT, 'packages/pagechauffeur/test/agent/check-the-search-'));
  paths = { file: join(folder, 'letter.txt'), saved: join(folder, 'report.txt') };
  await writeFile(paths.file, 'Dear Ada');
  instruction = `Send the form for %who% with about "friends", country Peru, date 2027-05-03 and amount 7, terms and fast. Search for mugs.
    Delete Bob. Give the file ${paths.file} to File and Attach. Drop the card on the tray. Press the buttons in the shadow and in both frames.
    Confirm, and answer with %who%. Save the report as ${paths.saved}. Begin and wait until it is ready. Accept the details, then buy in the shop.`;
  await bench.page.goto(site.url, { waitUntil: 'load' });
  ({ result } = await runTask(bench, { instruction, variables: { who: WHO } }, steps()));
  // A run of thirty-odd steps, which on a busy machine takes as long as many tests.
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

it('completes a task with every kind of action', async () => {
  expect(result.actions.filter(({ success }) => !success)).toEqual([]);
  expect(result).toMatchObject({ success: true });
  expect(takeNotes()).toEqual(NOTES);
  expect(await readFile(paths.saved, 'utf8')).toBe('All is well.');
});

it(
  'replays every kind of action without a model call and with another variable value',
  { timeout: 60_000 },
  async () => {
    await rm(paths.saved);
    await bench.page.goto(site.url, { waitUntil: 'load' });
    const again = await runTask(bench, { instruction, variables: { who: 'Eve' } });
    expect(again.requests).toEqual([]);
    expect(again.result).toMatchObject({ success: true });
    expect(takeNotes()).toEqual(NOTES.map((note) => note.replace(WHO, 'Eve')));
    expect(await readFile(paths.saved, 'utf8')).toBe('All is well.');
    expect(again.result.toScript({ for: 'playwright' })).toBe(result.toScript({ for: 'playwright' }));
  },
);

describe('toScript()', () => {
  // Thirty-odd steps, as above.
  it('writes code that repeats the run with this library', { timeout: 60_000 }, async () => {
    const script = join(folder, 'own.ts');
    await writeFile(script, result.toScript());
    await rm(paths.saved, { force: true });
    const { run } = await import(script);
    await run(bench.driver, { who: WHO });
    expect(takeNotes()).toEqual(NOTES);
    expect(await readFile(paths.saved, 'utf8')).toBe('All is well.');
  });

  // Another browser is started on this machine, and thirty-odd steps are done by a library that is slow on a busy one.
  it.skipIf(isRemote || !isPlaywrightInstalled)(
    'writes code that repeats the run with Playwright',
    { timeout: 60_000 },
    async () => {
      const { chromium } = await import(join(ROOT, 'apps/node_modules/playwright-core/index.mjs'));
      const script = join(folder, 'playwright.ts');
      await addPlaywright();
      await writeFile(script, result.toScript({ for: 'playwright' }));
      await rm(paths.saved, { force: true });
      const { run } = await import(script);
      const browser = await chromium.launch({ executablePath: findBrowser() });
      try {
        await run(await browser.newPage(), { who: WHO });
      } finally {
        await browser.close();
      }
      expect(takeNotes()).toEqual(NOTES);
      expect(await readFile(paths.saved, 'utf8')).toBe('All is well.');
    },
  );

  // A process of its own starts another browser.
  it.skipIf(isRemote || !isPlaywrightInstalled)(
    'writes a Playwright program that opens its pages when run by itself',
    { timeout: 60_000 },
    async () => {
      await bench.page.goto(site.url, { waitUntil: 'load' });
      const { result: opened } = await runTask(bench, 'Accept the details in another page', [
        [call('tabs', { what: 'open', url: new URL('/details', site.url).href })],
        [on('click', 'button', 'Accept')],
        [done()],
      ]);
      await bench.page.goto('about:blank');
      site.takeNotes();
      await addPlaywright();
      const script = join(folder, 'alone.ts');
      await writeFile(script, opened.toScript({ for: 'playwright' }));
      await promisify(execFile)(process.execPath, [script]);
      expect(site.takeNotes()).toEqual(['details']);
    },
  );

  it.skipIf(isRemote || !isPlaywrightInstalled)('writes code for both libraries that compiles', async () => {
    await addPlaywright();
    await writeFile(join(folder, 'own.ts'), result.toScript());
    await writeFile(join(folder, 'playwright.ts'), result.toScript({ for: 'playwright' }));
    const settings = { extends: join(ROOT, 'tsconfig.base.json'), include: ['*.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder]);
    expect(
      await compiled.then(
        ({ stdout }) => stdout,
        (error: unknown) => (error as { stdout: string }).stdout,
      ),
    ).toBe('');
  });

  it('locates by role, quotes the task in comments, and contains no variable value', () => {
    const code = result.toScript();
    expect(code).toContain("await page.getByRole('textbox', { name: 'Name', exact: true }).fill(variables.who);");
    expect(code).toContain(
      "getByRole('row').filter({ hasText: 'Bob' }).getByRole('button', { name: 'Delete', exact: true })",
    );
    expect(code).toContain('frameLocator(\'iframe[name="inner"]\')');
    expect(code).toMatch(/\/\/ Search for mugs\n.*'Search'/);
    expect(code).not.toContain('Hara');
  });

  it('throws for an unknown library', () => {
    expect(() => result.toScript({ for: 'selenium' as 'playwright' })).toThrow(DriverInvalidArgumentError);
  });
});

/** Playwright is installed for tests under the name of its core. */
async function addPlaywright(): Promise<void> {
  const module = join(folder, 'node_modules/playwright');
  const core = JSON.stringify(join(ROOT, 'apps/node_modules/playwright-core/index.js'));
  await mkdir(module, { recursive: true });
  await writeFile(join(module, 'package.json'), '{ "name": "playwright", "type": "module", "exports": "./index.js" }');
  await writeFile(
    join(module, 'index.js'),
    `import playwright from ${core};
    const { chromium: there } = playwright;
    export const chromium = { launch: () => there.launch({ executablePath: ${JSON.stringify(findBrowser())} }) };`,
  );
  await writeFile(join(module, 'index.d.ts'), `export * from ${core};\n`);
}

it('writes page text that looks like a placeholder literally, and binds the variable to its origin', async () => {
  const html = `<form><label>Password <input type=password></label></form><ul><li>For %password% <button>Send %password%</button></li>
    <li>For you <button onclick="document.title = 'Sent'">%password%</button></li></ul><a href="/next?to=%password%">Next</a>`;
  bench.server.page('/next', '<title>Next</title><h1>Next</h1>');
  const url = `${bench.server.page('/shown', html)}?for=%password%`;
  await bench.page.goto(url);
  const calls = [
    [
      on('fill', 'textbox', 'Password', { text: '%password%' }),
      on('click', 'button', 'Send %password%'),
      on('click', 'button', '%password%'),
    ],
    [call('navigate', { url: '#0' })],
    [done()],
  ];
  const task = { instruction: 'Type %password%, send and go on', variables: { password: 'Zanzibar-77' } };
  const { result: typed } = await runTask(bench, task, calls);
  const code = typed.toScript();
  expect(code.split('variables.password')).toHaveLength(2);
  const origins = "{ origins: ['http://127.0.0.1:*', 'https://127.0.0.1:*'] }";
  expect(code).toContain(`.fill(variables.password, ${origins})`);
  expect(typed.toScript({ for: 'playwright' })).toContain(
    String.raw`await (await within(page.getByLabel('Password', { exact: true }), [/^http:\/\/127\.0\.0\.1(?::\d+)?$/`,
  );
  const elsewhere = join(folder, 'elsewhere.ts');
  await writeFile(elsewhere, code.replace("goto('http://127.0.0.1", "goto('http://localhost"));
  const { run } = await import(elsewhere);
  expect(await failureOf(run(bench.driver, { password: 'Zanzibar-77' }))).toMatchObject({ code: 'VARIABLE_ORIGIN' });
  expect(code).toContain("name: 'Send %password%'");
  expect(code).toContain("/shown?for=%password%'");
  expect(code).toContain("/next?to=%password%'");
  expect(code).not.toContain('Zanzibar');
});

it.skipIf(isRemote || !isPlaywrightInstalled)(
  'fills no bound value when the page moves to another origin before the fill',
  { timeout: 60_000 },
  async () => {
    const stolen: string[] = [];
    const { server } = bench;
    server.page('/stolen', (request, response) => {
      stolen.push(request.url ?? '');
      response.end();
    });
    const field = '<label>Password <input></label>';
    const url = server.page('/slow', field);
    await bench.page.goto(url);
    const task = { instruction: 'Type %password%', variables: { password: 'Zanzibar-77' } };
    const calls = [[on('fill', 'textbox', 'Password', { text: '%password%' })], [done()]];
    const { result: typed } = await runTask(bench, task, calls);
    server.page('/copy', `${field}<script>addEventListener('input', () => fetch('/stolen'))</script>`);
    const elsewhere = JSON.stringify(`${server.otherOrigin}/copy`);
    server.page(
      '/slow',
      `${field.replace('<input>', '<input disabled>')}<script>setTimeout(() => location.assign(${elsewhere}), 700)</script>`,
    );
    await addPlaywright();
    const script = join(folder, 'replaced.ts');
    await writeFile(script, typed.toScript({ for: 'playwright' }));
    const env = { ...process.env, TASK_PASSWORD: 'Zanzibar-77' };
    const failure = await failureOf(promisify(execFile)(process.execPath, [script], { env, timeout: 20_000 }));
    expect(failure).toBeInstanceOf(Error);
    expect(stolen).toEqual([]);
  },
);

it('gives no bound value to a frame that shows another site', { timeout: 60_000 }, async () => {
  const { server, page } = bench;
  const field = '<input><script>onfocus = () => document.querySelector("input").focus()</script>';
  const url = server.page('/log-in', `<iframe title="Log in" src="${server.page('/own', field)}"></iframe>`);
  await page.goto(url, { waitUntil: 'load' });
  const task = { instruction: 'Type %password%', variables: { password: 'Zanzibar-77' } };
  const calls = [[on('type', 'iframe', 'Log in', { text: '%password%' })], [done()]];
  const { result: typed } = await runTask(bench, task, calls);
  expect(await page.frames()[1]?.evaluate('document.querySelector("input").value')).toBe('Zanzibar-77');
  server.page('/log-in', `<iframe title="Log in" src="${server.otherOrigin}/own"></iframe>`);
  await addPlaywright();
  const script = join(folder, 'framed.ts');
  await writeFile(script, typed.toScript({ for: 'playwright' }));
  const env = { ...process.env, TASK_PASSWORD: 'Zanzibar-77' };
  const failure = await failureOf(promisify(execFile)(process.execPath, [script], { env, timeout: 20_000 }));
  expect(String(failure)).toContain(`Cannot type this value into a document of ${server.otherOrigin}`);
});

describe('toScript() of a run with several pages', () => {
  const END = '<title>End</title><button onclick="this.textContent = 1">End</button>';

  /** Names of pages that the script uses, without those that it declares. */
  function undeclaredPages(code: string): readonly string[] {
    const used = new Set([...code.matchAll(/\bawait (page\d*)\b/g)].map(([, name = '']) => name));
    return [...used].filter((name) => !code.includes(`const ${name} =`));
  }

  it('uses no undeclared page when the agent closes a page that it has not worked on', async () => {
    await bench.open('<button>Save</button>', '/script-close');
    await bench.driver.context.newPage(bench.server.page('/script-other', END));
    bench.driver.context.setActivePage(bench.page);
    const { result: closing } = await runTask(bench, 'Close the other page and save', [
      [call('tabs', { what: 'close', number: 2 })],
      [on('click', 'button', 'Save')],
      [done()],
    ]);
    expect(bench.driver.context.pages()).toHaveLength(1);
    expect(undeclaredPages(closing.toScript())).toEqual([]);
    expect(closing.toScript()).toContain('// Here the agent closed a page that this script does not use.\n');
  });

  it('closes the page that the agent closed, not one that had closed itself', async () => {
    bench.server.page('/script-popup', '<title>Popup</title><button onclick="window.close()">Leave</button>');
    const url = bench.server.page('/script-end', END);
    await bench.open(`<button onclick="window.open('/script-popup')">Open</button>`, '/script-popups');
    const { result: closing } = await runTask(bench, `Open and leave the popup, then end ${url} and close it`, [
      [on('click', 'button', 'Open')],
      [on('click', 'button', 'Leave')],
      [call('tabs', { what: 'open', url })],
      [on('click', 'button', 'End')],
      [call('tabs', { what: 'close' })],
      [done()],
    ]);
    expect(closing.actions.filter(({ success }) => !success)).toEqual([]);
    expect(closing.toScript().match(/page\d*\.close\(\)/g)).toEqual(['page3.close()']);
  });
});
