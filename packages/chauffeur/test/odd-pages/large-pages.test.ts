import { expect, test } from 'vitest';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

test('every one of ten thousand links is observed, each with a selector that finds it alone', async () => {
  await odd.open(
    `<ul></ul><script>document.querySelector('ul').innerHTML = Array.from({ length: 10_000 }, (_, i) => '<li><a href="#' + i + '">Item ' + i + '</a>').join('')</script>`,
  );
  const actions = await odd.driver.observe();
  expect(actions).toHaveLength(10_000);
  expect(actions.at(-1)).toMatchObject({
    selector: 'xpath=/html[1]/body[1]/ul[1]/li[10000]/a[1]',
    description: 'link "Item 9999"',
  });
  expect(await odd.page.locator(actions[5000]?.selector ?? '').textContent()).toBe('Item 5000');
  expect(await odd.page.locator(actions[5000]?.selector ?? '').count()).toBe(1);
});
