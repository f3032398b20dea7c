import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, DriverLocatorError, type Locator, type Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { openShownPage, type ShownPage } from './shown-page.ts';

const LIST = `<ul>
    <li id="a" class="fruit">Apple <b id="ab">red</b> <button id="abuy">Buy</button></li>
    <li id="p" class="fruit">Pear <i id="pi">green</i> <button id="pbuy">Buy</button></li>
    <li id="c" hidden class="fruit">Cherry <b id="cb">red</b></li>
    <li id="t">Tomato <b id="tb">red</b></li>
  </ul>
  <p id="none">Apple pie</p>
  <div id="card"></div><iframe id="f" srcdoc="<li id='fa' class='fruit'>Apple</li><li id='fp'>Plum</li>"></iframe>
  <script>document.querySelector('#card').attachShadow({ mode: 'open' }).innerHTML =
    '<li id="s" class="fruit">Sloe <b>blue</b></li>';</script>`;

let shown: ShownPage;
let page: Page;

beforeAll(async () => {
  shown = await openShownPage();
  ({ page } = shown);
  await shown.show(LIST);
});

afterAll(() => shown?.[Symbol.asyncDispose]());

async function ids(locator: Locator): Promise<(string | null)[]> {
  return Promise.all((await locator.all()).map((one) => one.getAttribute('id')));
}

