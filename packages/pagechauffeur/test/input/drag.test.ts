import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageDirectory } from '../../../../apps/http-app.ts';
import type { Page } from '../../src/index.ts';
import { runAction } from '../../src/actions/run-action.ts';
import { Progress } from '../../src/util/progress.ts';
import { document, useInputBench } from './input-bench.ts';

/** A thing with data and a zone that takes it; both write down what happens. */
const DRAG_EVENTS = `<script>
  window.seen = [];
  for (const type of ['dragstart', 'dragenter', 'dragover', 'dragleave', 'drop', 'dragend']) addEventListener(type, (event) => {
    const entry = type + ' ' + (event.target.id || event.target.localName) + (event.isTrusted ? '' : '!');
    if (seen.at(-1) !== entry) seen.push(entry);
    if (event.target.id === 'zone' && (type === 'dragenter' || type === 'dragover')) event.preventDefault();
    if (type === 'dragstart') event.dataTransfer.setData('text/plain', 'the thing');
    if (type === 'drop') { event.preventDefault(); seen.push('data ' + event.dataTransfer.getData('text/plain')); }
  }, true);
</script>`;
const THING = '<div id="thing" draggable="true" style="width:80px;height:40px;background:tomato">thing</div>';
const ZONE = '<div id="zone" style="width:80px;height:40px;background:skyblue">zone</div>';
/** Of a drag that arrives, without the ways between. */
const WHOLE_DRAG = [
  'dragstart thing',
  'dragenter zone',
  'dragover zone',
  'drop zone',
  'data the thing',
  'dragend thing',
];

const bench = useInputBench();
let page: Page;

beforeAll(() => {
  ({ page } = bench);
});

function withoutWays(events: readonly string[]): string[] {
  return events.filter((event) => WHOLE_DRAG.includes(event));
}

const frame = (src: string, style = 'left:300px;top:0'): string =>
  `<iframe src="${src}" style="position:absolute;${style};width:200px;height:150px;border:0"></iframe>`;

