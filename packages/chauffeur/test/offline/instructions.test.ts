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
const areApplicationsInstalled = existsSync(new URL('../../../../apps/node_modules', import.meta.url));

const everything: Outcome[] = [];

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
      everything.push(...outcomes);
      expect(outcomes).toHaveLength(instructions.cases.length);
    });
  }

  test('finds the right element nearly always', () => {
    process.stdout.write(`\n${scoreTable(pages)}\n`);
    const score = scoreOf(pages.flatMap(({ outcomes }) => outcomes));
    expect(shareRight(score)).toBeGreaterThanOrEqual(LEAST_RIGHT);
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
        everything.push(...outcomes);
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
  });
});

test('where the offline model is not right, it has mostly refused rather than guessed', () => {
  expect(everything.length).toBeGreaterThanOrEqual(160);
  expect(shareRefused(scoreOf(everything))).toBeGreaterThanOrEqual(LEAST_REFUSED);
});

async function sayAll(page: PageTarget, { cases }: PageInstructions): Promise<Outcome[]> {
  const snapshot = await look(page);
  const outcomes: Outcome[] = [];
  for (const sentence of cases) outcomes.push(await say(page, snapshot, sentence));
  return outcomes;
}

/** Waits until an application has drawn itself; each look also opens the shadow roots that came meanwhile. */
async function untilVisible(page: PageTarget, selector: string): Promise<void> {
  const world = await page.frames.main.worlds.isolated;
  let waited: { kind: string };
  do {
    await look(page);
    waited = await world.call('waitFor', { selector }, { state: 'visible', timeout: 30_000, waitId: 1 });
  } while (waited.kind === 'unexplored');
  expect(waited).toEqual({ kind: 'met' });
}
