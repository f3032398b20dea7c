import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { compareWithChromium } from './compare.ts';
import { explainedDifferences } from './explained-differences.ts';
import { type ComparedPage, documentationPages, isInstalled, ownPages } from './pages.ts';

/** The share of elements that must be exactly as in Chromium's tree, over all pages. */
const REQUIRED_SHARE = 0.99;

describe('A snapshot names every operable element as the accessibility tree of Chromium does', () => {
  let browser: TestBrowser;
  const totals = { compared: 0, different: 0 };

  beforeAll(async () => {
    browser = await launchForTest();
  });
  afterAll(() => browser.close());

  const compare = async (page: ComparedPage): Promise<void> => {
    await browser.goto(pathToFileURL(page.path).href);
    const { compared, differences } = await compareWithChromium(browser);
    totals.compared += compared;
    totals.different += differences.length;
    expect(compared).toBeGreaterThan(0);
    expect(differences.toSorted()).toEqual(Object.keys(explainedDifferences[page.name] ?? {}).toSorted());
  };

  it.each(ownPages)('on the page "$name"', compare);

  for (const page of documentationPages) {
    const title = `on the installed documentation "${page.name}"`;
    if (isInstalled(page)) it(title, () => compare(page), 60_000);
    else it.skip(`${title}: not here, install the Debian package ${page.debianPackage}`, () => {});
  }

  it('and differs in less than one element of a hundred over all pages, each difference explained', () => {
    expect(ownPages.length).toBeGreaterThanOrEqual(22);
    expect(totals.compared).toBeGreaterThan(300);
    expect((totals.compared - totals.different) / totals.compared).toBeGreaterThanOrEqual(REQUIRED_SHARE);
    console.log(`${totals.compared} elements compared, ${totals.different} explained differences`);
  });
});
