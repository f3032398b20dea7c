import { describe, expect, test } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();
const words = '<p class="words">Words behind</p>';
const box = (style: string, content = 'In front'): string => `<div style="${style}">${content}</div>`;
const over = 'position: absolute; left: 0; top: 0; width: 500px; height: 200px';
const full = 'position: fixed; inset: 0';
const tall = '<div style="height: 3000px"></div>';

async function textOf(body: string): Promise<string> {
  const html = `<!doctype html><title>Covered</title><style>p { margin: 0 }</style><body>${body}<p style="margin-top: 400px">The end</p>`;
  await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
  return (await browser.page.snapshot({ tokenBudget: Infinity })).text;
}

const bare = 'position: absolute; left: 0; top: 0; width: 500px; height: 200px';
const picture = (fill: string): string =>
  `<img alt="In front" style="${bare}" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Crect width='9' height='9' fill='${fill}'/%3E%3C/svg%3E">`;
const canvas = (width: number): string =>
  `<canvas width="500" height="200" style="${bare}"></canvas><script>{ const paint = document.querySelector('canvas').getContext('2d'); paint.fillStyle = 'white'; paint.fillRect(0, 0, ${width}, 200) }</script>`;
const frameOf = (background: string): string =>
  `<iframe style="${bare}; border: 0" srcdoc="<body style='background: ${background}'>"></iframe>`;
const half = (left: number, width: number): string =>
  box(`position: absolute; left: ${left}px; top: 0; width: ${width}px; height: 200px; background: #fff`);
const generated = (rule: string): string =>
  `<style>section { position: relative } section::after { content: ''; position: absolute; inset: 0; ${rule} }</style><section>${words}</section>`;

/** Pages where something that nothing is seen through lies over words. */
const hidden: readonly (readonly [what: string, body: string])[] = [
  ['a box after them', words + box(`${over}; background: #fff`)],
  ['a box before them, which is raised', box(`${over}; background: #fff; z-index: 1`) + words],
  ['a box that lets clicks through', words + box(`${over}; background: #fff; pointer-events: none`)],
  ['a box with round corners', words + box(`${over}; background: #fff; border-radius: 10px; top: -20px; left: -20px`)],
  [
    'a box far down in the page',
    `${tall}<section style="position: relative">${words}${box(`${over}; background: #fff`)}</section>`,
  ],
  ['a layer over all of the viewport', words + box(`${full}; background: #999`)],
  ['a layer over all of the viewport, words further down', tall + words + box(`${full}; background: #999`)],
  ['a part that was moved up', words + box('position: relative; top: -100px; height: 150px; background: #fff')],
  [
    'a part with a negative margin',
    words + box('position: relative; margin-top: -100px; height: 150px; background: #fff'),
  ],
  [
    'a part that is transformed',
    words + box('position: relative; transform: translateY(-100px); height: 150px; background: #fff'),
  ],
  [
    'what they stand in',
    `<main style="background: #fff"><div style="position: relative; z-index: -1">${words}</div></main>`,
  ],
  [
    'a box over a part that scrolls',
    `<div style="height: 90px; overflow: auto; width: 300px">${words}${tall}</div>${box(`${over}; background: #fff`)}`,
  ],
  [
    'a box over words in a shadow root',
    `<section><template shadowrootmode="open">${words}</template></section>${box(`${over}; background: #fff`)}`,
  ],
  [
    'a box in a closed shadow root',
    `${words}<section><template shadowrootmode="closed">${box(`${over}; background: #fff`)}</template></section>`,
  ],
  ['a box in a colour that is not written in red, green and blue', words + box(`${over}; background: oklch(1 0 0)`)],
  ['a box with a gradient', words + box(`${over}; background: linear-gradient(#fff, #eee)`)],
  ['a button', `${words}<button style="${over}; background: #fff">In front</button>`],
  [
    'a part that is moved and not positioned',
    words + box('transform: translateY(-100px); height: 150px; background: #fff'),
  ],
  [
    'a part that a style sheet moves and does not position',
    `<style>.over { transform: translateY(-100px); height: 150px; background: #fff }</style>${words}<ul class="over"><li>In front</ul>`,
  ],
  [
    'a box after many small ones',
    words +
      box('position: absolute; top: 500px; width: 41px; height: 11px; background: #eee').repeat(320) +
      box(`${over}; background: #fff`),
  ],
  [
    'a list that a style sheet has put there',
    `<style>.over { ${over}; margin: 0; background: #fff }</style>${words}<ul class="over"><li>In front</ul>`,
  ],
  [
    'a part that a shadow tree has put there',
    `${words}<section><template shadowrootmode="open"><style>::slotted(ul) { ${over}; margin: 0; background: #fff }</style><slot></slot></template><ul><li>In front</ul></section>`,
  ],
  [
    'a host that its own shadow tree has put there',
    `${words}<section><template shadowrootmode="open"><style>:host { ${over}; background: #fff }</style>In front</template></section>`,
  ],
  ['an opaque picture', words + picture('white')],
  ['an opaque drawing', words + canvas(500)],
  ['a frame with a background', words + frameOf('white')],
  ['what is generated after them', generated('background: #fff')],
  ['a thick border', words + box(`${bare}; box-sizing: border-box; border: 100px solid #fff`, '')],
  ['a thick outline', words + box('position: absolute; left: 100px; top: 90px; outline: 200px solid #fff', '')],
  ['an inset shadow', words + box(`${bare}; box-shadow: inset 0 0 0 200px #fff`, '')],
  [
    'the shadow of a box beside them',
    words +
      box('position: absolute; left: -300px; top: 0; width: 100px; height: 50px; box-shadow: 300px 0 0 100px #fff', ''),
  ],
  ['two boxes that meet', words + half(0, 40) + half(40, 400)],
  [
    'the backdrop of a dialog',
    `${words}<style>dialog::backdrop { background: #333 }</style><dialog>In front</dialog><script>document.querySelector('dialog').showModal()</script>`,
  ],
];

