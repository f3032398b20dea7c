import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, longest first. Begun last, one of them would run when nothing is left for the other
 * processes; where vitest has run before it knows the times of all files, and needs no list.
 */
const LONGEST = [
  'agent-tasks/servers',
  'servers/killed-server',
  'agent-tasks/shop',
  'hostile/restless',
  'apps/examples',
  'launch/end-of-parent',
  'hostile/big-pages',
  'agent-tasks/pages',
  'grid/grid',
  'navigation/documents',
  'offline/instructions',
  'grid/distributed',
  'cache/actions',
  'bad-input/gone',
  'agent/replay',
  'agent/script',
  'cache/replay',
  'snapshot-ax/chromium-comparison',
  'waiting/network-idle',
  'act/effects',
  'act/methods',
  'agent/computer-use',
  'offline/agent',
  'driver/many-drivers',
  'hostile/documents',
  'context/storage-state',
  'tools/tools',
  'waiting/waits',
  'events/popups',
];

/** Begins with the test files that take longest; what is left is spread more evenly then. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the order of files, which gives a list of its own
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank < 0 ? LONGEST.length : rank;
}
