import { expect, it } from 'vitest';
import type { World } from '../../src/cdp/world.ts';
import { openClosedRoots } from '../../src/cdp/closed-roots.ts';
import { launchForTest } from '../support/launch-for-test.ts';

const NO_NODE = 987_654;

it('openClosedRoots() skips a closed root that left the document before it was opened', async () => {
  await using browser = await launchForTest();
  const world = await browser.page.frames.main.worlds.isolated;
  const { session } = world;
  const told = [[{ value: { shadowRoot: { value: { mode: 'closed', backendNodeId: NO_NODE } } } }], []];
  const changing = {
    session,
    call: world.call.bind(world),
    handleOf: world.handleOf.bind(world),
    callForNodes: () => Promise.resolve(told.shift()),
  } as unknown as World;
  expect(await openClosedRoots(changing)).toBe(true);
  expect(told).toEqual([]);
});
