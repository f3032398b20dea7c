import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, DriverLocatorError, type Page } from '../../src/index.ts';
import { document, useInputBench } from './input-bench.ts';

/** Writes down the name and the text of each file that an input gets. */
const READ_FILES = `<script>
  window.seen = [];
  const read = async (files) => { for (const file of files) seen.push(file.name + ': ' + await file.text()); };
  addEventListener('change', (event) => { if (event.target.files) read(event.target.files); }, true);
</script>`;

const bench = useInputBench();
let page: Page;
let folder = '';
let note = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chauffeur-files-'));
  note = join(folder, 'note.txt');
  writeFileSync(note, 'from disk');
  ({ page } = bench);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const content = { name: 'memory.txt', mimeType: 'text/plain', buffer: Buffer.from('from memory') };

describe('setInputFiles()', () => {
  const places: [string, string][] = [
    ['an input', '<input type="file" id="target">'],
    ['an input with `display: none`', '<input type="file" id="target" style="display:none">'],
    ['a hidden input inside its label', '<label id="target">Choose<input type="file" hidden></label>'],
    [
      'a transparent input through its label',
      '<label id="target" for="input">Choose</label><input type="file" id="input" style="opacity:0">',
    ],
    ['a wrapper of a hidden input', '<div id="target"><span>Drop or choose</span><input type="file" hidden></div>'],
    [
      'a button that opens a file chooser',
      '<button id="target" onclick="input.click()">Choose</button><input type="file" id="input" hidden>',
    ],
    [
      'a button that opens a file chooser after 100 ms',
      '<button id="target" onclick="setTimeout(() => input.click(), 100)">Choose</button><input type="file" id="input" hidden>',
    ],
  ];

  it.each(places)('gives a file from disk to %s', async (_title, html) => {
    await bench.open(READ_FILES + html);
    await page.locator('#target').setInputFiles(note);
    await expect.poll(() => bench.seenIn('/input')).toContain('note.txt: from disk');
  });

  it.each(places.slice(0, 7))('gives a file from memory to %s', async (_title, html) => {
    await bench.open(READ_FILES + html);
    await page.locator('#target').setInputFiles(content);
    await expect.poll(() => bench.seenIn('/input')).toEqual(['memory.txt: from memory']);
  });

  it('gives two files to an input with `multiple`', async () => {
    await bench.open(`${READ_FILES}<input type="file" id="target" multiple>`);
    await page.locator('#target').setInputFiles([note, content]);
    await expect.poll(() => bench.seenIn('/input')).toHaveLength(2);
  });

  it('drops a file on a drop zone with a trusted event', async () => {
    await bench.open(
      `${READ_FILES}<div id="target" style="width:200px;height:100px">drop here</div><script>target.ondragover = (event) => event.preventDefault(); target.ondrop = (event) => { event.preventDefault(); seen.push(event.isTrusted); read(event.dataTransfer.files); };</script>`,
    );
    await page.locator('#target').setInputFiles(note);
    await expect.poll(() => bench.seenIn('/input')).toEqual([true, 'note.txt: from disk']);
  });

  it('gives a file to a button in a frame of another process', async () => {
    bench.server.page(
      '/inner',
      document(
        `${READ_FILES}<button id="button" onclick="input.click()">Choose</button><input type="file" id="input" hidden>`,
      ),
    );
    await bench.open(`<iframe src="${bench.server.otherOrigin}/inner"></iframe>`);
    await page.locator('iframe >> #button').setInputFiles(note);
    await expect.poll(() => bench.seenIn('/inner')).toEqual(['note.txt: from disk']);
  });

  it('empties the input when given no files', async () => {
    await bench.open(`${READ_FILES}<input type="file" id="target">`);
    await page.locator('#target').setInputFiles(note);
    await page.locator('#target').setInputFiles([]);
    expect(await page.evaluate('target.files.length')).toBe(0);
  });
});

describe('setInputFiles() limits', () => {
  it('rejects an element that opens no chooser and accepts no drop', async () => {
    await bench.open('<p id="target">text</p>');
    const failure = page.locator('#target').setInputFiles(note, { timeout: 5000 });
    await expect(failure).rejects.toThrow(
      /it is not a file input, a click on it opened no file chooser within 1 s, and it does not accept dropped files/,
    );
    await expect(failure).rejects.toBeInstanceOf(DriverLocatorError);
  });

  it('rejects two files for a chooser that accepts one', async () => {
    await bench.open(
      `${READ_FILES}<button id="target" onclick="input.click()">Choose</button><input type="file" id="input" hidden>`,
    );
    await expect(page.locator('#target').setInputFiles([note, note])).rejects.toThrow(
      /accepts only one file. Received 2/,
    );
  });

  it.each([
    ['paths', () => [note, note]],
    [
      'contents',
      () => [
        { name: 'a.txt', buffer: Buffer.from('a') },
        { name: 'b.txt', buffer: Buffer.from('b') },
      ],
    ],
    ['a path and contents', () => [note, { name: 'b.txt', buffer: Buffer.from('b') }]],
  ])('rejects two files for an input that accepts one: %s', async (_kind, files) => {
    await bench.open(`${READ_FILES}<label>Letter <input type="file" id="target"></label>`);
    await page.locator('#target').setInputFiles({ name: 'first.txt', buffer: Buffer.from('first') });
    const failure = page.locator('label').setInputFiles(files());
    await expect(failure).rejects.toThrow(/<input#target> accepts only one file. Received 2\. Only an input/);
    await expect(failure).rejects.toBeInstanceOf(DriverInvalidArgumentError);
    expect(await page.evaluate('[...target.files].map((file) => file.name)')).toEqual(['first.txt']);
  });

  it('gives the 200 files below a folder to an input with `webkitdirectory`', async () => {
    const many = join(folder, 'many');
    mkdirSync(join(many, 'below'), { recursive: true });
    for (let index = 0; index < 200; index += 1) writeFileSync(join(many, 'below', `${index}.txt`), 'x');
    await bench.open(`${READ_FILES}<input type="file" id="target" webkitdirectory>`);
    await page.locator('#target').setInputFiles([many]);
    expect(await page.evaluate('target.files.length')).toBe(200);
    await page.locator('#target').setInputFiles([join(many, 'below')]);
    expect(await page.evaluate('target.files[0].webkitRelativePath.split("/")[0]')).toBe('below');
    mkdirSync(join(folder, 'empty'));
    await page.locator('#target').setInputFiles([join(folder, 'empty')]);
  });

  it('rejects a path that does not exist, and leaves the input empty', async () => {
    await bench.open(`${READ_FILES}<input type="file" id="target">`);
    await expect(page.locator('#target').setInputFiles(join(folder, 'none.txt'))).rejects.toBeInstanceOf(
      DriverInvalidArgumentError,
    );
    expect(await page.evaluate('target.files.length')).toBe(0);
  });

  it('rejects files for a disabled input', async () => {
    await bench.open('<input type="file" id="target" disabled>');
    await expect(page.locator('#target').setInputFiles(note, { timeout: 300 })).rejects.toThrow(/disabled/);
  });
});
