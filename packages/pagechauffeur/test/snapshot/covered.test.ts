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

/** Pages on which an opaque box covers the words. */
const hidden: readonly (readonly [what: string, body: string])[] = [
  ['a later box', words + box(`${over}; background: #fff`)],
  ['an earlier box with a higher z-index', box(`${over}; background: #fff; z-index: 1`) + words],
  ['a box with `pointer-events: none`', words + box(`${over}; background: #fff; pointer-events: none`)],
  ['a box with round corners', words + box(`${over}; background: #fff; border-radius: 10px; top: -20px; left: -20px`)],
  [
    'a box far down in the page',
    `${tall}<section style="position: relative">${words}${box(`${over}; background: #fff`)}</section>`,
  ],
  ['a layer over the whole viewport', words + box(`${full}; background: #999`)],
  ['a layer over the whole viewport, with the text further down', tall + words + box(`${full}; background: #999`)],
  ['a block moved up by `top`', words + box('position: relative; top: -100px; height: 150px; background: #fff')],
  [
    'a block with a negative margin',
    words + box('position: relative; margin-top: -100px; height: 150px; background: #fff'),
  ],
  [
    'a transformed and positioned block',
    words + box('position: relative; transform: translateY(-100px); height: 150px; background: #fff'),
  ],
  [
    'the background of its container',
    `<main style="background: #fff"><div style="position: relative; z-index: -1">${words}</div></main>`,
  ],
  [
    'a box over a scroller',
    `<div style="height: 90px; overflow: auto; width: 300px">${words}${tall}</div>${box(`${over}; background: #fff`)}`,
  ],
  [
    'a box over a shadow root',
    `<section><template shadowrootmode="open">${words}</template></section>${box(`${over}; background: #fff`)}`,
  ],
  [
    'a box in a closed shadow root',
    `${words}<section><template shadowrootmode="closed">${box(`${over}; background: #fff`)}</template></section>`,
  ],
  ['a box with an `oklch()` color', words + box(`${over}; background: oklch(1 0 0)`)],
  ['a box with an opaque gradient', words + box(`${over}; background: linear-gradient(#fff, #eee)`)],
  [
    'a box with a gradient of its size',
    words + box(`${over}; background: linear-gradient(#fff, #eee) 0 0 / 100% 100%`),
  ],
  [
    'a box with a rectangular polygon',
    words + box(`${over}; background: #fff; clip-path: polygon(0 0, 100% 0, 100% 99px, 0 99px)`),
  ],
  ['a box that keeps the depth of its content', words + box(`${over}; background: #fff; transform-style: preserve-3d`)],
  ['a box with perspective for its content', words + box(`${over}; background: #fff; perspective: 100px`)],
  ['a button', `${words}<button style="${over}; background: #fff">In front</button>`],
  ['a block that `translate` moves', words + box('translate: 0 -100px; height: 150px; background: #fff')],
  [
    'a block that a style sheet enlarges by `scale`',
    `<style>.over { scale: 1 9; height: 60px; background: #fff }</style>${words}<div class="over"></div>`,
  ],
  ['a box turned upside down', words + box(`${over}; background: #fff; transform: rotate(180deg)`)],
  [
    'a box turned by a right angle',
    words + box('position: absolute; left: 0; top: 0; width: 400px; height: 400px; background: #fff; rotate: 90deg'),
  ],
  ['a box moved towards the viewer', words + box(`${over}; background: #fff; transform: translateZ(1px)`)],
  [
    'a box moved towards the viewer, with its own perspective',
    words + box(`${over}; background: #fff; transform: perspective(500px) translateZ(9px)`),
  ],
  [
    'a float with a negative right margin',
    box('float: left; position: relative; width: 400px; height: 90px; margin-right: -400px; background: #fff') + words,
  ],
  [
    'a block with a negative bottom margin',
    box('position: relative; z-index: 1; height: 90px; margin-bottom: -90px; background: #fff') + words,
  ],
  [
    'a box, in an element without a box',
    `<div style="display: contents">${words}</div>${box(`${over}; background: #fff`)}`,
  ],
  [
    'a box beside its slot',
    `<section><template shadowrootmode="open"><slot></slot>${box(`${over}; background: #fff`)}</template>Words behind</section>`,
  ],
  ['a transformed block', words + box('transform: translateY(-100px); height: 150px; background: #fff')],
  [
    'a block that a style sheet transforms',
    `<style>.over { transform: translateY(-100px); height: 150px; background: #fff }</style>${words}<ul class="over"><li>In front</ul>`,
  ],
  [
    'a box after 320 small ones',
    words +
      box('position: absolute; top: 500px; width: 41px; height: 11px; background: #eee').repeat(320) +
      box(`${over}; background: #fff`),
  ],
  [
    'a list that a style sheet positions',
    `<style>.over { ${over}; margin: 0; background: #fff }</style>${words}<ul class="over"><li>In front</ul>`,
  ],
  [
    'a slotted list that `::slotted()` positions',
    `${words}<section><template shadowrootmode="open"><style>::slotted(ul) { ${over}; margin: 0; background: #fff }</style><slot></slot></template><ul><li>In front</ul></section>`,
  ],
  [
    'a host that `:host` positions',
    `${words}<section><template shadowrootmode="open"><style>:host { ${over}; background: #fff }</style>In front</template></section>`,
  ],
  ['an opaque image', words + picture('white')],
  ['an opaque canvas', words + canvas(500)],
  ['a frame with a background', words + frameOf('white')],
  ['an opaque `::after` layer', generated('background: #fff')],
  ['a thick border', words + box(`${bare}; box-sizing: border-box; border: 100px solid #fff`, '')],
  ['a thick outline', words + box('position: absolute; left: 100px; top: 90px; outline: 200px solid #fff', '')],
  ['an inset shadow', words + box(`${bare}; box-shadow: inset 0 0 0 200px #fff`, '')],
  [
    'the shadow of a box beside it',
    words +
      box('position: absolute; left: -300px; top: 0; width: 100px; height: 50px; box-shadow: 300px 0 0 100px #fff', ''),
  ],
  ['two adjacent boxes', words + half(0, 40) + half(40, 400)],
  [
    'an opaque dialog backdrop',
    `${words}<style>dialog::backdrop { background: #333 }</style><dialog>In front</dialog><script>document.querySelector('dialog').showModal()</script>`,
  ],
];