describe('composed locator', () => {
  it.each<[string, (at: Page) => Locator, string[]]>([
    ['hasText', (at) => at.locator('li').filter({ hasText: 'apple' }), ['a']],
    ['hasText in any case', (at) => at.locator('li').filter({ hasText: 'APPLE RED' }), ['a']],
    ['hasText as a RegExp', (at) => at.locator('li').filter({ hasText: /^(Pear|Sloe)/ }), ['p', 's']],
    ['hasNotText', (at) => at.locator('li').filter({ hasNotText: 'red' }), ['p', 's']],
    ['hasNotText as a RegExp', (at) => at.locator('li').filter({ hasNotText: /red|blue/ }), ['p']],
    ['has', (at) => at.locator('li').filter({ has: at.locator('b') }), ['a', 'c', 't', 's']],
    ['has with a role', (at) => at.locator('li').filter({ has: at.getByRole('button', { name: 'Buy' }) }), ['a', 'p']],
    [
      'has with a text',
      (at) => at.locator('li').filter({ has: at.getByText('red', { exact: true }) }),
      ['a', 'c', 't'],
    ],
    [
      'has with a chained selector',
      (at) =>
        at
          .locator('ul')
          .filter({ has: at.locator('li >> b') })
          .locator('#t'),
      ['t'],
    ],
    ['hasNot', (at) => at.locator('li').filter({ hasNot: at.locator('b') }), ['p']],
    [
      'has within has',
      (at) =>
        at
          .locator('ul')
          .filter({ has: at.locator('li').filter({ has: at.locator('i') }) })
          .locator('#p'),
      ['p'],
    ],
    ['visible', (at) => at.locator('ul li').filter({ visible: true }), ['a', 'p', 't']],
    ['not visible', (at) => at.locator('ul li').filter({ visible: false }), ['c']],
    [
      'several conditions',
      (at) => at.locator('li').filter({ has: at.locator('b'), hasText: 'red', visible: true }),
      ['a', 't'],
    ],
    [
      'two chained filters',
      (at) => at.locator('li').filter({ hasText: 'red' }).filter({ hasNotText: 'Apple' }),
      ['c', 't'],
    ],
    ['a filter without conditions', (at) => at.locator('#a').filter(), ['a']],
    ['a filter option of locator()', (at) => at.locator('li', { hasText: 'red', hasNotText: 'Tomato' }), ['a', 'c']],
    ['a filter option of a chained locator()', (at) => at.locator('ul').locator('li', { has: at.locator('i') }), ['p']],
    [
      'a filter option of locator() in a frame',
      (at) => at.frameLocator('#f').locator('li', { hasText: 'Plum' }),
      ['fp'],
    ],
    ['a filter without matches', (at) => at.locator('li').filter({ hasText: 'melon' }), []],
    ['and', (at) => at.locator('li').and(at.locator('.fruit')), ['a', 'p', 'c', 's']],
    ['and with a text', (at) => at.locator('p').and(at.getByText('Apple pie')), ['none']],
    ['and without matches', (at) => at.locator('li').and(at.locator('p')), []],
    ['or, in the order of the document', (at) => at.locator('#t').or(at.locator('#a')), ['a', 't']],
    ['or when the first has no match', (at) => at.locator('#zzz').or(at.locator('#t')), ['t']],
    [
      'or when the first part of a chain has no match',
      (at) => at.locator('#zzz').locator('b').or(at.locator('#t')),
      ['t'],
    ],
    ['or when the second has no match', (at) => at.locator('#t').or(at.locator('#zzz')), ['t']],
    ['or with the same element twice', (at) => at.locator('#t').or(at.locator('ul > #t')), ['t']],
    ['or with a chained locator()', (at) => at.locator('#a').or(at.locator('#t')).locator('b'), ['ab', 'tb']],
    ['or with an element in a shadow root', (at) => at.locator('#a').or(at.getByText('Sloe')), ['a', 's']],
    ['and after or', (at) => at.locator('li').or(at.locator('p')).and(at.getByText('Apple')), ['a', 'none']],
    ['nth of a filter', (at) => at.locator('li').filter({ hasText: 'red' }).nth(1), ['c']],
    ['last of a filter', (at) => at.locator('li').filter({ hasText: 'red' }).last(), ['t']],
    ['inside the nth', (at) => at.locator('li').nth(1).getByRole('button'), ['pbuy']],
    ['first', (at) => at.locator('li').first(), ['a']],
    ['nth from the end', (at) => at.locator('ul li').nth(-2), ['c']],
    ['a filter in a frame', (at) => at.frameLocator('#f').locator('li').filter({ hasText: 'plum' }), ['fp']],
    [
      'and in a frame',
      (at) => at.frameLocator('#f').locator('li').and(at.frameLocator('#f').locator('.fruit')),
      ['fa'],
    ],
    [
      'or in a frame',
      (at) => at.frameLocator('#f').locator('#fp').or(at.frameLocator('#f').locator('#fa')),
      ['fa', 'fp'],
    ],
    [
      'has in a frame',
      (at) =>
        at
          .frameLocator('#f')
          .locator('body')
          .filter({ has: at.locator('.fruit') })
          .locator('#fa'),
      ['fa'],
    ],
  ])('finds by %s', async (_title, query, expected) => {
    expect(await ids(query(page))).toEqual(expected);
  });

  it.each<[string, () => Locator]>([
    ['has with a string', () => page.locator('li').filter({ has: 'b' as never })],
    ['hasText with a number', () => page.locator('li').filter({ hasText: 3 as never })],
    ['visible with a string', () => page.locator('li').filter({ visible: 'yes' as never })],
    ['and with nothing', () => page.locator('li').and(undefined as never)],
    ['or with a locator of another frame', () => page.locator('li').or(page.frameLocator('#f').locator('li'))],
    ['strict with a string', () => page.locator('li', { strict: 'yes' as never })],
    ['nth with a fraction', () => page.locator('li').nth(1.5)],
    ['locator with nothing', () => page.locator('li').locator(' ')],
  ])('rejects %s as an invalid argument', async (_title, query) => {
    expect(await failureOf(Promise.resolve().then(query))).toBeInstanceOf(DriverInvalidArgumentError);
  });

  it('rejects an inner locator that enters a frame when the locator is used', async () => {
    await expect(
      page
        .locator('body')
        .filter({ has: page.locator('#f >> li') })
        .count(),
    ).rejects.toThrow(/enters a frame/);
  });

  it.each<[string, (at: Page) => Locator]>([
    ['#none >> b', (at) => at.locator('#none >> b')],
    ["locator('#none').locator('b')", (at) => at.locator('#none').locator('b')],
    ["getByRole('button', { name: 'Sell' })", (at) => at.getByRole('button', { name: 'Sell' })],
    [
      "getByRole('heading', { level: 7, includeHidden: true })",
      (at) => at.getByRole('heading', { level: 7, includeHidden: true }),
    ],
    ['getByText(/no such/i)', (at) => at.getByText(/no such/i)],
    ["getByLabel('It\\'s', { exact: true })", (at) => at.getByLabel("It's", { exact: true })],
    ["locator('li').getByTestId('x').first()", (at) => at.locator('li').getByTestId('x').first()],
    ["getByTitle('no').last()", (at) => at.getByTitle('no').last()],
    [
      "locator('li').filter({ has: getByText('nobody'), hasText: /x/, visible: true }).nth(2)",
      (at) =>
        at
          .locator('li')
          .filter({ has: at.getByText('nobody'), hasText: /x/, visible: true })
          .nth(2),
    ],
    ["locator('u').or(locator('s'))", (at) => at.locator('u').or(at.locator('s'))],
    ["locator('#none').and(locator('li'))", (at) => at.locator('#none').and(at.locator('li'))],
    ["frameLocator('#f').getByPlaceholder('Town')", (at) => at.frameLocator('#f').getByPlaceholder('Town')],
    ["locator('body').frameLocator('#f').locator('u')", (at) => at.locator('body').frameLocator('#f').locator('u')],
  ])('names the locator in errors as it was written: %s', async (written, query) => {
    const failure = (await failureOf(query(page).click({ timeout: 300 }))) as DriverLocatorError;
    expect(failure).toMatchObject({ callLog: expect.arrayContaining([`waiting for ${written}`]) as string[] });
    expect(failure.message).toContain(written);
    await expect(query(page).waitFor({ timeout: 100 })).rejects.toThrow(written);
  });

  it('all() returns one locator per match and an empty list without matches', async () => {
    expect(await page.locator('li').all()).toHaveLength(5);
    expect(await page.locator('li.none').all()).toEqual([]);
  });

  it('count() and nth() stay within their frame', async () => {
    expect(await page.locator('li').count()).toBe(5);
    expect(await page.locator('#f >> li').count()).toBe(2);
    expect(await page.locator('#f >> li').nth(1).textContent()).toBe('Plum');
    expect(await failureOf(page.locator('#f >> li').nth(2).textContent())).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  });
});

