import { expect, test } from 'vitest';
import { DriverElementNotFoundError } from '../../src/errors.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

async function open(html: string): Promise<void> {
  await browser.page.goto(browser.server.page('/', `<!doctype html><title>Test</title>${html}`), { waitUntil: 'load' });
}

function drag(selector: string, goal: string) {
  return browser.driver.act({ selector, description: 'the thing', method: 'dragAndDrop', arguments: [goal] });
}

test('a thing that listens to the mouse is dragged onto another, also onto one that must be scrolled to', async () => {
  await open(`<div id="thing" style="width:50px;height:50px;background:red">thing</div><div style="height:2000px"></div><div id="goal" style="width:200px;height:200px;background:#eee">goal</div>
    <script>let held = false; thing.onmousedown = (event) => { held = true; event.preventDefault(); }; window.log = [];
    document.onmouseup = (event) => { if (held) log.push(document.elementFromPoint(event.clientX, event.clientY).id); };</script>`);
  expect(await drag('#thing', '#goal')).toMatchObject({ success: true });
  expect(await browser.page.evaluate('log')).toEqual(['goal']);
});

test('a draggable element of HTML is dropped on its goal', async () => {
  await open(`<div id="thing" draggable="true" style="width:50px;height:50px;background:red">thing</div><div id="goal" style="margin-top:100px;width:200px;height:200px;background:#eee">goal</div>
    <script>thing.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'the thing'); goal.ondragover = (event) => event.preventDefault();
    goal.ondrop = (event) => { event.preventDefault(); goal.textContent = event.dataTransfer.getData('text/plain'); };</script>`);
  expect(await drag('#thing', '#goal')).toMatchObject({ success: true });
  expect(await browser.page.evaluate('goal.textContent')).toBe('the thing');
});

test('the button is let go again when there is nothing to drop on', { timeout: 20_000 }, async () => {
  await open(
    `<div id="thing" style="width:50px;height:50px">thing</div><script>window.log = []; onmousedown = () => log.push('down'); onmouseup = () => log.push('up');</script>`,
  );
  await expect(drag('#thing', '#none')).rejects.toBeInstanceOf(DriverElementNotFoundError);
  expect(await browser.page.evaluate('log')).toEqual(['down', 'up']);
});