/** Pages that look alike, where the words are seen or come out by scrolling. */
const seen: readonly (readonly [what: string, body: string])[] = [
  ['a box with a translucent gradient', words + box(`${over}; background: linear-gradient(#fff, #fff8)`)],
  [
    'a box with a small gradient',
    words + box(`${over}; background: linear-gradient(#fff, #eee) no-repeat 0 0 / 9px 100%`),
  ],
  ['a box with a triangular polygon', words + box(`${over}; background: #fff; clip-path: polygon(0 0, 0 9px, 9px 0)`)],
  [
    'a box with a polygon like a bow tie',
    words + box(`${over}; background: #fff; clip-path: polygon(0 0, 100% 100%, 100% 0, 0 100%)`),
  ],
  [
    'a box with a polygon beside the words',
    words + box(`${over}; background: #fff; clip-path: polygon(0 99px, 100% 99px, 100% 100%, 0 100%)`),
  ],
  ['a box in a clipped container', words + box('clip-path: inset(150px 0 0)', box(`${over}; background: #fff`))],
  [
    'an `::after` layer of a clipped box',
    `${words}${box('position: absolute; top: 0; width: 500px; height: 200px; clip-path: inset(150px 0 0)', generated('background: #fff; height: 200px').replace(words, ''))}`,
  ],
  ['a transparent image', words + picture('none')],
  ['a canvas painted over a part of it', words + canvas(20)],
  ['a frame without a background', words + frameOf('none')],
  ['a sandboxed frame', `${words}<iframe sandbox style="${bare}; border: 0" srcdoc="<body>"></iframe>`],
  ['an `::after` layer behind it', generated('background: #fff; z-index: -1')],
  ['a translucent `::after` layer', generated('background: #fff8')],
  ['a border around it', words + box(`${bare}; border: 1px solid #fff`, '')],
  ['a thin inset shadow', words + box(`${bare}; box-shadow: inset 0 0 0 2px #fff`, '')],
  ['a soft inset shadow', words + box(`${bare}; box-shadow: inset 0 0 99px 20px #fff`, '')],
  ['a box with only an outer shadow', words + box(`${bare}; box-shadow: 0 0 0 500px #fff`, '')],
  ['two boxes with a gap', words + half(0, 20) + half(60, 400)],
  ['a box with a half-transparent color', words + box(`${over}; background: rgba(0, 0, 0, 0.5)`)],
  ['a box with opacity 0.5', words + box(`${over}; background: #fff; opacity: 0.5`)],
  [
    'the default dialog backdrop',
    `${words}<dialog>In front</dialog><script>document.querySelector('dialog').showModal()</script>`,
  ],
  ['a box without a background', words + box(over)],
  ['an earlier box', box(`${over}; background: #eee`) + box('position: relative', words)],
  ['a box with a negative z-index', words + box(`${over}; background: #eee; z-index: -1`)],
  ['a box over half of it', words + box(`${over}; width: 30px; background: #fff`)],
  ['a box with a small clip path', words + box(`${over}; background: #fff; clip-path: circle(5px)`)],
  [
    'a turned box with a hidden back',
    words + box(`${over}; background: #fff; transform: rotateY(180deg); backface-visibility: hidden`),
  ],
  [
    'a box behind the viewer',
    words + box(`${over}; background: #fff; transform: perspective(100px) translateZ(200px)`),
  ],
  [
    'a box in perspective',
    words + box('perspective: 100px', box(`${over}; background: #fff; transform: translateZ(200px)`)),
  ],
  ['a rotated box', words + box(`${over}; background: #fff; transform: rotate(45deg)`)],
  [
    'a box clipped by its container',
    `${words}<div style="position: absolute; top: 0; left: 0; width: 500px; height: 5px; overflow: hidden">${box(`${over}; background: #fff`)}</div>`,
  ],
  [
    'a fixed bar at the top',
    words + tall + box('position: fixed; top: 0; left: 0; right: 0; height: 100px; background: #fff'),
  ],
  ['a sticky bar', box('position: sticky; top: 0; height: 50px; background: #fff') + words + tall],
  ['a box around it', box(`${over}; background: #eee`, words)],
  [
    'a box over a part of a scrolling list',
    `<div style="height: 190px; overflow: auto; width: 300px">${words}${tall}</div>${box('position: absolute; left: 0; top: 0; width: 400px; height: 60px; background: #fff')}`,
  ],
  ['a layer that contains it', box(`${full}; background: #fff`, `<div style="position: absolute">${words}</div>`)],
  ['a layer with `visibility: hidden`', words + box(`${full}; background: #999; visibility: hidden`)],
];

