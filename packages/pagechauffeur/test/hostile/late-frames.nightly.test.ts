import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../src/index.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';
import { succeeds } from './succeeds.ts';

const browser = useBrowser();
/** Another origin of the same site, whose frames live in the page's process. */
let neighbour: TestServer;

beforeAll(async () => {
  neighbour = await serve();
});
afterAll(() => neighbour?.close());

const timeout = 500;
const TEXT = 'q7Wz kJ';

/** The calls that put `TEXT` into `#field`. */
const CALLS = {
  fill: (page: Page) => page.locator('#field').fill(TEXT, { timeout }),
  type: (page: Page) => page.locator('#field').type(TEXT, { timeout }),
  'keyboard.type': async (page: Page) => {
    await page.locator('#field').focus();
    await page.keyboard.type(TEXT, { timeout, delay: 15 });
  },
};

const THIEF = `<!doctype html><input id="loot"><script>
  window.heard = '';
  for (const type of ['keydown', 'beforeinput', 'input'])
    addEventListener(type, ({ key, data }) => { heard += key ?? data; }, true);
  setInterval(() => { focus(); loot.focus(); }, 9);
</script>`;

const shop = (moment: string, frame: object): string => `<!doctype html><title>Shop</title><input id="field"><script>
  field.addEventListener('${moment}', () => {
    const frame = document.createElement('iframe');
    Object.assign(frame, ${JSON.stringify(frame).replaceAll('</', String.raw`<\/`)});
    document.body.append(frame);
    setInterval(() => frame.focus(), 9);
  }, { once: true });
</script>`;

describe.each([
  ['of the same process', () => ({ src: `${neighbour.origin}/thief` })],
  ['of another process', () => ({ src: `${browser.server.otherOrigin}/thief` })],
  ['with `srcdoc` in a sandbox', () => ({ sandbox: 'allow-scripts', srcdoc: THIEF })],
])('frame %s', (_place, frame) => {
  test.each<readonly [moment: string, calls: readonly (keyof typeof CALLS)[]]>([
    ['focus', ['fill', 'type', 'type']],
    // Once the frame has the focus it is what the keyboard types into.
    ['keydown', ['fill', 'type', 'keyboard.type']],
    ['input', ['keyboard.type']],
    ['keyup', ['keyboard.type']],
  ])('a new frame receives no key when the page adds it on %s', async (moment, calls) => {
    const { page, server } = browser;
    for (const target of [neighbour, server]) target.page('/thief', THIEF);
    for (const call of calls) {
      await page.goto(server.page('/shop', shop(moment, frame())), { waitUntil: 'load' });
      const isDone = await succeeds(CALLS[call](page), 'LOCATOR', 'TIMEOUT');
      const held = await page.locator('#field').inputValue();
      expect(held, call).toBe(isDone ? TEXT : TEXT.slice(0, held.length));
      await page.waitForSelector('iframe >> #loot');
      expect(await page.frames()[1]?.evaluate('heard + loot.value'), call).toBe('');
    }
  });
});
