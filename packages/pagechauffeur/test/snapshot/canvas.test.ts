import { describe, expect, test } from 'vitest';
import { DriverClickError, DriverInvalidArgumentError } from '../../src/errors.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { oddPages } from '../odd-pages/odd-page.ts';
import { failureOf } from '../support/failure-of.ts';

const odd = oddPages();

/** The other fields of a model's response. */
const rest = { twoStep: false, reason: '', candidates: [] };

const board = '<canvas id="board" width="400" height="200"></canvas>';
const small = '<canvas id="ruler" width="14" height="300"></canvas>';
const note = `<p id="log"></p><script>addEventListener('click', ({ clientX, clientY }) => { const { left, top } = board.getBoundingClientRect();
  log.textContent = 'hit ' + [clientX - left, clientY - top].map(Math.round); })</script>`;

describe('a canvas has a ref and its size', () => {
  test.each([
    ['that nothing listens to', board],
    ['if the window listens', `${board}<script>addEventListener('mousedown', () => {})</script>`],
    ['below the viewport', `<div style="height: 3000px"></div>${board}`],
    [
      'under a label in its middle',
      `<div style="position: relative; width: 400px">${board}<b style="position: absolute; left: 190px; top: 90px; width: 20px; background: red"></b></div>`,
    ],
  ])('%s', async (_, html) => {
    await odd.open(html);
    expect(await odd.text()).toBe('e1 canvas (hint: board, 400×200)');
  });

  test('with a role and a name', async () => {
    await odd.open('<canvas role="img" aria-label="Sales" width="400" height="200"></canvas>');
    expect(await odd.text()).toBe('e1 img "Sales" (400×200)');
  });

  test('if it is small and a container listens', async () => {
    await odd.open(
      `<div id="editor">${'Text '.repeat(30)}${small}</div><script>editor.onmousedown = () => {}</script>`,
    );
    expect(await odd.text()).toContain('e1 canvas (hint: ruler, 14×300)');
  });

  test('as the topmost of several layers', async () => {
    const layer = (name: string, style = ''): string =>
      `<canvas id="${name}" width="400" height="200" style="position: absolute; ${style}"></canvas>`;
    await odd.open(layer('back', 'z-index: 1') + layer('cover', 'z-index: 2') + layer('under'));
    expect(await odd.text()).toBe('e1 canvas (hint: cover, 400×200)');
  });
});

test.each([
  ['a small one', small],
  ['a transparent one', `<div style="opacity: 0">${board}</div>`],
  ['one that lets clicks through', `<div style="pointer-events: none">${board}</div>`],
  ['one under an opaque layer', `${board}<div style="position: fixed; inset: 0; background: #fff"></div>`],
  ['one in a closed panel', `<div style="height: 0; overflow: hidden">${board}</div>`],
])('%s has no ref', async (_, html) => {
  await odd.open(html);
  expect(await odd.text()).toBe('');
});

test.each([
  ['canvas', '<canvas width="400" height="200"></canvas>'],
  ['SVG', '<svg width="400" height="200"><rect width="400" height="200"/></svg>'],
])('a container of a chart has its size if the chart is drawn as %s', async (_, drawing) => {
  await odd.open(`<div style="width: 400px"><div style="height: 200px">${drawing}</div></div>
    <script>document.querySelector('div div').addEventListener('click', () => {})</script>`);
  expect(await odd.text()).toBe('e1 generic clickable (hint: drawing, 400×200)');
});

test.each([
  ['SVG shapes', '<svg width="20" height="20"><path d="M10 2l3 7h7l-6 4"/></svg>'.repeat(5)],
  ['characters', '★★★★★'],
])('a rating of %s under the same ones cut to a width has its size', async (_, stars) => {
  await odd.open(`<style>.rating { position: relative; width: 100px; height: 20px; line-height: 20px; white-space: nowrap }
      .rating > * { position: absolute; overflow: hidden; left: 0 }</style>
    <div class="rating"><div>${stars}</div><div style="width: 72%">${stars}</div></div>
    <script>document.querySelector('.rating').addEventListener('click', () => {})</script>`);
  expect(await odd.text()).toContain('rating, 100×20)');
});

test('a container of a small icon has no size', async () => {
  await odd.open(`<div class="like" style="width: 24px; height: 24px"><svg width="24" height="24"><rect width="24" height="24"/></svg></div>
    <script>document.querySelector('div').addEventListener('click', () => {})</script>`);
  expect(await odd.text()).toBe('e1 generic clickable (hint: like)');
});

test('a canvas in a button is part of it', async () => {
  await odd.open(`<button>Zoom <canvas width="400" height="200"></canvas></button>`);
  expect(await odd.text()).toBe('e1 button "Zoom"');
});

test('a canvas is left out once another layer covers it', async () => {
  await odd.open(`<main>${board}</main><aside></aside>`);
  expect(await odd.text()).toContain('canvas');
  await odd.page.evaluate(
    `document.querySelector('aside').style.cssText = 'position: fixed; inset: 0; background: white'`,
  );
  expect(await odd.text()).toBe('');
});

describe('a point in an element', () => {
  test.each(['120,40', ' 120, 40 ', '120 40', '120;40'])('is clicked: %j', async (point) => {
    await odd.open(board + note);
    await odd.act('#board', 'click', point);
    expect(await odd.page.locator('#log').textContent()).toBe('hit 120,40');
  });

  test('is clicked by a model that names the ref', async () => {
    const model = new ScriptedModel([
      { action: { ref: 'e1', method: 'click', arguments: ['30,150'], description: 'the board' }, ...rest },
    ]);
    await odd.open(board + note);
    await odd.driver.act('click the board at 30,150', { model });
    expect(await odd.page.locator('#log').textContent()).toBe('hit 30,150');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('On a canvas, click');
  });

  test('is explained only on pages with a canvas', async () => {
    const model = new ScriptedModel([
      { action: { ref: 'e1', method: 'click', arguments: [], description: 'the button' }, ...rest },
    ]);
    await odd.open('<button>canvas</button>');
    await odd.driver.act('click the button', { model });
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain('On a canvas');
  });

  test.each([
    [
      'of a canvas that is higher than the viewport',
      '<canvas id="board" width="300" height="4000"></canvas>',
      '10,1300',
    ],
    [
      'of a canvas that scrolls in a box',
      '<div style="width: 200px; height: 200px; overflow: auto; margin-top: 900px"><canvas id="board" width="1500" height="1500"></canvas></div>',
      '400,400',
    ],
  ])('%s is scrolled into view', async (_, html, point) => {
    await odd.open(html + note);
    await odd.act('#board', 'click', point);
    expect(await odd.page.locator('#log').textContent()).toBe(`hit ${point}`);
  });

  test('outside of it is not clicked', async () => {
    await odd.open(`${board}<button>Delete</button>${note}`);
    const failure = await failureOf(odd.act('#board', 'click', '420,190'));
    expect(failure).toBeInstanceOf(DriverClickError);
    expect(failure).toHaveProperty(
      'message',
      expect.stringContaining('the point is outside the element, which is 400×200 pixels large.'),
    );
    expect(await odd.page.locator('#log').textContent()).toBe('');
  });

  test('must have two numbers', async () => {
    await odd.open(board + note);
    const failure = await failureOf(odd.act('#board', 'click', 'the middle'));
    expect(failure).toBeInstanceOf(DriverInvalidArgumentError);
    expect(failure).toHaveProperty(
      'message',
      '"the middle" is not a point in the element. Pass none, or a point in the element such as "120,40", in pixels from its top left corner.',
    );
  });
});
