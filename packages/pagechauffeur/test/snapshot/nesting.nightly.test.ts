import { expect, test } from 'vitest';
import { type Nesting, NESTINGS, sequences, serveNestedPages } from '../support/nested-pages.ts';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

/** All paths of one level; of three, so many that each two kinds stand in each two of the levels once. */
const PATHS = [...sequences(NESTINGS, 1), ...sequences(NESTINGS, 2).map(withThird)];

useWholeBrowser('nightly');
const browser = useBrowser({ selfHeal: false });

/** On every change: each kind alone, and each kind in each level once or twice. */
const DAILY = PATHS.filter(({ length }, index) => length === 1 || index % 3 === 0);

const titled = (paths: readonly Nesting[][]) => paths.map((path) => [path.join(' > '), path] as const);

/** The third level of a Latin square: no row and no column has a kind twice. */
function withThird([first = 'open', second = 'open']: readonly Nesting[]): Nesting[] {
  const third = NESTINGS[(NESTINGS.indexOf(first) + NESTINGS.indexOf(second)) % NESTINGS.length] ?? 'open';
  return [first, second, third];
}

test.each(rows(titled(DAILY), titled(PATHS.filter((path) => !DAILY.includes(path)))))(
  'observe() lists a button in %s, and act() clicks it by its selector',
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
