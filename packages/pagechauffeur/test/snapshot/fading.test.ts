import { expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

/** Animations that show nothing of what they begin with until they are over, a while after the snapshot. */
const keyframes = `@keyframes in { from { opacity: 0 } to { opacity: 1 } } @keyframes out { from { opacity: 1 } to { opacity: 0 } }
  @keyframes start { from { opacity: 0 } } @keyframes gone { from, to { opacity: 0 } }`;
const late = '2900ms steps(1, end)';

async function textOf(body: string): Promise<string> {
  const html = `<!doctype html><title>Fading</title><style>${keyframes}</style><body><p>The page</p>${body}`;
  await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
  // Animations that follow the scroll position start with the first frame.
  await browser.page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  return (await browser.page.snapshot()).text;
}

/** A block whose words its style or a script lets appear. */
function words(style: string, script = ''): string {
  const run = script && `<script>{ const words = document.querySelector('#words'); ${script} }</script>`;
  return `<style>#words { ${style} }</style><div id="words">Words</div>${run}`;
}

function inShadow(content: string): string {
  return `<section><template shadowrootmode="open"><style>${keyframes}</style>${content}</template><b>Words</b></section>`;
}

test.each([
  ['a CSS animation', words(`animation: in ${late}`)],
  ['a CSS animation with only a `from` keyframe', words(`animation: start ${late}`)],
  ['a CSS animation with `forwards`', words(`opacity: 0; animation: in ${late} forwards`)],
  ['a script animation', words('', `words.animate({ opacity: [0, 1] }, { duration: 2900, easing: 'steps(1)' })`)],
  [
    'a script animation with only a start keyframe',
    words('', `words.animate([{ opacity: 0, offset: 0 }], { duration: 2900, easing: 'steps(1)' })`),
  ],
  [
    'a transition',
    words(
      `transition: opacity ${late}; &:not(.on) { opacity: 0 }`,
      `getComputedStyle(words).opacity; words.className = 'on'`,
    ),
  ],
  ['the scrolling of the page', words('animation: in linear both; animation-timeline: scroll()')],
  [
    'coming into view',
    words('margin-top: 2000px; animation: in linear both; animation-timeline: view(); animation-range: entry'),
  ],
  ['a transition from `@starting-style`', words(`transition: opacity ${late}; @starting-style { opacity: 0 }`)],
  ['an animation in a shadow tree', inShadow(`<div style="animation: in ${late}">Words</div>`)],
  ['an animation around a slot', inShadow(`<div style="animation: in ${late}"><slot></slot></div>`)],
  [
    'an animation around a shadow tree',
    `<div style="animation: in ${late}"><section><template shadowrootmode="open">Words</template></section></div>`,
  ],
])('includes text that fades in by %s', async (_what, body) => {
  expect(await textOf(body)).toContain('Words');
});

test.each([
  ['that returns to opacity 0', words(`opacity: 0; animation: in ${late}`)],
  ['that returns to an inline opacity of 0', `<div style="opacity: 0; animation: in ${late}">Words</div>`],
  [
    'that returns to the opacity 0 of a nested rule',
    `<main>${words(`main & { opacity: 0 } animation: in ${late}`)}</main>`,
  ],
  ['that an `!important` rule overrides', words(`opacity: 0 !important; animation: in ${late} forwards`)],
  ['that another animation overrides', words(`animation: in ${late}, gone 2s infinite`)],
  [
    'that shows it at no scroll position',
    words('margin-bottom: 3000px; animation: gone linear both; animation-timeline: scroll()'),
  ],
  ['that takes 60 s', words('animation: in 60s steps(1, end)')],
  ['with a playback rate of 0.01', words(`animation: in ${late}`, 'words.getAnimations()[0].playbackRate = 0.01')],
  [
    'that adds 0 to its opacity of 0',
    words('opacity: 0', `words.animate({ opacity: [0, 0] }, { duration: 2900, composite: 'add' })`),
  ],
])('omits text with an animation %s', async (_what, body) => {
  const text = await textOf(body);
  expect(text).toContain('The page');
  expect(text).not.toContain('Words');
});

test('omits transparent text inside an element that fades in', async () => {
  const text = await textOf(
    `<style>.none { opacity: 0 }</style><div style="animation: in ${late}"><p>Shown</p><p class="none">Words</p><ul><li>Item <b class="none">Words</b></ul></div>`,
  );
  expect(text).toContain('Shown');
  expect(text).not.toContain('Words');
});

test('omits text that a script fades out in a shadow tree', async () => {
  const fading = `const words = document.querySelector('section').shadowRoot.querySelector('div'); getComputedStyle(words).opacity; words.style.opacity = 0`;
  const text = await textOf(
    `<section><template shadowrootmode="open"><div style="transition: opacity 2900ms steps(1, end)">Words</div></template></section><script>{ ${fading} }</script>`,
  );
  expect(text).toContain('The page');
  expect(text).not.toContain('Words');
});

test('omits an element that a script faded out until the script shows it again', async () => {
  const read = async (): Promise<string> => (await browser.page.snapshot()).text;
  const fading = `const part = document.querySelector('#part'); getComputedStyle(part).opacity; part.style.opacity = 0`;
  const text = await textOf(
    `<div id="part" style="transition: opacity 2900ms steps(1, end)"><button>Save</button></div><script>{ ${fading} }</script>`,
  );
  expect(text).not.toContain('Save');
  const finish = `for (const fade of part.getAnimations()) fade.finish(); getComputedStyle(part).opacity`;
  expect(await browser.page.evaluate(finish)).toBe('0');
  expect(await read()).not.toContain('Save');
  await browser.page.evaluate(`part.style.opacity = 1; for (const fade of part.getAnimations()) fade.finish()`);
  expect(await read()).toContain('button "Save"');
});
