import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';
import { advert, THEFTS, tryToSteal } from './focus-thieves.ts';

const browser = useBrowser();
/** Another origin of the same site, whose frames live in the page's process. */
let neighbour: TestServer;

beforeAll(async () => {
  neighbour = await serve();
});
afterAll(() => neighbour?.close());

const TRIES = 200;

test.each(THEFTS)(
  '$place that takes the focus ($moment) hears nothing of $typing in 200 tries',
  async (theft) => {
    neighbour.page('/advert', advert(theft));
    browser.server.page('/advert', advert(theft));
    const spoils = await tryToSteal(browser, neighbour.origin, { ...theft, tries: TRIES });
    expect(spoils).toMatchObject({ heard: '', wrong: 0 });
  },
  30 * 60_000,
);
