import { expect, it } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';
import { expectWorks, ORDINARY_PART } from './works-on.ts';

const odd = oddPages({ defaultTimeout: 60_000, domSettleTimeout: 3000 });

it('200,000 elements are all read, and the last one is found and clicked', async () => {
  await odd.open(`${ORDINARY_PART}<ul></ul><script>
    document.querySelector('ul').innerHTML = Array.from({ length: 100_000 }, (_, i) => '<li><b>Item ' + i + '</b></li>').join('') + '<li><button id="last">Last</button></li>'</script>`);
  const { text } = await odd.page.snapshot();
  expect(text).toContain('button "Last"');
  expect(await odd.page.locator('li').count()).toBe(100_001);
  expect(await odd.page.locator('li >> nth=99999').textContent()).toBe('Item 99999');
  await odd.page.locator('#last').click();
  await odd.page.locator('#name').fill('Ada');
  expect(await odd.page.locator('#name').inputValue()).toBe('Ada');
  expect((await odd.act('#last')).success).toBe(true);
}, 120_000);

it('elements 500 deep are read, and the innermost is found and clicked', async () => {
  await odd.open(`${ORDINARY_PART}<script>
    let inner = document.body; for (let depth = 0; depth < 500; depth += 1) { const div = document.createElement('div'); inner.append(div); inner = div; }
    inner.innerHTML = '<button id="deep" onclick="this.textContent = \\'Reached\\'">Deep</button>'</script>`);
  expect(await odd.text()).toContain('button "Deep"');
  await odd.page.locator('#deep').click();
  expect(await odd.page.locator('#deep').textContent()).toBe('Reached');
  await expect(expectWorks(odd)).resolves.toBeUndefined();
}, 60_000);

it('shadow roots 500 deep are read, and the innermost part is clicked', async () => {
  await odd.open(`${ORDINARY_PART}<script>
    let inner = document.body; for (let depth = 0; depth < 500; depth += 1) { const div = document.createElement('div'); inner.append(div); inner = div.attachShadow({ mode: 'open' }); }
    inner.innerHTML = '<button id="deep">Deep</button>'</script>`);
  expect(await odd.text()).toContain('button "Deep"');
  await odd.page.locator('#deep').click();
  await expect(expectWorks(odd)).resolves.toBeUndefined();
}, 60_000);

it('a text of 5 million characters is read whole', async () => {
  await odd.open(`${ORDINARY_PART}<p id="long"></p><script>long.textContent = 'word '.repeat(1_000_000)</script>`);
  expect((await odd.page.locator('#long').textContent()).length).toBe(5_000_000);
  expect((await odd.page.locator('#long').innerText()).length).toBeGreaterThan(4_999_990);
  await expect(expectWorks(odd)).resolves.toBeUndefined();
}, 60_000);

it('an attribute of a million characters is read whole', async () => {
  await odd.open(`${ORDINARY_PART}<button id="long">Long</button><script>
    for (const name of ['title', 'class', 'aria-label', 'data-x', 'href']) long.setAttribute(name, 'a'.repeat(1_000_000))</script>`);
  expect((await odd.page.locator('#long').getAttribute('data-x'))?.length).toBe(1_000_000);
  await odd.page.locator('#long').click();
  await expect(expectWorks(odd)).resolves.toBeUndefined();
}, 60_000);

it('200 frames are all read, and the last is acted in', async () => {
  odd.server.page('/small', '<button>Small</button>');
  await odd.open(`${ORDINARY_PART}${'<iframe src="/small" width="99" height="40"></iframe>'.repeat(200)}`);
  expect((await odd.text()).match(/button "Small"/g)).toHaveLength(200);
  await odd.page.locator('iframe >> nth=199 >> button').click();
  await expect(expectWorks(odd)).resolves.toBeUndefined();
}, 60_000);

it('frames that hold their own page again end where the browser ends them', async () => {
  await odd.open(`${ORDINARY_PART}<iframe src="?1"></iframe>`);
  expect((await odd.text()).match(/button "Buy"/g)?.length).toBeGreaterThan(0);
  await odd.open((request, response) => {
    const depth = Number(new URL(request.url ?? '', 'http://x').searchParams.get('depth') ?? 0);
    response.setHeader('content-type', 'text/html');
    response.end(`<button>Level ${depth}</button>${depth < 12 ? `<iframe src="?depth=${depth + 1}"></iframe>` : ''}`);
  });
  await odd.page.waitForSelector(`${'iframe >> '.repeat(12)}button`, { state: 'attached' });
  expect((await odd.driver.extract()).pageText).toContain('Level 12');
}, 60_000);

it('a select with 20,000 options is read and chosen from', async () => {
  await odd.open(
    `${ORDINARY_PART}<select id="many"></select><script>many.innerHTML = Array.from({ length: 20_000 }, (_, i) => '<option>Option ' + i).join('')</script>`,
  );
  expect(await odd.page.locator('#many').selectOption('Option 19999')).toEqual(['Option 19999']);
  await expect(expectWorks(odd)).resolves.toBeUndefined();
}, 60_000);

it('10,000 styles and rules do not keep a snapshot from its end', async () => {
  await odd.open(`${ORDINARY_PART}<style></style><script>
    document.querySelector('style').textContent = Array.from({ length: 10_000 }, (_, i) => '.c' + i + '::before { content: "x"; color: red } .c' + i + ' > :is(a, b) { display: block }').join('')</script>`);
  await expect(expectWorks(odd)).resolves.toBeUndefined();
}, 60_000);
