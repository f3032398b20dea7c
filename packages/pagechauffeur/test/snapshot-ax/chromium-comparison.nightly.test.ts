import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { type Comparison, compareWithChromium } from './compare.ts';
import { explainedDifferences } from './explained-differences.ts';
import { type ComparedPage, documentationPages, isInstalled, ownPages } from './pages.ts';

/** The share of elements that must be exactly as in Chromium's tree, over all pages. */
const REQUIRED_SHARE = 0.99;

describe('snapshot compared with the accessibility tree of Chromium', () => {
  let browser: TestBrowser;
  const totals = { compared: 0, different: 0 };

  beforeAll(async () => {
    browser = await launchForTest();
  });
  afterAll(() => browser.close());

  const compare = async ({ path }: ComparedPage): Promise<Comparison> => {
    await browser.goto(pathToFileURL(path).href);
    const comparison = await compareWithChromium(browser);
    totals.compared += comparison.compared;
    totals.different += comparison.differences.length;
    return comparison;
  };

  it.for(ownPages)('differs only where explained in the roles and names of the page "$name"', async (page) => {
    const { compared, differences } = await compare(page);
    expect(compared).toBeGreaterThan(0);
    expect(differences.toSorted()).toEqual(Object.keys(explainedDifferences[page.name] ?? {}).toSorted());
  });

  it.for(documentationPages)(
    'agrees in all roles and names of the installed documentation "$name"',
    { timeout: 60_000 },
    async (page, { skip }) => {
      skip(!isInstalled(page), `not on this machine: install the Debian package ${page.debianPackage}`);
      const { compared, differences } = await compare(page);
      expect(compared).toBeGreaterThan(10);
      expect(differences).toEqual([]);
    },
  );

  it('differs in at most one of a hundred elements over all pages', () => {
    const { compared, different } = totals;
    expect(ownPages.length).toBeGreaterThanOrEqual(22);
    expect(compared).toBeGreaterThan(300);
    expect((compared - different) / compared, `${compared} compared, ${different} different`).toBeGreaterThanOrEqual(
      REQUIRED_SHARE,
    );
  });
});
