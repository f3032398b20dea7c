import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProgramPage } from '../program-page.ts';

let page: ProgramPage;
beforeAll(async () => {
  page = await ProgramPage.open();
});
afterAll(() => page[Symbol.asyncDispose]());

const LOG = `<script>window.log = []; for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
  addEventListener(type, (event) => log.push(type + ' ' + (event.target.id || event.target.tagName)), true);</script>`;

async function log(): Promise<unknown> {
  return page.evaluate('log');
}

test('a click that would land on something that came between is stopped before the page sees it', async () => {
  await page.show(`${LOG}<a id="target" href="#t">Buy</a><script>
    const veil = document.createElement('a'); veil.id = 'veil'; veil.href = '#wrong'; veil.style = 'position:fixed;inset:0';
  </script>`);
  const { rootPoint } = await page.ready('#target', 'click');
  await page.evaluate('document.body.append(veil)');
  const [, report] = await Promise.all([page.pressAt(rootPoint), page.settle()]);
  expect(report).toMatchObject({ delivered: false, misdirected: '<a#veil>' });
  expect(await log()).toEqual([]);
  expect(await page.evaluate('location.hash')).toBe('');
});

test('after the check all events pass again', async () => {
  await page.show(
    `${LOG}<button id="target">Buy</button><button id="other" style="position:absolute;left:300px;top:300px">Other</button>`,
  );
  await page.click('#target');
  await page.pressAt({ x: 320, y: 310 });
  expect(await log()).toEqual(
    ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']
      .flatMap((type) => [`${type} target`])
      .concat(['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'].map((type) => `${type} other`)),
  );
});

test('an action without announced input lets every event pass', async () => {
  await page.show(
    `${LOG}<input id="target"><button id="other" style="position:absolute;left:300px;top:300px">Other</button>`,
  );
  await page.ready('#target', 'focus');
  await page.pressAt({ x: 320, y: 310 });
  expect(await page.evaluate(`log.includes('click other')`)).toBe(true);
});

test('a click whose button re-renders under the mouse is not stopped half way', async () => {
  await page.show(`${LOG}<div id="box"><button id="target">Buy</button></div><script>
    document.getElementById('target').addEventListener('mousedown', () => { box.innerHTML = '<button id="fresh">Buy</button>'; });</script>`);
  const report = await page.click('#target');
  expect(report.delivered).toBe(true);
  expect(await page.evaluate(`log.includes('mouseup fresh')`)).toBe(true);
});

test('an event that never comes is reported after the time for it', async () => {
  await page.show('<button id="target">Buy</button>');
  await page.ready('#target', 'click');
  expect(await page.settle({ eventTimeout: 50 })).toMatchObject({ delivered: false });
});

test('the listeners come before those of the page, and come back after document.open', async () => {
  await page.show(`<button id="target">Buy</button>`);
  await page.evaluate(`document.open(); document.write('<a id="target" href="#t">Buy</a>'); document.close();
    window.log = []; addEventListener('click', () => log.push('click'), true);
    window.veil = document.createElement('div'); veil.style = 'position:fixed;inset:0'; 0`);
  const { rootPoint } = await page.ready('#target', 'click');
  await page.evaluate('document.body.append(veil)');
  const [, report] = await Promise.all([page.pressAt(rootPoint), page.settle()]);
  expect(report.misdirected).toBe('<div>');
});

test('a hover reports its arrival', async () => {
  await page.show(
    `<style>#menu { display: none } #target:hover + #menu { display: block }</style><button id="target">More</button><div id="menu" role="menu">Items</div>`,
  );
  const { rootPoint } = await page.ready('#target', 'hover');
  const [, report] = await Promise.all([
    page.browser.page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...rootPoint }),
    page.settle(),
  ]);
  expect(report).toMatchObject({ delivered: true, opened: 'menu "Items"' });
});

test('typed keys are waited for', async () => {
  await page.show('<input id="target">');
  await page.ready('#target', 'fill');
  const [, report] = await Promise.all([page.insert('hello'), page.settle()]);
  expect(report).toMatchObject({ delivered: true, targetChanged: true });
});

test('the page cannot tell that the listeners are there', async () => {
  await page.show(`<button id="target">Buy</button>`);
  expect(
    await page.evaluate(
      `[typeof window.chauffeur, Object.keys(window).filter((key) => /chauffeur/i.test(key)).length]`,
    ),
  ).toEqual(['undefined', 0]);
});

test('a hover that never arrives names what the pointer was over', async () => {
  await page.show(
    '<button id="target">More</button><p id="other" style="position:absolute;left:300px;top:300px">Other</p>',
  );
  await page.ready('#target', 'hover');
  const [, report] = await Promise.all([
    page.browser.page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 310, y: 325 }),
    page.settle({ eventTimeout: 200 }),
  ]);
  expect(report).toMatchObject({ delivered: false, misdirected: '<p#other>' });
});
