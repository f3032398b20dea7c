import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageTarget } from '../../src/cdp/page-target.ts';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { applicationSet } from './application-set.ts';
import { look, type Outcome, say } from './ask-page.ts';
import { instructionSet } from './instruction-set.ts';
import type { PageInstructions } from './instructions/instruction-case.ts';
import { type PageOutcomes, scoreOf, scoreTable, shareRefused, shareRight } from './score.ts';

const LEAST_RIGHT = 0.85;
const LEAST_REFUSED = 2 / 3;
const areApplicationsInstalled = existsSync(new URL('../../../../apps/node_modules/node-red', import.meta.url));

let browser: TestBrowser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchForTest(), serve()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe('the offline model on our own pages', () => {
  const pages: PageOutcomes[] = [];

  for (const instructions of instructionSet) {
    test(`reads what people say to ${instructions.page}`, async () => {
      const html = await readFile(new URL(`./pages/${instructions.page}`, import.meta.url), 'utf8');
      await browser.goto(server.page(`/${instructions.page}`, html));
      const outcomes = await sayAll(browser.page, instructions);
      pages.push({ page: instructions.page, outcomes });
      expect(outcomes).toHaveLength(instructions.cases.length);
    });
  }

  test('finds the right element nearly always, and rather refuses than guesses', () => {
    process.stdout.write(`\n${scoreTable(pages)}\n`);
    const score = scoreOf(pages.flatMap(({ outcomes }) => outcomes));
    expect(score.asked).toBeGreaterThanOrEqual(160);
    expect(shareRight(score)).toBeGreaterThanOrEqual(LEAST_RIGHT);
    expect(shareRefused(score)).toBeGreaterThanOrEqual(LEAST_REFUSED);
  });
});

describe.skipIf(!areApplicationsInstalled)('the offline model on applications of other people', () => {
  const pages: PageOutcomes[] = [];

  for (const application of applicationSet) {
    test(`reads what people say to ${application.page}`, { timeout: 90_000 }, async () => {
      const running = await application.start();
      try {
        await browser.goto(running.url);
        await untilVisible(browser.page, application.ready);
        const outcomes = await sayAll(browser.page, application);
        pages.push({ page: application.page, outcomes });
        expect(outcomes).toHaveLength(application.cases.length);
      } finally {
        await running.close();
      }
    });
  }

  test('finds the right element nearly always there too', () => {
    process.stdout.write(`\n${scoreTable(pages)}\n`);
    const score = scoreOf(pages.flatMap(({ outcomes }) => outcomes));
    expect(shareRight(score)).toBeGreaterThanOrEqual(LEAST_RIGHT);
    expect(shareRefused(score)).toBeGreaterThanOrEqual(LEAST_REFUSED);
  });
});

async function sayAll(page: PageTarget, { cases }: PageInstructions): Promise<Outcome[]> {
  const snapshot = await look(page);
  const outcomes: Outcome[] = [];
  for (const sentence of cases) outcomes.push(await say(page, snapshot, sentence));
  return outcomes;
}

/** Waits through shadow roots for an element; a selector with ` >> ` stays within one document here. */
async function untilVisible(page: PageTarget, selector: string): Promise<void> {
  const world = await page.frames.main.worlds.isolated;
  const waited = await world.call('waitFor', { selector }, { state: 'visible', timeout: 30_000, waitId: 1 });
  expect(waited).toEqual({ kind: 'met' });
}