/** Pages that look alike, where the words are seen or come out by scrolling. */
const seen: readonly (readonly [what: string, body: string])[] = [
  ['a box with a gradient that is seen through', words + box(`${over}; background: linear-gradient(#fff, #fff8)`)],
  ['a picture that is seen through', words + picture('none')],
  ['a drawing over a part of them', words + canvas(20)],
  ['a frame without a background', words + frameOf('none')],
  ['a frame of another site', `${words}<iframe sandbox style="${bare}; border: 0" srcdoc="<body>"></iframe>`],
  ['what is generated behind them', generated('background: #fff; z-index: -1')],
  ['what is generated and seen through', generated('background: #fff8')],
  ['a border around them', words + box(`${bare}; border: 1px solid #fff`, '')],
  ['a thin inset shadow', words + box(`${bare}; box-shadow: inset 0 0 0 2px #fff`, '')],
  ['a soft inset shadow', words + box(`${bare}; box-shadow: inset 0 0 99px 20px #fff`, '')],
  ['a box with a shadow outside of it', words + box(`${bare}; box-shadow: 0 0 0 500px #fff`, '')],
  ['two boxes with a gap', words + half(0, 20) + half(60, 400)],
  ['a box with half of its colour', words + box(`${over}; background: rgba(0, 0, 0, 0.5)`)],
  ['a box that is half transparent', words + box(`${over}; background: #fff; opacity: 0.5`)],
  [
    'a half transparent backdrop',
    `${words}<dialog>In front</dialog><script>document.querySelector('dialog').showModal()</script>`,
  ],
  ['a box without a colour', words + box(over)],
  ['a box before them', box(`${over}; background: #eee`) + box('position: relative', words)],
  ['a box behind them', words + box(`${over}; background: #eee; z-index: -1`)],
  ['a box over half of them', words + box(`${over}; width: 30px; background: #fff`)],
  ['a box that is cut out', words + box(`${over}; background: #fff; clip-path: circle(5px)`)],
  ['a box that is turned', words + box(`${over}; background: #fff; transform: rotate(45deg)`)],
  [
    'a box that its holder cuts off',
    `${words}<div style="position: absolute; top: 0; left: 0; width: 500px; height: 5px; overflow: hidden">${box(`${over}; background: #fff`)}</div>`,
  ],
  [
    'a bar at the top',
    words + tall + box('position: fixed; top: 0; left: 0; right: 0; height: 100px; background: #fff'),
  ],
  ['a bar that sticks', box('position: sticky; top: 0; height: 50px; background: #fff') + words + tall],
  ['the box around them', box(`${over}; background: #eee`, words)],
  [
    'a box over a list that scrolls, but not over all of it',
    `<div style="height: 190px; overflow: auto; width: 300px">${words}${tall}</div>${box('position: absolute; left: 0; top: 0; width: 400px; height: 60px; background: #fff')}`,
  ],
  [
    'a raised part inside of a layer',
    box(`${full}; background: #fff`, `<div style="position: absolute">${words}</div>`),
  ],
  ['a layer that is not displayed', words + box(`${full}; background: #999; visibility: hidden`)],
];

