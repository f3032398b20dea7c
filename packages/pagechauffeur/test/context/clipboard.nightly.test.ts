import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Clipboard,
  type DriverContext,
  DriverInvalidArgumentError,
  DriverPageNotFoundError,
  type Page,
} from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

let page: Page;
let context: DriverContext;
let clipboard: Clipboard;

/** Notes what clipboard events a document gets. */
const noteEvents = `<script>
  window.events = [];
  for (const type of ['copy', 'cut', 'paste']) document.addEventListener(type, (event) =>
    events.push([type, event.isTrusted, type === 'paste' ? event.clipboardData.getData('text/plain') : '']), true);
</script>`;
const fields = `<input value="one two"><textarea>first
second</textarea><div contenteditable>rich <b>text</b></div><p>plain words</p>`;

useWholeBrowser();
const test = useBrowser({ routes: { '/': `<title>Fields</title>${noteEvents}${fields}` } });

beforeAll(() => {
  test.server.page('/framed', `<title>Framed</title><iframe src="/" width="600" height="300"></iframe>`);
  test.server.page(
    '/apart',
    `<title>Apart</title><iframe src="${test.server.otherOrigin}/" width="600" height="300"></iframe>`,
  );
  test.server.page(
    '/refuses',
    `<title>Refuses</title><script>
    for (const type of ['copy', 'paste']) addEventListener(type, (event) => event.preventDefault(), true);
  </script>${fields}`,
  );
  ({ page } = test);
  ({ context } = test.driver);
  ({ clipboard } = context);
});

beforeEach(async () => {
  for (const other of context.pages()) if (other !== page) await other.close();
  if (page.url() !== `${test.server.origin}/`) await page.goto(test.server.origin);
  await page.evaluate(
    `events.length = 0; document.querySelector('input').value = 'one two'; document.querySelector('textarea').value = 'first\\nsecond'; undefined`,
  );
  await clipboard.clear();
});

describe('writeText() and readText()', () => {
  it.each([
    ['text', 'some words'],
    ['an empty string', ''],
    ['a space', ' '],
    ['all kinds of line breaks', 'a\nb\r\nc\rd'],
    ['non-ASCII text', 'Grüße, 値 🍪 עברית'],
    ['markup', '<b>bold</b> &amp; "quoted" \\n ${x}'],
    ['Unicode separators', 'a\u2028b\u2029c\u00a0d'],
    ['50,000 lines', 'line\n'.repeat(50_000)],
  ])('returns %s unchanged', async (_title, text) => {
    await clipboard.writeText(text);
    expect(await clipboard.readText()).toBe(text);
  });

  it('overwrites the text on each write and keeps it on each read', async () => {
    await clipboard.writeText('first');
    await clipboard.writeText('second');
    expect([await clipboard.readText(), await clipboard.readText()]).toEqual(['second', 'second']);
  });

  it('works without permission and without an open page', async () => {
    await context.clearPermissions();
    await page.goto('about:blank');
    await page.close();
    await clipboard.writeText('nobody here');
    expect(await clipboard.readText()).toBe('nobody here');
    page = await context.newPage(test.server.origin);
  });

  it('leaves pages, focus and permissions unchanged', async () => {
    await page.locator('input').click();
    const before = await page.evaluate(STATE);
    await clipboard.writeText('x');
    await clipboard.readText();
    await clipboard.clear();
    expect(await page.evaluate(STATE)).toEqual(before);
    expect(context.pages()).toEqual([page]);
    const helpers = async (): Promise<unknown> => {
      const { targetInfos } = (await page.sendCDP('Target.getTargets', { filter: [{}] })) as {
        targetInfos: { type: string }[];
      };
      return targetInfos.filter(({ type }) => type === 'other');
    };
    await expect.poll(helpers).toEqual([]);
  });

  it('shares the clipboard with navigator.clipboard of pages', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: test.server.origin });
    await page.bringToFront();
    await page.evaluate(`navigator.clipboard.writeText('from the page')`);
    expect(await clipboard.readText()).toBe('from the page');
    await clipboard.writeText('from outside');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('from outside');
    await context.clearPermissions();
  });

  it('keeps one complete text after concurrent writes', async () => {
    await Promise.all(['one', 'two', 'three'].map((text) => clipboard.writeText(text)));
    expect(['one', 'two', 'three']).toContain(await clipboard.readText());
  });

  it.each([[undefined], [5], [null], [{}]])('rejects %j as text', async (text) => {
    const failure = failureOf(clipboard.writeText(text as never));
    expect(await failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(await failure).toMatchObject({ argument: 'text' });
  });
});