describe('snapshot of text with another element over or behind it', () => {
  test.each(hidden)('omits text under %s', async (_what, body) => {
    const text = await textOf(body);
    expect(text).toContain(body.includes('In front') ? 'In front' : 'The end');
    expect(text).not.toContain('Words behind');
  });

  test.each(seen)('keeps text that stays visible with %s', async (_what, body) => {
    expect(await textOf(body)).toContain('Words behind');
  });
});

test('keeps covered controls with their refs and marks them as covered', async () => {
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
])('does not mark a link as covered by the %s inside it', async (_what, content) => {
  const text = await textOf(
    `<a href="/next" aria-label="Next" style="position: relative; display: block; width: 500px; height: 200px">${content}</a>`,
  );
  expect(text).toContain('link "Next"');
  expect(text).not.toContain('covered');
});

test('omits the text of a covered frame, but keeps its controls', async () => {
  const frame = `<iframe width="200" height="100" srcdoc="<p>Words inside</p><button>Send</button>"></iframe>`;
  const text = await textOf(frame + box(`${over}; background: #fff`));
  expect(text.replace(/f\d+/, 'f1').split('\n')).toEqual([
    'e1 iframe covered',
    ' f1e1 button "Send"',
    '- In front',
    '- The end',
  ]);
});

test('omits text while an opaque cover is over it, and shows it again without the cover', async () => {
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
])(
  'uses the stacking order of the parent for text moved to a box: the parent is %s the box',
  async (_where, z, isSeen) => {
    const beside = `<div style="position: absolute; top: 300px; z-index: ${z}"><div style="overflow: visible"><p style="position: relative; top: -280px; z-index: 9">Words behind</p></div></div>`;
    const text = await textOf(box(`${over}; background: #fff; z-index: 3`) + beside);
    expect(text.includes('Words behind')).toBe(isSeen);
  },
);
