import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentResult } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { testFolder } from '../support/test-folder.ts';
import { type AgentShop, startAgentShop } from './agent-shop.ts';

let shop: AgentShop;
let running: TestDriver;

beforeAll(async () => {
  shop = await startAgentShop();
  running = await startDriver({ model: 'offline/lexical', cacheDir: join(testFolder(), 'cache') });
});

afterAll(async () => {
  await running?.driver.close();
  await shop?.server.close();
});

async function runTask(instruction: string): Promise<AgentResult> {
  shop.reset();
  await running.page.goto(`${shop.server.origin}/orders`);
  const variables = { user: 'ada@harbour.example', password: 'hunter2!' };
  return running.driver.agent().execute({ instruction, variables });
}

test('replays earlier steps, reads values again and replans from the first changed step', async () => {
  const instruction =
    'log in with %user% and %password%, open the second order, tell me its status and download its invoice';
  const first = await runTask(instruction);
  expect(first).toMatchObject({ success: true, message: 'On its way', metadata: { replayedSteps: 0 } });

  shop.server.page(
    '/order',
    `<h1>Order 1002</h1><dl><dt>Status</dt><dd>Delivered</dd></dl>
      <ul><li><a href="/terms">Terms</a></li><li><a href="/invoice?number=1002">Download the invoice of this order</a></li></ul>`,
  );
  const second = await runTask(instruction);
  expect(second).toMatchObject({ success: true, message: 'Delivered' });
  expect(second.metadata?.replayedSteps).toBeGreaterThanOrEqual(4);
  expect(second.actions.filter(({ tool }) => tool === 'fill')).toHaveLength(2);
  expect(shop.state.invoices).toEqual(['1002']);
});
