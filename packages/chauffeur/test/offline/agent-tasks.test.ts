import { afterAll, beforeAll, expect, it } from 'vitest';
import { shop } from '../agent-tasks/applications/shop.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';

/**
 * What is said clause by clause. The other tasks leave steps to be thought of, but for two with the table of a thousand orders, of
 * which the demo does one.
 */
const IN_REACH: ReadonlySet<string> = new Set([
  'takes one of two things out of the cart again',
  'answers the bar for cookies and subscribes to the newsletter',
]);
const tasks = shop.tasks.filter(({ name }) => IN_REACH.has(name));

let running: TestDriver;

beforeAll(async () => {
  running = await startDriver({ model: 'offline/lexical' });
});

afterAll(async () => {
  await running?.driver.close();
});

it.each(tasks)(
  'the offline agent $name',
  { timeout: 60_000 },
  async ({ instruction, variables = {}, start = '', outcome, expected }) => {
    const app = await shop.start();
    try {
      await running.page.goto(app.url + start);
      const result = await running.driver.agent().execute({ instruction, variables });
      expect(result).toMatchObject({ success: true, completed: true });
      expect(await outcome({ url: app.url, message: result.message, downloads: '' })).toEqual(expected);
    } finally {
      await app.close();
    }
  },
);

it('has all of these tasks', () => {
  expect(tasks).toHaveLength(IN_REACH.size);
});
