import { beforeAll, describe, expect, it } from 'vitest';
import { Progress } from '../../src/util/progress.ts';
import type { Snapshot, SnapshotOptions } from '../../src/snapshot/snapshot.ts';
import { takeSnapshot } from '../../src/snapshot/take-snapshot.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';

/** Elements that nobody asks for: reading them would be seen by their number. */
const BULK = '<p>bulk <b>bulk</b></p>'.repeat(200);

const PAGE = (far: string): string => `<!doctype html><title>Page</title>
  <nav><a href="/a">Navigation</a>${BULK}</nav>
  <main><h1>Heading</h1><p class="ad">Advertisement</p><div id="open"></div><div id="closed"></div></main>
  <iframe id="near" title="Near" src="/near"></iframe>
  <iframe id="far" title="Far" src="${far}/far"></iframe>
  <script>
    const fill = (host, mode, word) => {
      host.attachShadow({ mode }).innerHTML = '<section><button>' + word + ' button</button><p class="ad">' + word + ' ad</p></section>';
    };
    fill(document.getElementById('open'), 'open', 'Open');
    fill(document.getElementById('closed'), 'closed', 'Closed');
  </script>`;

const frameWith = (word: string): string => `<!doctype html><title>${word}</title>
  <header>${word} header ${BULK}</header><main><button>${word} button</button><p class="ad">${word} ad</p></main>`;

const model = new ScriptedModel(() => ({ extraction: 'x' }));
const browser = useBrowser({ llmClient: model });

beforeAll(async () => {
  browser.server.page('/', PAGE(browser.server.otherOrigin));
  browser.server.page('/near', frameWith('Near'));
  browser.server.page('/far', frameWith('Far'));
  await browser.page.goto(browser.server.origin, { waitUntil: 'load' });
});

async function snapshotOf(options: SnapshotOptions): Promise<Snapshot> {
  using progress = new Progress({ operation: 'snapshot', timeout: 10_000 });
  return await takeSnapshot(progress, browser.page.target, options);
}

describe('selector', () => {
  // [spec: observe-options.selector, extract-options.selector]
  it.each<[selector: string, lines: readonly string[]]>([
    ['main > h1', ['heading 1 "Heading"']],
    ['xpath=/html/body/main/h1', ['heading 1 "Heading"']],
    ['//main/h1', ['heading 1 "Heading"']],
    ['#open >> section', ['button "Open button"', '- Open ad']],
    ['#closed >> section', ['button "Closed button"', '- Closed ad']],
    ['#near >> main', ['main', 'button "Near button"', '- Near ad']],
    ['#far >> main', ['main', 'button "Far button"', '- Far ad']],
    ['xpath=/html[1]/body[1]/iframe[2]/html[1]/body[1]/main[1]/button[1]', ['button "Far button"']],
  ])('%s limits the snapshot and the visited elements to its matches', async (selector, lines) => {
    const { text, elementCount } = await snapshotOf({ selector });
    expect(text.split('\n').map((line) => line.trim().replace(/^(f\d+)?e\d+ /, ''))).toEqual(lines);
    expect(elementCount).toBeLessThan(10);
  });

  it.each(['#near', '#far'])('%s selects a frame with its content', async (selector) => {
    const { text, elementCount } = await snapshotOf({ selector });
    expect(text).toContain(`${selector === '#near' ? 'Near' : 'Far'} button`);
    expect(text).not.toContain(selector === '#near' ? 'Far button' : 'Near button');
    expect(elementCount).toBeLessThan(600);
  });

  // [spec: errors.ContentFrameNotFoundError, errors.DriverShadowRootMissingError, errors.XPathResolutionError]
  // [spec: errors.DriverElementNotFoundError]
  it.each<[selector: string, name: string, word: string]>([
    ['main >> frame=content >> p', 'ContentFrameNotFoundError', '<main> is not a frame'],
    ['xpath=/html[1]/body[1]/nav[1]//section[1]', 'DriverShadowRootMissingError', 'enters a shadow root'],
    ['xpath=/html[1]/body[1]/form[1]', 'XPathResolutionError', 'matches no element'],
    ['xpath=//main[', 'XPathResolutionError', 'xpath=//main['],
    ['#near >> form', 'DriverElementNotFoundError', '#near >> form'],
    ['main[', 'DriverInvalidArgumentError', 'main['],
  ])('observe() and extract() reject %s with %s', async (selector, name, word) => {
    const error = { name, message: expect.stringContaining(word) as string };
    const calls = [browser.driver.observe({ selector }), browser.driver.extract({ selector })];
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(error)));
  });

  it('extract() sends the model only the selected part, also inside a frame', async () => {
    await browser.driver.extract('the button', undefined, { selector: '#far >> main', ignoreSelectors: ['.ad'] });
    const { page } = model.requests[0] ?? {};
    expect(page?.text).toMatch(/^main\n f\d+e\d+ button "Far button"$/);
  });
});

