import { expect, it } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';
import { churn, clickOn } from './during-acts.ts';

const browser = useBrowser({ routes: { '/blank': '<title>Blank</title>' } });

it('clicks on a page that adds and removes 50 frames per second', { timeout: 180_000 }, async () => {
  const { success, hits } = await clickOn(browser, churn(20));
  expect({ success, hits }).toEqual({ success: true, hits: 'clicked' });
});