describe('text that something opaque lies over', () => {
  test.each(hidden)('is not told: %s', async (_what, body) => {
    const text = await textOf(body);
    expect(text).toContain(body.includes('In front') ? 'In front' : 'The end');
    expect(text).not.toContain('Words behind');
  });

  test.each(seen)('is told where it can be seen: %s', async (_what, body) => {
    expect(await textOf(body)).toContain('Words behind');
  });
});

test('what can be acted on keeps its line and its ref under a cover, and is said to be covered', async () => {
  const text = await textOf(
    `<button>Save</button><input aria-label="Name">${words}${box(`${over}; background: #fff`, '<button>OK</button>')}`,
  );
  expect(text.split('\n')).toEqual([
    'e1 button "Save" covered',
    'e2 textbox "Name" covered',
    'e3 button "OK"',
    '- The end',
  ]);
});

test.each([
  ['image', picture('white')],
  ['box', box(`${bare}; background: #fff`)],
])('a link is not covered by the %s inside of it', async (_what, content) => {
  const text = await textOf(
    `<a href="/next" aria-label="Next" style="position: relative; display: block; width: 500px; height: 200px">${content}</a>`,
  );
  expect(text).toContain('link "Next"');
  expect(text).not.toContain('covered');
});

test('of a frame under a cover only what can be acted on is told', async () => {
  const frame = `<iframe width="200" height="100" srcdoc="<p>Words inside</p><button>Send</button>"></iframe>`;
  const text = await textOf(frame + box(`${over}; background: #fff`));
  expect(text.replace(/f\d+/, 'f1').split('\n')).toEqual([
    'e1 iframe covered',
    ' f1e1 button "Send"',
    '- In front',
    '- The end',
  ]);
});

test('what a cover hides comes back when the cover goes, and goes when it comes', async () => {
  expect(await textOf(words)).toContain('Words behind');
  const { page } = browser;
  await page.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<div id="cover" style="${full}; background: #fff">In front</div>')`,
  );
  expect((await page.snapshot()).text).toBe('- In front');
  await page.evaluate(`document.querySelector('#cover').style.opacity = '0.4'`);
  expect((await page.snapshot()).text).toContain('Words behind');
  await page.evaluate(`document.querySelector('#cover').style.opacity = '1'`);
  expect((await page.snapshot()).text).toBe('- In front');
  await page.evaluate(`document.querySelector('#cover').remove()`);
  expect((await page.snapshot()).text).toContain('Words behind');
});

test.each([
  ['below', 1, false],
  ['above', 5, true],
])('words that are moved under a box from a part beside it that is painted %s it', async (_where, z, isSeen) => {
  const beside = `<div style="position: absolute; top: 300px; z-index: ${z}"><div style="overflow: visible"><p style="position: relative; top: -280px; z-index: 9">Words behind</p></div></div>`;
  const text = await textOf(box(`${over}; background: #fff; z-index: 3`) + beside);
  expect(text.includes('Words behind')).toBe(isSeen);
});