const STATE = `Promise.all(['clipboard-read', 'clipboard-write'].map((name) => navigator.permissions.query({ name })))
  .then((all) => [document.activeElement.localName, document.hasFocus(), document.visibilityState, events, ...all.map(({ state }) => state)])`;

describe('clear()', () => {
  it('empties the clipboard', async () => {
    await clipboard.writeText('x');
    await clipboard.clear();
    expect(await clipboard.readText()).toBe('');
  });

  it('leaves nothing for paste() to insert', async () => {
    await clipboard.writeText('x');
    await clipboard.clear();
    await page.locator('input').click();
    await clipboard.paste();
    expect(await page.locator('input').inputValue()).toBe('one two');
  });
});

describe('copy(), cut() and paste()', () => {
  it.each([
    ['input', 'one two'],
    ['textarea', 'first\nsecond'],
    ['div', 'rich text'],
  ])('copies the selection of the %s with a trusted event', async (selector, text) => {
    await page.locator(selector).click();
    await page.keyPress('ControlOrMeta+A');
    await clipboard.copy();
    expect(await clipboard.readText()).toBe(text);
    expect(await page.evaluate('events')).toEqual([['copy', true, '']]);
  });

  it('copies a selection of the document', async () => {
    await page.locator('p').click();
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('p'))`);
    await clipboard.copy();
    expect(await clipboard.readText()).toBe('plain words');
  });

  it('copies nothing when nothing is selected', async () => {
    await clipboard.writeText('before');
    await page.locator('input').click();
    await clipboard.copy();
    expect(await clipboard.readText()).toBe('before');
  });

  it.each([
    ['input', 'one two', ''],
    ['textarea', 'first\nsecond', ''],
  ])('cuts the selection of the %s with a trusted event', async (selector, text, left) => {
    await page.locator(selector).click();
    await page.keyPress('ControlOrMeta+A');
    await clipboard.cut();
    expect([await clipboard.readText(), await page.locator(selector).inputValue()]).toEqual([text, left]);
    expect(await page.evaluate('events')).toEqual([['cut', true, '']]);
  });

  it.each(['input', 'textarea'])(
    'replaces the selection of the %s and fires a trusted paste event with the text',
    async (selector) => {
      await clipboard.writeText('pasted 値');
      await page.locator(selector).click();
      await page.keyPress('ControlOrMeta+A');
      await clipboard.paste();
      expect(await page.locator(selector).inputValue()).toBe('pasted 値');
      expect(await page.evaluate('events')).toEqual([['paste', true, 'pasted 値']]);
    },
  );

  it('moves text from one field to another', async () => {
    await page.locator('input').click();
    await page.keyPress('ControlOrMeta+A');
    await clipboard.cut();
    await page.locator('textarea').click();
    await page.keyPress('ControlOrMeta+A');
    await clipboard.paste();
    expect([await page.locator('input').inputValue(), await page.locator('textarea').inputValue()]).toEqual([
      '',
      'one two',
    ]);
  });

  it.each(['/framed', '/apart'])('works in a focused frame (%s)', async (path) => {
    await page.goto(test.server.origin + path, { waitUntil: 'load' });
    const field = page.locator('iframe >> input');
    await field.click();
    await page.keyPress('ControlOrMeta+A');
    await clipboard.copy();
    expect(await clipboard.readText()).toBe('one two');
    await clipboard.writeText('into the frame');
    await clipboard.paste();
    expect(await field.inputValue()).toBe('into the frame');
  });

  it('works on the active page while another page is in front', async () => {
    const front = await context.newPage(test.server.origin);
    await front.locator('input').click();
    await front.bringToFront();
    context.setActivePage(page);
    await page.locator('input').click();
    await page.keyPress('ControlOrMeta+A');
    await clipboard.copy();
    await clipboard.writeText(`${await clipboard.readText()}!`);
    await clipboard.paste();
    expect([await page.locator('input').inputValue(), await front.locator('input').inputValue()]).toEqual([
      'one two!',
      'one two',
    ]);
  });

  it.each([
    ['another page of the same window', `window.open('/'), undefined`],
    ['a page in a separate window', `window.open('/', '', 'width=400,height=300'), undefined`],
  ])('works on the given page while %s is active and in front', async (_title, script) => {
    const [front] = await Promise.all([page.waitForEvent('popup'), page.evaluate(script)]);
    await front.locator('input').click();
    await front.bringToFront();
    expect(context.activePage()).toBe(front);
    await page.locator('input').click();
    await page.keyPress('ControlOrMeta+A');
    await clipboard.copy({ page });
    expect(await clipboard.readText()).toBe('one two');
    await clipboard.cut({ page });
    await clipboard.writeText('pasted');
    await clipboard.paste({ page });
    await clipboard.paste({ page });
    expect(await page.evaluate('events')).toEqual([
      ['copy', true, ''],
      ['cut', true, ''],
      ['paste', true, 'pasted'],
      ['paste', true, 'pasted'],
    ]);
    expect([await page.locator('input').inputValue(), await front.locator('input').inputValue()]).toEqual([
      'pastedpasted',
      'one two',
    ]);
    expect(await front.evaluate('events')).toEqual([]);
    expect(context.activePage()).toBe(front);
  });

  it('pastes into several pages concurrently', async () => {
    const others = await Promise.all([context.newPage(test.server.origin), context.newPage(test.server.origin)]);
    const all = [page, ...others];
    await clipboard.writeText('everywhere');
    for (const one of all) await one.locator('input').fill('');
    for (const one of all) await one.locator('input').focus();
    await Promise.all(all.map((one) => clipboard.paste({ page: one })));
    expect(await Promise.all(all.map((one) => one.locator('input').inputValue()))).toEqual(all.map(() => 'everywhere'));
  });

  it.each(['copy', 'cut', 'paste'] as const)('%s() rejects a closed page and acts on no other page', async (method) => {
    const closed = await context.newPage(test.server.origin);
    await closed.close();
    const failure = await failureOf(clipboard[method]({ page: closed }));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(failure).toMatchObject({ argument: 'page' });
    expect(await page.evaluate('events')).toEqual([]);
  });

  it('respects a page that prevents copy and paste', async () => {
    await page.goto(`${test.server.origin}/refuses`);
    await clipboard.writeText('before');
    await page.locator('input').click();
    await page.keyPress('ControlOrMeta+A');
    await clipboard.copy();
    await clipboard.paste();
    expect([await page.locator('input').inputValue(), await clipboard.readText()]).toEqual(['one two', 'before']);
  });

  it.each(['copy', 'cut', 'paste'] as const)(
    '%s() throws a DriverPageNotFoundError when no page is open',
    async (method) => {
      await page.close();
      const failure = await failureOf(clipboard[method]());
      expect(failure).toBeInstanceOf(DriverPageNotFoundError);
      expect(failure).toMatchObject({
        message: `clipboard.${method} acts on the active page, but no page is open. Open one with \`context.newPage()\`.`,
      });
      page = await context.newPage(test.server.origin);
    },
  );
});
