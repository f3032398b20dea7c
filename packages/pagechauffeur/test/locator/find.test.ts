import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverInvalidArgumentError, type Page } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;

const SHADOW = `<div id="open"></div><div id="closed"></div><script>
  const open = document.querySelector('#open').attachShadow({ mode: 'open' });
  open.innerHTML = '<button class="in">Open one</button><div id="deeper"></div>';
  open.querySelector('#deeper').attachShadow({ mode: 'open' }).innerHTML = '<button class="in">Deeper one</button>';
  document.querySelector('#closed').attachShadow({ mode: 'closed' }).innerHTML = '<button class="in">Closed one</button>';
</script>`;

beforeAll(async () => {
  server = await serve({ '/frame': `<!doctype html><h2>Framed</h2><button>Framed one</button>${SHADOW}` });
  server.page('/branch', `<!doctype html><h2>Branch</h2><iframe src="${server.origin}/frame"></iframe>`);
  server.page(
    '/',
    `<!doctype html><title>Find</title>
      <h1>Orders</h1>
      <ul><li class="row">First <b>row</b></li><li class="row">Second row</li><li class="row">Third row <a href="#">more</a></li></ul>
      <label>Name <input id="name" value="Ada"></label>
      <input type="submit" value="Send it"><button aria-label="Close">×</button><button disabled>Close later</button>
      <div hidden>First row, hidden</div>${SHADOW}
      <iframe id="near" src="/frame"></iframe><iframe id="far" src="${server.otherOrigin}/branch"></iframe>`,
  );
  test = await startDriver({ defaultTimeout: 15_000 });
  ({ page } = test);
  await page.goto(server.origin, { waitUntil: 'load' });
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

describe('page.locator()', () => {
  // [spec: page.locator]
  it.each([
    ['h1', 'Orders'],
    ['css=h1', 'Orders'],
    ['li:nth-child(2)', 'Second row'],
    ['xpath=//li[2]', 'Second row'],
    ['//ul/li[last()]/a', 'more'],
    ['(//li)[3]/a', 'more'],
    ['/html/body/h1', 'Orders'],
    ['text=second', 'Second row'],
    ['text="Second row"', 'Second row'],
    ['ul >> li >> b', 'row'],
    ['ul >> text=third', 'Third row more'],
    ['role=heading', 'Orders'],
    ['role=button[name="Close"]', '×'],
    ['role=link', 'more'],
    ['.in', 'Open one'],
    ['#open .in', 'Open one'],
    ['text=deeper', 'Deeper one'],
    ['text=closed one', 'Closed one'],
    ['#near >> h2', 'Framed'],
    ['#near >> text=Open', 'Open one'],
    ['#near >> #closed >> button', 'Closed one'],
    ['#far >> h2', 'Branch'],
    ['#far >> iframe >> h2', 'Framed'],
    ['#far >> iframe >> text=deeper', 'Deeper one'],
    ['#far >> iframe >> text=closed', 'Closed one'],
    ['//iframe[2] >> xpath=//iframe >> //button[1]', 'Framed one'],
    ['iframe >> nth=1 >> h2', 'Branch'],
    ['iframe >> nth=-1 >> iframe >> .in >> nth=1', 'Deeper one'],
    ['/html[1]/body[1]/iframe[2]/html[1]/body[1]/iframe[1]/html[1]/body[1]/h2[1]', 'Framed'],
    ['xpath=/html[1]/body[1]/div[2]//button[1]', 'Open one'],
  ])('finds %s', async (selector, text) => {
    expect(await page.locator(selector).textContent()).toBe(text);
  });

  // [spec: page.deepLocator]
  it('locator() chains across frames, and deepLocator() is equivalent', async () => {
    expect(await page.locator('#far').locator('iframe').locator('h2').textContent()).toBe('Framed');
    expect(await page.deepLocator('#far >> iframe >> h2').textContent()).toBe('Framed');
    expect(await page.locator('ul').locator('li').nth(2).locator('a').textContent()).toBe('more');
    expect(await page.locator('ul').locator('li').nth(1).locator('a').count()).toBe(0);
    expect(await page.locator('iframe').nth(1).locator('h2').textContent()).toBe('Branch');
  });

  it('count() counts matches, also in frames, and nth() picks from either end', async () => {
    const rows = page.locator('li');
    expect(await rows.count()).toBe(3);
    expect([
      await rows.first().textContent(),
      await rows.nth(1).textContent(),
      await rows.last().textContent(),
      await rows.nth(-2).textContent(),
    ]).toEqual(['First row', 'Second row', 'Third row more', 'Second row']);
    expect(await rows.nth(1).count()).toBe(1);
    expect(await rows.nth(9).count()).toBe(0);
    expect(await page.locator('#absent').count()).toBe(0);
    expect(await page.locator('#near >> button').count()).toBe(4);
    expect(await page.locator('#far >> iframe >> .in').count()).toBe(3);
    expect(await page.locator('#far >> #absent >> li').count()).toBe(0);
  });

  it.each([
    ['h1[', 'invalid'],
    ['//li[', 'XPath'],
    ['role=', 'role'],
    ['li >> nth=x', 'nth'],
  ])('rejects the invalid selector %s and names it', async (selector) => {
    await expect(page.locator(selector).click({ timeout: 60_000 })).rejects.toMatchObject({
      name: expect.stringMatching(/DriverInvalidArgumentError|XPathResolutionError/),
      message: expect.stringContaining(selector),
    });
    await expect(page.locator(selector).count()).rejects.toThrow(selector);
  });

  it('rejects empty selectors and indexes that are not whole numbers', () => {
    for (const wrong of ['', '  ', 5, undefined])
      expect(() => page.locator(wrong as string)).toThrow(DriverInvalidArgumentError);
    expect(() => page.locator('ul').locator('')).toThrow(/selector must be a non-empty string/);
    expect(() => page.locator('li').nth(1.5)).toThrow(/index must be a whole number/);
    expect(() => page.locator('li').nth('2' as never)).toThrow(/index must be a whole number/);
  });
});

describe('reading an element', () => {
  it('returns text, HTML, attributes, values and states', async () => {
    const name = page.locator('#name');
    expect([await name.inputValue(), await name.getAttribute('value'), await name.getAttribute('absent')]).toEqual([
      'Ada',
      'Ada',
      null,
    ]);
    expect([await name.isEditable(), await name.isEnabled(), await name.isVisible()]).toEqual([true, true, true]);
    expect(await page.locator('li').innerHtml()).toBe('First <b>row</b>');
    expect(await page.locator('ul').innerText()).toBe('First row\nSecond row\nThird row more');
    expect(await page.locator('[hidden]').innerText()).toContain('hidden');
    expect([await page.locator('[hidden]').isVisible(), await page.locator('#absent').isVisible()]).toEqual([
      false,
      false,
    ]);
    expect(await page.locator('text=close later').isEnabled()).toBe(false);
  });

  it('boundingBox() returns page viewport coordinates for elements in nested frames', async () => {
    const [frame, inner] = [
      await page.locator('#far').boundingBox(),
      await page.locator('#far >> iframe').boundingBox(),
    ];
    const button = await page.locator('#far >> iframe >> button').boundingBox();
    if (!frame || !inner || !button) throw new TypeError('everything has a box');
    expect([inner.x > frame.x, inner.y > frame.y, button.x > inner.x, button.y > inner.y]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await page.click(button.x + 5, button.y + 5, { returnXpath: true })).toBe(
      '/html[1]/body[1]/iframe[2]/html[1]/body[1]/iframe[1]/html[1]/body[1]/button[1]',
    );
    expect(await page.locator('[hidden]').boundingBox()).toBeNull();
  });
});

describe('shadow roots', () => {
  const HOSTS =
    'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span x-card font-face-x';

  it.each(HOSTS.split(' '))('are found on <%s>', async (tag) => {
    const host = tag === 'body' ? 'document.body' : `document.body.appendChild(document.createElement('${tag}'))`;
    await page.goto(
      server.page(
        '/host',
        `<!doctype html><title>Host</title><body><table><tr><td>Cell</table>
          <script>${host}.attachShadow({ mode: 'open' }).innerHTML = '<button>Inside</button>'</script>`,
      ),
      { waitUntil: 'load' },
    );
    expect(await page.getByRole('button', { name: 'Inside' }).count()).toBe(1);
  });
});