describe('ignoreSelectors', () => {
  const words = [
    'Navigation',
    'Heading',
    'Advertisement',
    'Open button',
    'Open ad',
    'Closed button',
    'Closed ad',
    'Near header',
    'Near button',
    'Near ad',
    'Far header',
    'Far button',
    'Far ad',
  ];
  const ads = ['Advertisement', 'Open ad', 'Closed ad', 'Near ad', 'Far ad'];

  // [spec: observe-options.ignoreSelectors, extract-options.ignoreSelectors]
  it.each<[selectors: readonly string[], without: readonly string[]]>([
    [[], []],
    [['.ad'], ads],
    [
      ['nav', '.ad'],
      ['Navigation', ...ads],
    ],
    [['//nav'], ['Navigation']],
    [['xpath=/html/body/main'], words.slice(1, 7)],
    [['xpath=/html[1]/body[1]/main[1]'], words.slice(1, 7)],
    [['/html/body/header'], ['Near header', 'Far header']],
    [['xpath=/html[1]/body[1]/header[1]'], []],
    [['//main/p'], ['Advertisement', 'Near ad', 'Far ad']],
    [['xpath=//p[@class="ad"]'], ads],
    [['//section//button'], ['Open button', 'Closed button']],
    [['(//p[@class="ad"])[1]'], ['Advertisement', 'Near ad', 'Far ad']],
    [['//*[@id="closed"]//p'], ['Closed ad']],
    [['//iframe[@id="far"]/html/body/main/p'], ['Far ad']],
    [['#near'], words.slice(7, 10)],
    [['iframe'], words.slice(7)],
    [['#near >> .ad'], ['Near ad']],
    [
      ['#far >> .ad', '#far >> header'],
      ['Far ad', 'Far header'],
    ],
    [['xpath=/html[1]/body[1]/iframe[2]/html[1]/body[1]/main[1]'], ['Far button', 'Far ad']],
    [['#far >> frame=content'], words.slice(10)],
    [['#open >> .ad'], ['Open ad']],
    [['#closed >> section'], ['Closed button', 'Closed ad']],
    [['.nothing', '#none >> p', '//aside'], []],
  ])('%j removes all matches', async (ignoreSelectors, without) => {
    const { text } = await snapshotOf({ ignoreSelectors });
    expect(words.filter((word) => !text.includes(word))).toEqual(
      without.toSorted((a, b) => words.indexOf(a) - words.indexOf(b)),
    );
  });

  it.each<[selectors: readonly string[], most: number]>([
    [['nav', 'header'], 60],
    [['nav', '#near >> header', '#far >> header'], 60],
    [['nav', 'iframe'], 30],
  ])('%j keeps the matches from being visited', async (ignoreSelectors, most) => {
    expect((await snapshotOf({})).elementCount).toBeGreaterThan(1200);
    expect((await snapshotOf({ ignoreSelectors })).elementCount).toBeLessThan(most);
  });

  it.each(['div[', '#near >> div['])('observe() rejects %j and names it', async (selector) => {
    await expect(browser.driver.observe({ ignoreSelectors: ['nav', selector] })).rejects.toMatchObject({
      name: 'DriverInvalidArgumentError',
      argument: 'ignoreSelectors',
      message: expect.stringContaining(selector) as string,
    });
  });

  it.each(['//p[', 'xpath=//p[foo(]', '#near >> xpath=//p['])(
    'observe() and extract() reject the XPath in %j and name it',
    async (selector) => {
      for (const call of [
        browser.driver.observe({ ignoreSelectors: ['nav', selector] }),
        browser.driver.extract({ ignoreSelectors: ['nav', selector] }),
      ])
        await expect(call).rejects.toMatchObject({
          name: 'XPathResolutionError',
          xpath: selector,
          message: expect.stringContaining('ignoreSelectors') as string,
        });
    },
  );
});