describe('HTML drag and drop', () => {
  const ways: Record<string, () => Promise<unknown>> = {
    'by points': () => page.dragAndDrop(40, 20, 40, 80),
    'by page.mouse': async () => {
      await page.mouse.move(40, 20);
      await page.mouse.down();
      await page.mouse.move(40, 80, { steps: 4 });
      await page.mouse.up();
    },
    'by locators': () => page.locator('#thing').dragTo(page.locator('#zone')),
  };

  it.each(Object.entries(ways))(
    'fires drag events in order and transfers the data when dragged %s',
    async (_title, drag) => {
      await bench.open(`${THING}<div style="height:20px"></div>${ZONE}${DRAG_EVENTS}`);
      await drag();
      expect(withoutWays(await bench.seen())).toEqual(WHOLE_DRAG);
    },
  );

  it.each([
    ['by points', () => page.dragAndDrop(40, 20, 40, 150)],
    ['by locators', () => page.locator('#thing').dragTo(page.locator('#zone'))],
  ])('drops on a zone that only the last move reaches, after `setContent()`, %s', async (_title, drag) => {
    await bench.open('');
    await page.setContent(document(`${THING}<div id="way" style="height:90px"></div>${ZONE}${DRAG_EVENTS}`));
    await drag();
    expect(withoutWays(await bench.seen())).toEqual(WHOLE_DRAG);
  });

  it('returns the XPaths of source and target only with `returnXpath`', async () => {
    await bench.open(`${THING}<div style="height:20px"></div>${ZONE}${DRAG_EVENTS}`);
    expect(await page.dragAndDrop(40, 20, 40, 80, { returnXpath: true })).toEqual([
      '/html[1]/body[1]/div[1]',
      '/html[1]/body[1]/div[3]',
    ]);
    expect(await page.dragAndDrop(40, 20, 40, 80)).toEqual(['', '']);
  });

  it('fires no drop event on an element that does not accept it', async () => {
    await bench.open(`${THING}<div style="height:20px"></div><p id="other">other</p>${DRAG_EVENTS}`);
    await page.dragAndDrop(40, 20, 10, 90);
    const events = await bench.seen();
    expect(events[0]).toBe('dragstart thing');
    expect(events.at(-1)).toBe('dragend thing');
    expect(events.some((event) => event.startsWith('drop'))).toBe(false);
  });

  it('drops selected text into a textarea', async () => {
    await bench.open(
      '<p style="margin:0;font:20px monospace;width:max-content">abcdef</p><textarea id="text" style="position:absolute;left:0;top:100px"></textarea>',
    );
    await page.click(30, 10, { clickCount: 2 });
    await page.dragAndDrop(30, 10, 30, 115);
    expect(await page.locator('#text').inputValue()).toContain('abcdef');
  });

  const places: [string, (origin: { same: string; other: string }) => { from: string; to: string }][] = [
    ['from the page into a frame', ({ same }) => ({ from: THING, to: frame(`${same}/zone`) })],
    ['from a frame into the page', ({ same }) => ({ from: frame(`${same}/thing`), to: ZONE })],
    ['from the page into a frame of another process', ({ other }) => ({ from: THING, to: frame(`${other}/zone`) })],
    ['from a frame of another process into the page', ({ other }) => ({ from: frame(`${other}/thing`), to: ZONE })],
    [
      'from one frame of another process into another',
      ({ other }) => ({ from: frame(`${other}/thing`), to: frame(`${other}/zone`, 'left:300px;top:200px') }),
    ],
    [
      'from a frame of the same process into one of another process',
      ({ same, other }) => ({ from: frame(`${same}/thing`), to: frame(`${other}/zone`, 'left:300px;top:200px') }),
    ],
  ];

  it.each(places)('drags %s by locators', async (_title, place) => {
    const { server } = bench;
    const { from, to } = place({ same: server.origin, other: server.otherOrigin });
    server.page('/thing', document(THING + DRAG_EVENTS));
    server.page('/zone', document(ZONE + DRAG_EVENTS));
    await bench.open(`${from}${to}${DRAG_EVENTS}`);
    const thing = from === THING ? '#thing' : 'iframe >> nth=0 >> #thing';
    const zone = to === ZONE ? '#zone' : `iframe >> nth=${from === THING ? 0 : 1} >> #zone`;
    await page.locator(thing).dragTo(page.locator(zone));
    const source = from === THING ? '/input' : '/thing';
    const goal = to === ZONE ? '/input' : '/zone';
    await expect.poll(async () => withoutWays(await bench.seenIn(goal))).toEqual(WHOLE_DRAG.slice(1, 5));
    await expect
      .poll(async () => withoutWays(await bench.seenIn(source)))
      .toEqual(['dragstart thing', 'dragend thing']);
    expect(await bench.seenIn(goal)).not.toContain('dragend thing');
  });

  it('follows a drop target that the browser scrolls during the drag', async () => {
    const spot =
      '<div id="zone" style="position:absolute;left:700px;top:60px;width:12px;height:12px;background:blue"></div>';
    await bench.open(
      `${THING}<div style="width:400px;height:150px;overflow:auto"><div style="position:relative;width:1000px;height:120px">${spot}</div></div>${DRAG_EVENTS}`,
    );
    const { target } = page;
    using progress = new Progress({ operation: 'slow drag', timeout: 25_000 });
    await runAction(progress, target, {
      method: 'dragAndDrop',
      arguments: ['#zone'],
      target: { frame: target.frames.main, element: { selector: '#thing' }, label: '#thing' },
      elementTimeout: 5000,
      settleTimeout: 0,
      pointer: { delay: 500 },
    });
    await expect.poll(() => bench.seenIn('/input')).toEqual(expect.arrayContaining(['drop zone', 'data the thing']));
  });

  it('follows a drop target in an out-of-process frame when the parent page scrolls', async () => {
    const spot =
      '<div id="zone" style="position:absolute;left:60px;top:90px;width:12px;height:12px;background:blue"></div>';
    bench.server.page('/zone', document(spot + DRAG_EVENTS));
    const { otherOrigin } = bench.server;
    await bench.open(
      `${THING}<div id="scroller" style="height:300px;overflow:auto"><iframe src="${otherOrigin}/zone" style="width:300px;height:200px"></iframe><div style="height:900px"></div></div>${DRAG_EVENTS}
      <script>thing.addEventListener('dragleave', () => { scroller.scrollTop = 60; });</script>`,
    );
    await page.locator('#thing').dragTo(page.locator('iframe >> #zone'));
    expect(await page.evaluate('scroller.scrollTop')).toBe(60);
    await expect.poll(() => bench.seenIn('/zone')).toEqual(expect.arrayContaining(['drop zone', 'data the thing']));
  });

  it('drags by points from the page into a frame of another process', async () => {
    bench.server.page('/zone', document(ZONE + DRAG_EVENTS));
    await bench.open(`${THING}${frame(`${bench.server.otherOrigin}/zone`)}${DRAG_EVENTS}`);
    expect(await page.dragAndDrop(40, 20, 340, 20, { returnXpath: true })).toEqual([
      '/html[1]/body[1]/div[1]',
      '/html[1]/body[1]/iframe[1]/html[1]/body[1]/div[1]',
    ]);
    await expect.poll(async () => withoutWays(await bench.seenIn('/zone'))).toEqual(WHOLE_DRAG.slice(1, 5));
    await expect
      .poll(async () => withoutWays(await bench.seenIn('/input')))
      .toEqual(['dragstart thing', 'dragend thing']);
  });
});

