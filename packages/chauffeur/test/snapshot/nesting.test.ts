import { expect, test } from 'vitest';
import { NESTINGS, sequences, serveNestedPages } from '../support/nested-pages.ts';
import { useBrowser } from '../support/use-browser.ts';

const PATHS = [1, 2, 3].flatMap((depth) => sequences(NESTINGS, depth));

const browser = useBrowser({ selfHeal: false });

test.each(PATHS.map((path) => [path.join(' > '), path] as const))(
  'an element in %s is seen, and its path leads back to it',
  async (_title, path) => {
    const { driver, page, server } = browser;
    await page.goto(serveNestedPages(server)(path), { waitUntil: 'load' });
    const found = await driver.observe();
    const deep = found.find(({ description }) => description === 'button "Deep"');
    expect(found.map(({ description }) => description)).toContain('textbox "Field"');
    expect(deep?.selector.match(/iframe/g)?.length ?? 0).toBe(
      path.filter((kind) => kind === 'same' || kind === 'other').length,
    );
    const result = await driver.act({
      selector: deep?.selector ?? '',
      description: 'Deep',
      method: 'click',
      arguments: [],
    });
    expect(result).toMatchObject({ effect: 'changed', actions: [{ selector: deep?.selector }] });
    const { pageText } = await driver.extract();
    expect(pageText).toContain('button "Clicked"');
    expect(pageText).not.toContain('Never seen');
  },
);
