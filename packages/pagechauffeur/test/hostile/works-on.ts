import { expect } from 'vitest';
import type { OddPages } from '../odd-pages/odd-page.ts';

/** What the page that is tried holds besides what makes it hostile. */
export const ORDINARY_PART = `<main><h1>Shop</h1><p id="note">Two mugs are left.</p>
  <button id="buy" onclick="this.textContent = 'Bought'">Buy</button>
  <button id="more" onclick="this.textContent = 'Less'">More</button>
  <label>Name <input id="name"></label></main>`;

/** Everything that a person or a model does with a page works on the one that is open, and tells what is there. */
export async function expectWorks({ driver, page }: OddPages, { isEvaluated = true } = {}): Promise<void> {
  // What comes last: some are only begun.
  expect(await page.waitForSelector('#name')).toBe(true);
  const { text } = await page.snapshot();
  for (const line of ['heading 1 "Shop"', 'button "Buy"', 'textbox "Name"', 'Two mugs are left.'])
    expect(text).toContain(line);
  await page.locator('#buy').click();
  expect(await page.locator('#buy').textContent()).toBe('Bought');
  await page.locator('#name').fill('Ada');
  expect(await page.locator('#name').inputValue()).toBe('Ada');
  expect(await page.locator('role=button[name="More"]').count()).toBe(1);
  expect(await page.locator('#note').innerText()).toBe('Two mugs are left.');
  const acted = await driver.act({ selector: '#more', description: 'More', method: 'click', arguments: [] });
  expect(acted).toMatchObject({ success: true, effect: 'changed' });
  expect((await driver.extract()).pageText).toContain('button "Less"');
  expect((await driver.observe()).map(({ description }) => description)).toContain('button "Bought"');
  if (isEvaluated) expect(await page.evaluate('[1 + 1, "two"]')).toEqual([2, 'two']);
}

/** Whatever another page did, this one opens an ordinary document, acts on it and tells what is there. */
export async function expectGoesOn({ driver, page, open }: OddPages): Promise<void> {
  driver.context.setActivePage(page);
  await open(ORDINARY_PART);
  const acted = await driver.act({ selector: '#buy', description: 'Buy', method: 'click', arguments: [] });
  expect(acted).toMatchObject({ success: true, effect: 'changed' });
  expect(await page.locator('#buy').textContent()).toBe('Bought');
}