describe('pointer-based dragging', () => {
  it('moves a captured element in the requested number of steps, and releases it', async () => {
    await bench.open(
      `<div id="thing" style="position:absolute;width:50px;height:50px;background:tomato;touch-action:none"></div>
      <script>window.seen = []; thing.onpointerdown = (event) => { thing.setPointerCapture(event.pointerId); thing.onpointermove = (move) => { seen.push(move.clientX); thing.style.left = move.clientX - 25 + 'px'; }; };
      thing.onpointerup = () => { thing.onpointermove = null; seen.push('up'); };</script>`,
    );
    await page.dragAndDrop(25, 25, 225, 25, { steps: 4 });
    expect(await bench.seen()).toEqual([75, 125, 175, 225, 'up']);
    expect(await page.evaluate('thing.style.left')).toBe('200px');
  });

  it('drags with the requested button', async () => {
    await bench.open(
      '<script>window.seen = []; for (const type of ["mousedown", "mousemove", "mouseup"]) addEventListener(type, (event) => seen.push(type + event.buttons));</script>',
    );
    await page.dragAndDrop(25, 25, 225, 25, { steps: 1, button: 'right', delay: 5 });
    expect(await bench.seen()).toEqual(['mousemove0', 'mousedown2', 'mousemove2', 'mouseup0']);
  });

  it('moves a range slider with trusted input events', async () => {
    await bench.open(
      `<input type="range" id="slider" min="0" max="100" value="0" style="margin:0;width:216px">
      <script>window.seen = []; slider.oninput = (event) => seen.push(event.isTrusted);</script>`,
    );
    await page.dragAndDrop(8, 8, 108, 8);
    expect(Number(await page.locator('#slider').inputValue())).toBeCloseTo(50, -1);
    expect((await bench.seen()).every(Boolean)).toBe(true);
  });

  const splitter = (onPress: string): string =>
    `<div style="display:flex;position:relative;width:600px;height:100px"><div id="left" style="width:200px">left</div>
      <div id="thing" style="width:10px;background:#bbb"></div><div id="zone" style="flex:1">zone</div></div>
    <script>window.seen = []; thing.onmousedown = (press) => {
      press.preventDefault();
      ${onPress}
      onmousemove = (event) => { left.style.width = event.clientX + 'px'; };
      onmouseup = (event) => { onmousemove = onmouseup = null; seen.push('up ' + event.target.id); };
    };</script>`;

  it('drops a splitter on a pane that ignores the pointer during the drag', async () => {
    await bench.open(splitter("left.style.pointerEvents = zone.style.pointerEvents = 'none';"));
    await page.locator('#thing').dragTo(page.locator('#zone'));
    expect(Number.parseFloat(String(await page.evaluate('left.style.width')))).toBeGreaterThan(300);
    expect(await bench.seen()).toEqual(['up thing']);
  });

  it('drops a splitter on a pane under an overlay that the drag adds', async () => {
    const add =
      "document.body.insertAdjacentHTML('beforeend', '<div id=shield style=\"position:fixed;inset:0\"></div>');";
    await bench.open(splitter(add));
    await page.locator('#thing').dragTo(page.locator('#zone'));
    expect(Number.parseFloat(String(await page.evaluate('left.style.width')))).toBeGreaterThan(300);
    expect(await bench.seen()).toEqual(['up shield']);
  });

  it('does not drop on an element that a visible box covers', async () => {
    const add =
      "document.body.insertAdjacentHTML('beforeend', '<div id=shield style=\"position:fixed;inset:0;background:red\"></div>');";
    await bench.open(splitter(add));
    const drop = page.locator('#thing').dragTo(page.locator('#zone'), { timeout: 1000 });
    await expect(drop).rejects.toThrow('div#shield');
  });

  it('sends mouseup to the frame in which the drag began, also outside of it', async () => {
    bench.server.page(
      '/inner',
      document(
        `<div id="thing" style="width:50px;height:50px"></div><script>window.seen = []; thing.onmousedown = () => { onmouseup = (event) => seen.push('up ' + event.clientX); };</script>`,
      ),
    );
    await bench.open(frame(`${bench.server.otherOrigin}/inner`));
    await page.dragAndDrop(325, 25, 700, 25);
    await expect.poll(() => bench.seenIn('/inner')).toEqual(['up 400']);
  });

  it.each([
    ['pointer events', 'forceFallback: true, fallbackTolerance: 0'],
    ['HTML drag events', ''],
  ])('sorts a SortableJS list by %s', async (_title, options) => {
    const script = readFileSync(join(packageDirectory('sortablejs'), 'Sortable.min.js'), 'utf8');
    bench.server.page('/sortable.js', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    });
    await bench.open(
      `<ul id="list" style="margin:0;padding:0;list-style:none">${['one', 'two', 'three', 'four'].map((name) => `<li id="${name}" style="height:40px;width:200px">${name}</li>`).join('')}</ul>
      <script src="/sortable.js"></script><script>Sortable.create(list, { animation: 0, ${options} });</script>`,
    );
    const names = (): Promise<unknown> => page.evaluate('list.innerText.trim().split(/\\s+/).join(" ")');
    await page.locator('#one').dragTo(page.locator('#three'));
    await expect.poll(names).toBe('two three one four');
    await page.dragAndDrop(100, 140, 100, 5, { steps: 12 });
    await expect.poll(names).toBe('four two three one');
  });
});
