import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, DriverLocatorError, type Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { openShownPage, type ShownPage } from './shown-page.ts';

let shown: ShownPage;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chauffeur-files-'));
  shown = await openShownPage();
  ({ page } = shown);
});

afterAll(async () => {
  await shown?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Events of an element are noted in `window.seen` as what this expression of `e` gives. */
const note = (types: string, expression: string): string => `<script>window.seen = [];
  for (const type of ${JSON.stringify(types.split(' '))}) document.addEventListener(type, (e) => seen.push(${expression}), true);</script>`;

const seen = (): Promise<unknown> => page.evaluate('window.seen');

describe('locator.selectOption()', () => {
  const SELECT = `<select id="s"><option value="1">One</option><option value="2">Two</option><option value="3" disabled>Three</option><option value="9">Two</option></select>
    <select id="m" multiple><option>a</option><option>b</option><option>c</option></select>${note('input change', 'e.type')}`;

  it.each<[string, Parameters<ReturnType<Page['locator']>['selectOption']>[0], string[]]>([
    ['a label', 'Two', ['2']],
    ['a value', '9', ['9']],
    ['index=n', 'index=1', ['2']],
    ['an object with a label', { label: 'Two' }, ['2']],
    ['an object with a value', { value: '9' }, ['9']],
    ['an object with an index', { index: 3 }, ['9']],
    ['an object with label and value', { label: 'Two', value: '9' }, ['9']],
    ['a list of one object', [{ value: '2' }], ['2']],
  ])('selects by %s', async (_title, choice, expected) => {
    await shown.show(SELECT);
    expect(await page.locator('#s').selectOption(choice)).toEqual(expected);
    expect(await page.locator('#s').inputValue()).toBe(expected[0]);
    expect(await seen()).toEqual(['input', 'change']);
  });

  it('selects several options of a multiple select, and none for an empty list', async () => {
    await shown.show(SELECT);
    expect(await page.locator('#m').selectOption(['a', { label: 'c' }])).toEqual(['a', 'c']);
    expect(await page.locator('#m').selectOption({ index: 1 })).toEqual(['b']);
    expect(await page.locator('#m').selectOption([])).toEqual([]);
  });

  it.each<[string, never]>([
    ['an unknown label', 'Zero' as never],
    ['an index past the end', { index: 7 } as never],
    ['a label with the value of another option', { label: 'One', value: '2' } as never],
    ['a disabled option', { value: '3' } as never],
    ['several options of a single select', ['One', 'Two'] as never],
    ['an empty object', {} as never],
    ['an index that is not a number', { index: '1' } as never],
    ['a number', 1 as never],
    ['null', [null] as never],
  ])('rejects %s and changes nothing', async (_title, choice) => {
    await shown.show(SELECT);
    expect(await failureOf(page.locator('#s').selectOption(choice))).toBeInstanceOf(DriverInvalidArgumentError);
    expect(await page.locator('#s').inputValue()).toBe('1');
    expect(await seen()).toEqual([]);
  });
});

describe('locator.setInputFiles()', () => {
  const INPUTS = `<input type="file" id="one"><input type="file" id="many" multiple><label id="l">Choose <input type="file" id="hidden" style="display:none"></label>
    <input id="text">${note('input change', 'e.type')}`;
  const READ = `Promise.all([...element.files].map(async (file) => [file.name, file.type, await file.text()]))`;

  it('uploads a file from a name, MIME type and buffer', async () => {
    await shown.show(INPUTS);
    await page.locator('#one').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Grüße') });
    expect(await page.locator('#one').evaluate(READ)).toEqual([['a.txt', 'text/plain', 'Grüße']]);
    expect(await seen()).toEqual(['input', 'change']);
  });

  it('uploads several files from paths and buffers', async () => {
    await shown.show(INPUTS);
    const path = join(folder, 'list.csv');
    await writeFile(path, 'a,b');
    await page.locator('#many').setInputFiles([path, { name: 'b.bin', buffer: new Uint8Array([104, 105]) }]);
    expect(await page.locator('#many').evaluate(READ)).toEqual([
      ['list.csv', 'text/csv', 'a,b'],
      ['b.bin', 'application/octet-stream', 'hi'],
    ]);
    await page.locator('#many').setInputFiles([path, path]);
    expect(await page.locator('#many').evaluate('element.files.length')).toBe(2);
  });

  it('empties the input for an empty list', async () => {
    await shown.show(INPUTS);
    await page.locator('#one').setInputFiles({ name: 'a.txt', buffer: Buffer.from('x') });
    await page.locator('#one').setInputFiles([]);
    expect(await page.locator('#one').evaluate('element.files.length')).toBe(0);
  });

  it('sets files on a hidden input directly and through its label', async () => {
    await shown.show(INPUTS);
    await page.locator('#hidden').setInputFiles({ name: 'h.txt', buffer: Buffer.from('h') });
    await page.locator('#l').setInputFiles({ name: 'l.txt', buffer: Buffer.from('l') });
    expect(await page.locator('#hidden').evaluate('element.files[0].name')).toBe('l.txt');
  });

  it('uploads all bytes of a 7 MB buffer', async () => {
    await shown.show(INPUTS);
    const buffer = Buffer.alloc(7 * 2 ** 20 + 5, 'abcdefg');
    await page.locator('#one').setInputFiles({ name: 'big.bin', buffer }, { timeout: 30_000 });
    expect(await page.locator('#one').evaluate('element.files[0].size')).toBe(buffer.length);
    expect(await page.locator('#one').evaluate('element.files[0].slice(-5).text()')).toBe(
      buffer.subarray(-5).toString(),
    );
  });

  it.each<[string, string, never]>([
    ['a missing path', '#one', './none.txt' as never],
    [
      'several files for a single-file input',
      '#one',
      [
        { name: 'a', buffer: Buffer.from('') },
        { name: 'b', buffer: Buffer.from('') },
      ] as never,
    ],
    ['a buffer that is a string', '#one', { name: 'a', buffer: 'text' } as never],
    ['a buffer without a name', '#one', { buffer: Buffer.from('') } as never],
    ['a number', '#one', 5 as never],
  ])('rejects %s', async (_title, selector, files) => {
    await shown.show(INPUTS);
    expect(await failureOf(page.locator(selector).setInputFiles(files))).toBeInstanceOf(DriverInvalidArgumentError);
    expect(await seen()).toEqual([]);
  });

  it('rejects an element that is not a file input', async () => {
    await shown.show(INPUTS);
    expect(await failureOf(page.locator('#text').setInputFiles([]))).toMatchObject({ code: 'LOCATOR' });
  });
});

describe('inputValue(), isChecked() and isEditable()', () => {
  beforeAll(async () => {
    await page.setContent(`<p id="p">words</p><button id="b">Buy</button><label id="l">Gift <input type="checkbox" checked></label>
      <button id="s" role="switch" aria-checked="true">Night</button><label id="n">Name <input value="Ada"></label><p id="e" contenteditable>mine</p>`);
  });

  it.each([
    ['inputValue', '#p', /<p#p> .*has no value: it is not an input/],
    ['inputValue', '#b', /has no value/],
    [
      'isChecked',
      '#b',
      /<button#b> \(button "Buy"\) has no checked state: it is not a checkbox, radio button, switch, checkable menu item, option or tree item/,
    ],
    ['isChecked', '#p', /has no checked state/],
    ['isChecked', '#n', /<label#n>.*has no checked state|<input>.*has no checked state/],
  ] as const)('%s() of %s rejects with the reason', async (method, selector, message) => {
    const failure = await failureOf(page.locator(selector)[method]());
    expect(failure).toBeInstanceOf(DriverLocatorError);
    expect(failure).toMatchObject({ selector, message: expect.stringMatching(message) });
  });

  it('reads the control of a label and contenteditable text', async () => {
    expect([await page.locator('#l').isChecked(), await page.locator('#s').isChecked()]).toEqual([true, true]);
    expect([await page.locator('#n').inputValue(), await page.locator('#e').inputValue()]).toEqual(['Ada', 'mine']);
    expect([await page.locator('#n').isEditable(), await page.locator('#p').isEditable()]).toEqual([true, false]);
  });
});