describe('strict locator', () => {
  it('accepts exactly one match', async () => {
    expect(await page.locator('#a', { strict: true }).innerText()).toContain('Apple');
    await page.locator('#abuy', { strict: true }).click();
  });

  it.each<[string, (locator: Locator) => Promise<unknown>]>([
    ['click', (locator) => locator.click()],
    ['fill', (locator) => locator.fill('x')],
    ['textContent', (locator) => locator.textContent()],
    ['isVisible', (locator) => locator.isVisible()],
    ['waitFor', (locator) => locator.waitFor()],
    ['evaluate', (locator) => locator.evaluate(() => 1)],
    ['boundingBox', (locator) => locator.boundingBox()],
    ['selectOption', (locator) => locator.selectOption('x')],
  ])('%s() rejects 5 matches and lists them', async (_title, call) => {
    const failure = await failureOf(call(page.locator('li', { strict: true })));
    expect(failure).toBeInstanceOf(DriverLocatorError);
    expect(failure).toMatchObject({
      message: expect.stringMatching(
        /^5 elements match li, but a strict locator must match exactly one: 1\) <li#a\.fruit>.*5\) <li#s\.fruit>/s,
      ),
    });
  });

  it('lists the first 5 matches and how many more there are', async () => {
    const failure = await failureOf(page.locator('*', { strict: true }).click());
    expect(failure).toMatchObject({ message: expect.stringMatching(/ 5\) .*, and \d+ more/) });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['click', () => page.locator('li').click({ strict: true })],
    ['page.click', () => page.click('li', { strict: true })],
    ['selectOption', () => page.locator('li').selectOption('a', { strict: true })],
    ['sendClickEvent', () => page.locator('li').sendClickEvent({ strict: true })],
    ['textContent', () => page.locator('li').textContent({ strict: true })],
    ['isVisible', () => page.locator('li').isVisible({ strict: true })],
    ['boundingBox', () => page.locator('li').boundingBox({ strict: true })],
    ['evaluate', () => page.locator('li').evaluate('1', undefined, { strict: true })],
    ['waitFor', () => page.locator('li').waitFor({ strict: true })],
    ['page.waitForSelector', () => page.waitForSelector('li', { strict: true })],
    ['screenshot', () => page.locator('li').screenshot({ strict: true })],
  ])('%s({ strict: true }) rejects several matches', async (_method, call) => {
    const failure = await failureOf(call());
    expect(failure).toBeInstanceOf(DriverLocatorError);
    expect(failure).toMatchObject({ message: expect.stringContaining('5 elements match li') });
    expect(await page.locator('li').count({ strict: true })).toBe(5);
  });

  it('`strict: false` in a call overrides a strict locator', async () => {
    expect(await page.locator('li', { strict: true }).textContent({ strict: false })).toContain('Apple');
  });

  it('chained locators stay strict until first() or `strict: false`', async () => {
    const list = page.locator('ul', { strict: true });
    expect(await failureOf(list.locator('b').textContent())).toMatchObject({ code: 'LOCATOR' });
    expect(await list.locator('b').first().textContent()).toBe('red');
    expect(await list.locator('b', { strict: false }).textContent()).toBe('red');
  });

  it('count() counts all matches', async () => {
    expect(await page.locator('li', { strict: true }).count()).toBe(5);
  });

  it('click() rejects several matches in a frame', async () => {
    expect(await failureOf(page.frameLocator('#f').locator('li', { strict: true }).click())).toMatchObject({
      message: expect.stringMatching(/^2 elements match/),
    });
  });
});
