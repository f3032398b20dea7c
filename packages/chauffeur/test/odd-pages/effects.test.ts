import { expect, test } from 'vitest';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

test('a link that only changes what stands behind the # does not count as a navigation', async () => {
  await odd.open(`<a id="menu" href="#" onclick="m.hidden = false">Menu</a><div id="m" role="menu" hidden><p role="menuitem" tabindex="0">Copy</p></div>
    <a id="down" href="#end">To the end</a><a id="again" href="#end">Again</a><a id="route" href="#/orders">Orders</a><div style="height: 3000px"></div><p id="end">End</p>`);
  expect((await odd.act('#menu')).effect).toBe('opened');
  expect((await odd.act('#down')).effect).toBe('changed');
  expect((await odd.act('#route')).effect).toBe('navigated');
});

test('a download is told with its name', async () => {
  odd.server.page('/report.csv', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' });
    response.end('a,b');
  });
  await odd.open(`<a href="/report.csv">Report</a>`);
  const { effect, message } = await odd.act('a');
  expect(effect).toBe('opened');
  expect(message).toContain('a download of "report.csv" began');
});

test('what a page shows a moment after the click is its effect, and is there when act returns', async () => {
  await odd.open(
    `<button onclick="setTimeout(() => note.textContent = 'Saved', 90)">Save</button><p id="status" role="status"></p><script>const note = document.querySelector("#status")</script>`,
  );
  const { effect, message } = await odd.act('button');
  expect(effect).toBe('changed');
  expect(message).toContain('the page says "Saved"');
});

test('what a page puts off for a moment is its effect also when the page is busy then', async () => {
  await odd.open(
    `<button onclick="setTimeout(busy, 60); setTimeout(() => note.textContent = 'Saved', 90)">Save</button><p id="status" role="status"></p>
    <script>const note = document.querySelector("#status"); const busy = () => { for (const end = performance.now() + 400; performance.now() < end; ); }</script>`,
  );
  expect((await odd.act('button')).effect).toBe('changed');
});

test('a question that was declined is told as declined', async () => {
  await odd.open(`<button onclick="if (confirm('Delete all?')) this.textContent = 'Gone'">Delete</button>`);
  expect((await odd.act('button')).message).toContain('a dialog (confirm) said "Delete all?" and was dismissed');
  expect(await odd.page.locator('button').textContent()).toBe('Delete');
});
