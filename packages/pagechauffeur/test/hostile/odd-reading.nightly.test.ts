import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { tokensIn } from '../../src/injected/snapshot/folding/token-estimate.ts';
import type { Route } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

const TIMEOUT = 20_000;

function answer(type: string, body: string | Buffer): Route {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };
}

async function open(route: Route): Promise<void> {
  await browser.page.goto(browser.server.page('/odd', route), { waitUntil: 'load' });
}

async function textOf(tokenBudget?: number): Promise<string> {
  return (await browser.page.snapshot(tokenBudget === undefined ? {} : { tokenBudget })).text;
}

const WORDS = Array.from({ length: 9000 }, (_, index) => `word${index}`).join(' ');

describe('folding to the token budget', () => {
  test.each<[string, Route]>([
    ['plain text', answer('text/plain', WORDS)],
    ['plain text in lines', answer('text/plain', WORDS.replaceAll(' ', '\n'))],
    ['JSON', answer('application/json', JSON.stringify(WORDS.split(' ')))],
    ['XML', answer('application/xml', `<order>${WORDS.replaceAll(/\S+/g, '<item>$&</item>')}</order>`)],
    ['XML with one text node', answer('application/xml', `<order><item>${WORDS}</item></order>`)],
    [
      'SVG',
      answer(
        'image/svg+xml',
        `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><text y="20">${WORDS}</text></svg>`,
      ),
    ],
    [
      'XHTML',
      answer('application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>${WORDS}</p></body></html>`),
    ],
  ])('folds a document of %s to a budget of 1,000 tokens', async (_what, route) => {
    await open(route);
    const whole = await textOf(Infinity);
    expect(whole).toContain('word8999');
    const text = await textOf(1000);
    expect(tokensIn(text)).toBeLessThanOrEqual(1200);
    expect(tokensIn(text)).toBeGreaterThanOrEqual(600);
    expect(text).toMatch(/… [\d,]+ more [a-z ]+(?:, e\d+| \((?:in )?e\d+)/);
  });
});

describe('unusual document root', () => {
  test.each([
    ['without a body', 'document.body.remove()', ''],
    ['without a root', 'document.documentElement.remove()', ''],
    ['with a body outside of html', 'document.replaceChild(document.body, document.documentElement)', 'button "Here"'],
    ['with a frameset as body', "document.body.replaceWith(document.createElement('frameset'))", ''],
    ['with a comment as the only node', "document.replaceChildren(document.createComment('x'))", ''],
    [
      'with a root in SVG',
      "document.documentElement.replaceWith(document.createElementNS('http://www.w3.org/2000/svg', 'svg'))",
      '',
    ],
  ])('snapshot() and observe() answer on a document %s', async (_what, script, shown) => {
    await open('<!doctype html><title>Odd</title><body><button>Here</button>');
    await browser.page.evaluate(`${script}; 0`);
    expect(await textOf()).toContain(shown);
    expect(await textOf(50)).toContain(shown);
    expect(
      (await browser.driver.observe('everything', { page: browser.page, model: 'offline/lexical' })).length,
    ).toBeLessThan(2);
  });

  test('goto() reports a PDF as a download, and snapshot() reads the next page', async () => {
    const address = browser.server.page('/odd.pdf', answer('application/pdf', pdf()));
    await expect(browser.page.goto(address, { waitUntil: 'load', timeout: TIMEOUT })).rejects.toMatchObject({
      code: 'NAVIGATION',
      message: expect.stringMatching(/started a download/) as string,
    });
    await open('<button>Next</button>');
    expect(await textOf()).toContain('button "Next"');
  });
});

test('snapshot() reads a document that is rewritten every 10 ms', async () => {
  await open('<!doctype html><title>Rewritten</title><body>');
  await browser.page.evaluate(
    `{ let time = 0; globalThis.ticking = setInterval(() => {
         if (time > 200) return clearInterval(globalThis.ticking);
         time += 1; document.open(); document.write('<h1>Time ' + time + '</h1><p>' + 'long words '.repeat(5000) + '</p><button>Stop</button>'); document.close(); }, 10); } 0`,
  );
  for (let time = 0; time < 15; time += 1) {
    const { text } = await browser.page.snapshot({ timeout: TIMEOUT });
    expect(text).toMatch(/^$|button "Stop"/);
    expect(tokensIn(text)).toBeLessThanOrEqual(6500 * 1.2);
  }
  expect(await textOf()).toMatch(/heading 1 "Time \d+"/);
});

test('snapshot() reads a page whose frames are replaced every 15 ms', async () => {
  const { server, page } = browser;
  server.page('/part', `<h2>Part</h2><p>${WORDS}</p>`);
  await open('<!doctype html><title>Frames</title><body><button>Here</button><div id="place"></div>');
  await page.evaluate(
    `{ let time = 0; const place = document.querySelector('#place'); globalThis.ticking = setInterval(() => {
         if (time > 100) return clearInterval(globalThis.ticking);
         time += 1; const frame = document.createElement('iframe'); frame.src = (time % 2 ? ${JSON.stringify(server.otherOrigin)} : '') + '/part';
         place.append(frame); if (place.children.length > 3) place.firstChild.remove(); }, 15); } 0`,
  );
  for (let time = 0; time < 12; time += 1) {
    const { text } = await page.snapshot({ timeout: TIMEOUT });
    expect(text).toContain('button "Here"');
    expect(tokensIn(text)).toBeLessThanOrEqual(6500 * 1.2);
  }
});

/** A PDF document of one page with one line of text. */
function pdf(): Buffer {
  const stream = deflateSync('BT /F1 24 Tf 40 100 Td (Words in a PDF) Tj ET');
  const head =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n';
  const page =
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n';
  const begin = `4 0 obj<</Length ${stream.length}/Filter/FlateDecode>>stream\n`;
  return Buffer.concat([
    Buffer.from(head + page + begin),
    stream,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  ]);
}
