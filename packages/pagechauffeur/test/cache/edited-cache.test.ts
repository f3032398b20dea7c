import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { choose, chooseNothing, useCache } from './cache-bench.ts';

const bench = useCache();

const HTML = `<title>Account</title><script>hits = [];
    document.addEventListener('input', ({ target }) => hits.push(target.type + ' ' + target.value.length))</script>
  <label>Name <input></label>
  <label>Password <input type=password></label>
  <label>Photo <input type=file onchange="hits.push('file ' + this.files.length)"></label>
  <button onclick="hits.push('saved')">Save</button>
  <button onclick="hits.push('deleted')">Delete account</button>`;
const SECRET = { variables: { password: 'Zanzibar-77' } };

/** The entry that the cache keeps of an instruction. */
async function entryOf(instruction: string): Promise<{ path: string; entry: Record<string, unknown> }> {
  const names = (await readdir(bench.folder)).filter((name) => name.startsWith('act-'));
  for (const name of names) {
    const path = join(bench.folder, name);
    const text = await readFile(path, 'utf8');
    if (text.includes(JSON.stringify(instruction))) return { path, entry: JSON.parse(text) as Record<string, unknown> };
  }
  throw new TypeError(`nothing is kept of ${instruction}`);
}

/** Gives one instruction the steps that were kept of another, changed if wanted. */
async function swap(into: string, from: string, change: (text: string) => string = (text) => text): Promise<void> {
  const [own, other] = await Promise.all([entryOf(into), entryOf(from)]);
  const key = Object.keys(own.entry).find((name) => JSON.stringify(own.entry[name]).includes('"ways"')) ?? '';
  await writeFile(own.path, change(JSON.stringify({ ...own.entry, [key]: other.entry[key] })));
}

beforeEach(async () => {
  await bench.open(HTML);
  const learn = async (instruction: string, choice: Parameters<typeof choose>[0], options = {}): Promise<void> => {
    bench.answer = choose(choice);
    await bench.driver.act(instruction, options);
  };
  await learn('click Save', { role: 'button', name: 'Save' });
  await learn('click Delete account', { role: 'button', name: 'Delete account' });
  await learn(
    'type %password% into Password',
    { role: 'textbox', name: 'Password', method: 'fill', arguments: ['%password%'] },
    SECRET,
  );
  await learn('type my name into Name', { role: 'textbox', name: 'Name', method: 'fill', arguments: ['my name'] });
  await bench.open(HTML);
  bench.answer = chooseNothing;
});

describe('an act that was kept', () => {
  it('is done again without a model when nobody has changed it', async () => {
    const asked = bench.asked;
    expect(await bench.driver.act('click Save')).toMatchObject({ success: true });
    expect(await bench.driver.act('type %password% into Password', SECRET)).toMatchObject({ success: true });
    expect(bench.asked).toBe(asked);
    expect(await bench.hits()).toEqual(['saved', 'password 11']);
  });

  it.each<[string, string, string, (text: string) => string, object?]>([
    ['another button', 'click Save', 'click Delete account', (text) => text],
    ['text that nobody spoke of', 'click Save', 'type my name into Name', (text) => text],
    [
      'a file',
      'click Save',
      'type my name into Name',
      (text) => text.replaceAll('"fill"', '"upload"').replaceAll('"my name"', '"/etc/hostname"'),
    ],
    [
      'a variable that nobody spoke of',
      'type my name into Name',
      'type my name into Name',
      (text) => text.replaceAll('"my name"', '"%password%"'),
      SECRET,
    ],
    [
      'a variable for another field',
      'type %password% into Password',
      'type my name into Name',
      (text) => text.replaceAll('"my name"', '"%password%"'),
      SECRET,
    ],
    ['a method that there is not', 'click Save', 'click Save', (text) => text.replaceAll('"click"', '"goto"')],
  ])('is not done again with %s', async (_what, instruction, from, change, options = {}) => {
    await swap(instruction, from, change);
    const asked = bench.asked;
    const result = await bench.driver.act(instruction, options);
    expect(result.success).toBe(false);
    expect(bench.asked).toBeGreaterThan(asked);
    expect(await bench.hits()).toEqual([]);
    expect(bench.lines.some(({ message }) => message.includes('is not done again'))).toBe(true);
  });
});
