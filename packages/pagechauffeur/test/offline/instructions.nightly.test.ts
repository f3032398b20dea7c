import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageTarget } from '../../src/cdp/page-target.ts';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { rows } from '../support/nightly-rows.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { applicationSet } from './application-set.ts';
import { look, type Outcome, say } from './ask-page.ts';
import { blindSet } from './blind-set.ts';
import { instructionSet, isHeldOut } from './instruction-set.ts';
import type { InstructionCase, PageInstructions } from './instructions/instruction-case.ts';
import { looseSet } from './loose-set.ts';
import { scoreOf, scoreTable, shareRefused, shareRight } from './score.ts';

/** Each word has to be accounted for, so paraphrases are refused: they were guessed before. */
const MIN_RIGHT = 0.8;
const MIN_RIGHT_ELSEWHERE = 0.7;
/** Of the sentences that do not lead to the right element, so many are refused. */
const MIN_REFUSED = 0.95;
const areApplicationsInstalled = existsSync(new URL('../../../../apps/node_modules', import.meta.url));

const outcomesByPage = new Map<string, readonly Outcome[]>();
const outcomesBySet = new Map<string, Outcome[]>();

let browser: TestBrowser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchForTest(), serve()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe('offline model on our own pages', () => {
  for (const instructions of instructionSet) {
    test(`runs all instructions for ${instructions.page}`, async () => {
      const html = await readFile(new URL(`./pages/${instructions.page}`, import.meta.url), 'utf8');
      await browser.goto(server.page(`/${instructions.page}`, html));
      const outcomes = await sayAll(browser.page, instructions);
      await sayFrom('loose', looseSet, instructions.page);
      await sayFrom('blind', blindSet, instructions.page);
      expect(outcomes).toHaveLength(instructions.cases.length);
    });
  }
});

describe.skipIf(!areApplicationsInstalled)('offline model on third-party applications', () => {
  for (const application of rows(applicationSet.slice(0, 1), applicationSet.slice(1))) {
    test(`runs all instructions for ${application.page}`, { timeout: 90_000 }, async () => {
      const running = await application.start();
      try {
        await browser.goto(running.url);
        await untilVisible(browser.page, application.ready);
        const outcomes = await sayEach(browser.page, application.cases);
        outcomesByPage.set(application.page, outcomes);
        note('applications', outcomes);
        expect(outcomes).toHaveLength(application.cases.length);
      } finally {
        await running.close();
      }
    });
  }
});

describe('scores of the offline model', () => {
  const all = (): Outcome[] =>
    [...outcomesBySet].flatMap(([name, outcomes]) => (name === 'applications' ? [] : outcomes));

  test('finds the right element for at least 80 % of the instructions', () => {
    process.stdout.write(`\n${scoreTable(outcomesByPage)}\n\n${scoreTable(outcomesBySet)}\n`);
    const score = scoreOf(all());
    expect(score.asked).toBeGreaterThanOrEqual(160);
    expect(shareRight(score)).toBeGreaterThanOrEqual(MIN_RIGHT);
  });

  test('finds the right element for at least 70 % of the instructions on third-party applications', ({ skip }) => {
    skip(!areApplicationsInstalled);
    expect(shareRight(scoreOf(outcomesBySet.get('applications') ?? []))).toBeGreaterThanOrEqual(MIN_RIGHT_ELSEWHERE);
  });

  test('refuses at least 95 % of the instructions that it does not resolve, instead of guessing', () => {
    expect(shareRefused(scoreOf([...all(), ...(outcomesBySet.get('applications') ?? [])]))).toBeGreaterThanOrEqual(
      MIN_REFUSED,
    );
  });
});

/** Says all sentences for a page, and notes which half of the set each belongs to. */
async function sayAll(page: PageTarget, { page: name, cases }: PageInstructions): Promise<readonly Outcome[]> {
  const outcomes = await sayEach(page, cases);
  outcomesByPage.set(name, outcomes);
  note(
    'tuned on',
    outcomes.filter((_, index) => !isHeldOut(index)),
  );
  note(
    'held out',
    outcomes.filter((_, index) => isHeldOut(index)),
  );
  return outcomes;
}

async function sayFrom(setName: string, set: readonly PageInstructions[], pageName: string): Promise<void> {
  const cases = set.filter(({ page }) => page === pageName).flatMap((instructions) => instructions.cases);
  note(setName, await sayEach(browser.page, cases));
}

async function sayEach(page: PageTarget, cases: readonly InstructionCase[]): Promise<readonly Outcome[]> {
  const snapshot = await look(page);
  const outcomes: Outcome[] = [];
  for (const sentence of cases) outcomes.push(await say(page, snapshot, sentence));
  return outcomes;
}

function note(setName: string, outcomes: readonly Outcome[]): void {
  outcomesBySet.set(setName, [...(outcomesBySet.get(setName) ?? []), ...outcomes]);
}

/** Waits until an application has drawn itself; each look also opens the shadow roots that came meanwhile. */
async function untilVisible(page: PageTarget, selector: string): Promise<void> {
  const world = await page.frames.main.worlds.isolated;
  let waited: { kind: string };
  do {
    await look(page);
    waited = await world.call('waitFor', { selector }, { state: 'visible', timeout: 30_000 });
  } while (waited.kind === 'unexplored');
  expect(waited).toEqual({ kind: 'met' });
}
