import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentResult } from '../../src/index.ts';
import { findBrowser } from '../../src/launch/find-browser.ts';
import { useCache } from '../cache/cache-bench.ts';
import { isRemote } from '../support/driver-for-test.ts';
import { type Call, runTask, done, on } from './task-bench.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const PLAYWRIGHT = join(ROOT, 'apps/node_modules/playwright-core/index.mjs');
const bench = useCache();

const PAGE = `<title>Letter</title><label>Note <textarea id=note>First line.
The blue mug.</textarea></label><div id=body contenteditable role=textbox aria-label=Body><p>Dear <b>Ann</b>,</p><p>see you in May.</p></div>`;
const INSTRUCTION = 'In the note replace blue by red, and in the body write June for May and "Bob" at the end';
const edit = (name: string, input: object): Call => on('edit', 'textbox', name, input);
const STEPS: readonly (readonly Call[])[] = [
  [
    edit('Note', { change: 'replace', find: 'blue', text: 'red' }),
    edit('Body', { change: 'replace', find: 'May', text: 'June' }),
    edit('Body', { change: 'append', text: ' Bob' }),
  ],
  [done('The texts are changed.')],
];

/** The library is the one under test, and types are not checked here. */
const withoutImports = (code: string): string => code.replaceAll(/^import .*$/gm, '');
const texts = (): Promise<unknown> => bench.page.evaluate('[note.value, body.innerHTML]');
const EDITED = ['First line.\nThe red mug.', '<p>Dear <b>Ann</b>,</p><p>see you in June. Bob</p>'];

let folder: string;
let result: AgentResult;
beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, 'scripts-'));
  await bench.open(PAGE, '/letter');
  ({ result } = await runTask(bench, INSTRUCTION, STEPS));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('`edit` tool', () => {
  it('replaces and appends text, and keeps the rest of each field', async () => {
    expect(result).toMatchObject({ success: true });
    expect(await texts()).toEqual(EDITED);
  });

  it('replays the edits without a model call', async () => {
    await bench.open(PAGE, '/letter');
    const again = await runTask(bench, INSTRUCTION);
    expect(again.requests).toEqual([]);
    expect(await texts()).toEqual(EDITED);
  });

  it('asks the model when a field no longer contains the text to replace', async () => {
    await bench.open(PAGE.replace('blue', 'old'), '/letter');
    const { requests } = await runTask(bench, INSTRUCTION, [[done('Nothing is blue.', { success: false })]]);
    expect(requests).toHaveLength(1);
    expect(await texts()).toEqual(['First line.\nThe old mug.', '<p>Dear <b>Ann</b>,</p><p>see you in May.</p>']);
  });

  it('reports text that does not occur in the field, and a missing `find`', async () => {
    await bench.open(PAGE, '/other');
    const { result: refused } = await runTask(bench, 'Change the note', [
      [edit('Note', { change: 'replace', find: 'green', text: 'red' })],
      [edit('Note', { change: 'insert', text: 'red' })],
      [done('Nothing.', { success: false })],
    ]);
    const [missing = '', lacking = ''] = refused.actions.map(({ result: words }) => words);
    expect(missing).toContain('"green" does not occur in the field');
    expect(lacking).toContain('insert needs find');
  });
});

describe('`toScript()` with edits', () => {
  it('writes code that repeats the edits with this library', async () => {
    const script = join(folder, 'own.ts');
    const code = result.toScript();
    expect(code).toMatch(/\.replaceText\(.blue., .red.\)/);
    await writeFile(script, withoutImports(code));
    await bench.open(PAGE, '/letter');
    const { run } = await import(script);
    await run(bench.driver);
    expect(await texts()).toEqual(EDITED);
  });

  it.skipIf(isRemote || !existsSync(PLAYWRIGHT))('writes code that repeats the edits with Playwright', async () => {
    const { chromium } = await import(PLAYWRIGHT);
    const script = join(folder, 'playwright.ts');
    await writeFile(script, withoutImports(result.toScript({ for: 'playwright' })));
    await bench.open(PAGE, '/letter');
    const { run } = await import(script);
    const browser = await chromium.launch({ executablePath: findBrowser() });
    try {
      const page = await browser.newPage();
      await run(page);
      expect(await page.evaluate('[note.value, body.innerHTML]')).toEqual(EDITED);
    } finally {
      await browser.close();
    }
  });
});
