import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';
import { advert, type Theft, THEFTS, THEFTS_FROM_FIELDS, tryToSteal } from './focus-thieves.ts';
import { succeeds } from './succeeds.ts';

const browser = useBrowser();
/** Another origin of the same site, whose frames live in the page's process. */
let neighbour: TestServer;

beforeAll(async () => {
  neighbour = await serve();
});
afterAll(() => neighbour?.close());

const TRIES = 1;
/** All moments of a frame that runs beside the page; one of those whose scripts take turns with the page's. */
const USUAL: Readonly<Record<Theft['place'], readonly Theft['moment'][]>> = {
  'the page itself': ['keydown'],
  'a frame of the same process': [11],
  'a frame of another process': [11, 'each frame', 'keydown'],
};

test.each(THEFTS.filter(({ typing, place, moment }) => USUAL[place].includes(moment) && typing !== 'locator.press'))(
  '$typing sends no key to $place that takes the focus ($moment)',
  async (theft) => {
    neighbour.page('/advert', advert(theft));
    browser.server.page('/advert', advert(theft));
    const spoils = await tryToSteal(browser, neighbour.origin, { ...theft, tries: TRIES });
    expect(spoils).toMatchObject({ heard: '', wrong: 0 });
  },
);

test.each(
  THEFTS_FROM_FIELDS.filter(
    ({ typing, moment, place, field }) =>
      (typing === 'locator.type' || (typing === 'locator.fill' && field === 'an editor')) &&
      moment === 'keydown' &&
      place === 'a frame of another process',
  ),
)('$typing into $field sends no key to $place that takes the focus ($moment)', async (theft) => {
  browser.server.page('/advert', advert(theft));
  const spoils = await tryToSteal(browser, neighbour.origin, { ...theft, tries: TRIES });
  expect(spoils).toMatchObject({ heard: '', wrong: 0 });
});

test.each([
  ['the same process', () => neighbour.origin],
  ['another process', () => browser.server.otherOrigin],
])('page.type() sends no key to a frame of %s that takes the focus', async (_title, origin) => {
  const { page, server } = browser;
  const html = `<!doctype html><input id="loot"><script>
    window.heard = '';
    addEventListener('keydown', ({ key }) => { heard += key; }, true);
    onmessage = () => setInterval(() => loot.focus(), 20);
  </script>`;
  neighbour.page('/begins', html);
  server.page('/begins', html);
  const shop = `<!doctype html><input id="field" autofocus><iframe src="${origin()}/begins"></iframe><script>
    field.addEventListener('input', () => frames[0].postMessage(1, '*'), { once: true });
  </script>`;
  await page.goto(server.page('/shop', shop), { waitUntil: 'load' });
  const text = 'typed key by key';
  await page.locator('#field').focus();
  // On a busy machine the field may lose the focus each time; then the call fails, and what it holds is a beginning of the text.
  const isDone = await succeeds(page.type(text, { delay: 5 }), 'LOCATOR');
  await expectTyped(text, isDone);
  expect(await page.frames()[1]?.evaluate('heard + loot.value')).toBe('');
});

test('type() rejects with the number of typed characters when it cannot keep the focus', async () => {
  const { page, server } = browser;
  const html = '<!doctype html><input id="field" onkeydown="loot.focus()"><input id="loot">';
  await page.goto(server.page('/keeps', html), { waitUntil: 'load' });
  await expect(page.locator('#field').type('secret')).rejects.toThrow(
    /Cannot type into #field: .* 0 of 6 characters were typed, and nothing more was sent\./,
  );
  expect(await page.evaluate('field.value + loot.value')).toBe('');
});

test('press() rejects when the page takes the focus on every key', async () => {
  const { page, server } = browser;
  const html = '<!doctype html><input id="field" onkeydown="loot.focus()"><input id="loot">';
  await page.goto(server.page('/takes', html), { waitUntil: 'load' });
  await expect(page.locator('#field').press('k')).rejects.toThrow(
    /Cannot press k on #field: .* nothing more was sent\./,
  );
  expect(await page.evaluate('field.value + loot.value')).toBe('');
});

test('type() sends no key to a frame that the page adds during a key event', async () => {
  const { page, server } = browser;
  const html = `<!doctype html><input id="field"><script>
    field.addEventListener('keyup', () => {
      document.querySelector('iframe')?.remove();
      const frame = document.body.appendChild(document.createElement('iframe'));
      window.loot = frame.contentDocument.body.appendChild(frame.contentDocument.createElement('input'));
      frame.contentWindow.addEventListener('keydown', ({ key }) => { window.heard = (window.heard ?? '') + key; }, true);
      loot.focus();
    });
  </script>`;
  await page.goto(server.page('/makes', html), { waitUntil: 'load' });
  const isDone = await succeeds(page.locator('#field').type('secret'), 'LOCATOR');
  expect(await page.evaluate('(window.heard ?? "") + loot.value')).toBe('');
  await expectTyped('secret', isDone);
});

/** Expects that `#field` holds the text or, if the call failed, a beginning of it. */
async function expectTyped(text: string, isDone: boolean): Promise<void> {
  const held = await browser.page.locator('#field').inputValue();
  expect(held).toBe(isDone ? text : text.slice(0, held.length));
}
