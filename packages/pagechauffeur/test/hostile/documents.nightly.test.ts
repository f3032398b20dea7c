import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';
import type { Route } from '../support/serve.ts';
import { expectWorks, ORDINARY_PART } from './works-on.ts';

const odd = oddPages({ defaultTimeout: 15_000, domSettleTimeout: 1500 });

/** Answers with a body of this type, under further headers. */
function answer(type: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Route {
  return (_, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type, ...headers });
    response.end(body);
  };
}

const html = (body: string): string => `<!doctype html><title>Odd</title>${body}`;
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>`;

describe('ordinary page', () => {
  it.each<readonly [what: string, route: Route]>([
    ['in quirks mode', answer('text/html', `<title>Odd</title>${ORDINARY_PART}`)],
    [
      'in XHTML',
      answer(
        'application/xhtml+xml',
        `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Odd</title></head><body>${ORDINARY_PART.replace('<input id="name">', '<input id="name"/>')}</body></html>`,
      ),
    ],
    ['in UTF-16', answer('text/html; charset=utf-16le', Buffer.from(html(ORDINARY_PART), 'utf16le'))],
    [
      'that requires trusted types',
      answer('text/html', html(ORDINARY_PART), {
        'content-security-policy': `require-trusted-types-for 'script'; trusted-types 'none'`,
      }),
    ],
    [
      'without eval',
      answer('text/html', html(ORDINARY_PART), {
        'content-security-policy': `script-src 'unsafe-inline'; default-src 'none'`,
      }),
    ],
    [
      'with an opaque origin',
      answer('text/html', html(ORDINARY_PART), { 'content-security-policy': 'sandbox allow-scripts' }),
    ],
    [
      'that is cross-origin isolated',
      answer('text/html', html(ORDINARY_PART), {
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      }),
    ],
    [
      'with an empty permissions policy',
      answer('text/html', html(ORDINARY_PART), {
        'permissions-policy':
          'camera=(), geolocation=(), clipboard-read=(), clipboard-write=(), fullscreen=(), sync-xhr=()',
      }),
    ],
    [
      'whose response never ends',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.write(html(ORDINARY_PART));
      },
    ],
  ])('reads and acts on a page %s', async (_what, route) => {
    await odd.page.goto(odd.server.page('/document', route), { waitUntil: 'commit' });
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });

  it('reads and acts on a page at a data: URL', async () => {
    await odd.page.goto(`data:text/html,${encodeURIComponent(html(ORDINARY_PART))}`);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });

  it('reads and acts on a page at a blob: URL', async () => {
    await odd.open('');
    await odd.page.evaluate(
      `location.href = URL.createObjectURL(new Blob([${JSON.stringify(html(ORDINARY_PART))}], { type: 'text/html' }))`,
    );
    await odd.page.waitForSelector('#buy');
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });

  it('reads, fills and clicks in a sandboxed frame without scripts', async () => {
    await odd.open(`<iframe sandbox srcdoc="<button>Quiet</button><input aria-label='Name'>" title="Box"></iframe>`);
    expect(await odd.text()).toContain('button "Quiet"');
    await odd.page.locator('iframe >> input').fill('Ada');
    expect(await odd.page.locator('iframe >> input').inputValue()).toBe('Ada');
    await odd.page.locator('iframe >> button').click();
  });

  it('reads and clicks in the frames of a frameset', async () => {
    odd.server.page('/ordinary', html(ORDINARY_PART));
    await odd.page.goto(
      odd.server.page(
        '/frameset',
        `<frameset cols="50%,50%"><frame src="/ordinary" title="Left"><frame src="/ordinary" title="Right"></frameset>`,
      ),
      { waitUntil: 'load' },
    );
    expect((await odd.text()).match(/button "Buy"/g)).toHaveLength(2);
    await odd.page.locator('frame >> nth=1 >> #buy').click();
    expect(await odd.page.locator('frame >> nth=0 >> #buy').textContent()).toBe('Buy');
    expect(await odd.page.locator('frame >> nth=1 >> #buy').textContent()).toBe('Bought');
  });
});

describe('page without scripts', () => {
  it.each([`default-src 'none'; sandbox`, 'sandbox', `default-src 'none'`])(
    'reads, clicks and fills under the policy %s',
    async (policy) => {
      await odd.page.goto(
        odd.server.page('/policy', answer('text/html', html(ORDINARY_PART), { 'content-security-policy': policy })),
      );
      expect(await odd.text()).toContain('button "Buy"');
      await odd.page.locator('#buy').click();
      await odd.page.locator('#name').fill('Ada');
      expect(await odd.page.locator('#name').inputValue()).toBe('Ada');
      expect(await odd.page.waitForSelector('text=Two mugs')).toBe(true);
      expect((await odd.act('#more')).success).toBe(true);
      expect((await odd.driver.extract()).pageText).toContain('heading 1 "Shop"');
      expect(await odd.page.evaluate('1 + 1')).toBe(2);
    },
  );
});

describe('non-HTML document', () => {
  it.each<readonly [what: string, route: Route, selector: string, content: string]>([
    [
      'SVG',
      answer(
        'image/svg+xml',
        `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="99"><text id="t" x="9" y="50">Sales</text></svg>`,
      ),
      '#t',
      'Sales',
    ],
    ['XML', answer('application/xml', `<?xml version="1.0"?><order id="7"><item>Mug</item></order>`), 'item', 'Mug'],
    [
      'XML with a missing style sheet',
      answer('text/xml', `<?xml version="1.0"?><?xml-stylesheet href="gone.css"?><order><item>Mug</item></order>`),
      'xpath=//item',
      'Mug',
    ],
    [
      'an RSS feed',
      answer('application/rss+xml', `<rss version="2.0"><channel><title>News</title></channel></rss>`),
      'pre',
      'News',
    ],
    ['plain text', answer('text/plain', 'Just words'), 'pre', 'Just words'],
    ['JSON', answer('application/json', '{"mugs":2}'), 'pre', '{"mugs":2}'],
    ['a script', answer('text/javascript', 'throw 1'), 'pre', 'throw 1'],
    ['an empty document', answer('text/html', ''), 'body', ''],
  ])('reads %s', async (_what, route, selector, content) => {
    await odd.page.goto(odd.server.page('/no-html', route));
    expect(await odd.page.locator(selector).textContent()).toContain(content);
    expect(await odd.page.waitForSelector(selector, { state: 'attached' })).toBe(true);
    expect((await odd.driver.extract()).pageText).toContain(content);
    expect(await odd.page.evaluate('1 + 1')).toBe(2);
    await expect(odd.page.locator('#absent').click({ timeout: 200 })).rejects.toThrow('No element matches #absent');
    await expect(odd.page.locator(selector).fill('x', { timeout: 200 })).rejects.toThrow(/Cannot fill/);
  });

  it('clicks text of an SVG document', async () => {
    await odd.page.goto(
      odd.server.page(
        '/drawing',
        answer(
          'image/svg+xml',
          `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="99"><text id="t" x="9" y="50" onclick="this.textContent = 'Clicked'">Sales</text></svg>`,
        ),
      ),
    );
    await odd.page.locator('#t').click();
    expect(await odd.page.locator('#t').textContent()).toBe('Clicked');
    expect((await odd.act('text=Clicked')).success).toBe(true);
  });

  it('clicks an image document and takes a screenshot of it', async () => {
    await odd.page.goto(odd.server.page('/pixel.png', answer('image/png', PIXEL)));
    expect(await odd.page.locator('img').isVisible()).toBe(true);
    expect((await odd.page.screenshot()).length).toBeGreaterThan(100);
    await odd.page.locator('img').click();
    expect((await odd.page.snapshot()).text).toBeTypeOf('string');
  });

  it('answers extract() and click() on a PDF and works on the next page', async () => {
    await odd.page.goto(odd.server.page('/paper.pdf', answer('application/pdf', PDF))).catch(() => null);
    expect((await odd.driver.extract({ timeout: 10_000 })).pageText).toBeTypeOf('string');
    await expect(odd.page.locator('#absent').click({ timeout: 300 })).rejects.toThrow('No element matches #absent');
    await odd.open(ORDINARY_PART);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });
});
