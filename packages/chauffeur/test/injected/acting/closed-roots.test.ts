import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProgramPage } from '../program-page.ts';

let page: ProgramPage;
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

const CLOSED = (html: string, host: string): string =>
  `${host}.attachShadow({ mode: 'closed' }).innerHTML = ${JSON.stringify(html)}`;

test.each([
  '#deep',
  'text=Deep',
  'role=button[name="Deep"]',
  '//button[@id="deep"]',
  '/html[1]/body[1]/x-outer[1]//div[1]/x-inner[1]//p[1]/button[1]',
])('an element in closed roots nobody has looked into yet is found by %s', async (selector) => {
  await page.show(`<x-outer></x-outer><script>const root = document.querySelector('x-outer').attachShadow({ mode: 'closed' }); root.innerHTML = '<div><x-inner></x-inner></div>';
      ${CLOSED('<p><button id="deep">Deep</button></p>', "root.querySelector('x-inner')")};</script>`);
  expect(await page.call('resolve', { selector })).toMatchObject({ kind: 'element', count: 1 });
  expect(await page.click(selector)).toMatchObject({ delivered: true });
});

test('a plain element that hosts a closed root is found too, and a host that comes during the wait', async () => {
  await page.show(`<div id="host"></div><script>${CLOSED('<button id="b">In</button>', 'host')};
    setTimeout(() => { const late = document.createElement('x-late'); ${CLOSED('<button id="later">Later</button>', 'late')}; document.body.append(late); }, 300);</script>`);
  expect(await page.call('resolve', { selector: '#b' })).toMatchObject({ kind: 'element' });
  expect(await page.prepare('#later', 'click')).toMatchObject({ kind: 'ready' });
});

test('what is not there is told as such after the look, also where custom elements abound', async () => {
  await page.show('<x-a><x-b>text</x-b></x-a>'.repeat(50));
  expect(await page.call('resolve', { selector: '#none' })).toMatchObject({ kind: 'none' });
  expect(await page.prepare('#none', 'click', { timeout: 600 })).toMatchObject({ kind: 'none' });
  expect(await page.call('resolveAll', '#none')).toEqual([]);
});
