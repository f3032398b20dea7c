import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files, slowest first. If one of them started last, the other workers would be idle. After the first
 * run vitest
 * knows all durations and needs no list.
 */
const LONGEST = [
  'apps/examples',
  'agent-tasks/servers',
  'hostile/restless',
  'navigation/documents',
  'grid/grid',
  'hostile/big-pages',
  'remote/dashboard',
  'cache/actions',
  'network/domain-policy',
  'bad-input/gone',
  'launch/end-of-parent',
  'hostile/documents',
  'offline/agent',
  'agent-tasks/pages',
  'grid/distributed',
  'driver/many-drivers',
  'waiting/network-idle',
  'frames/frame-locator',
  'act/effects',
  'act/methods',
  'agent-tasks/shop',
  'driver/closing',
  'events/downloads',
  'locator/act',
  'launch/arguments',
  'launch/profile',
  'network/route',
  'context/clipboard',
  'snapshot-ax/chromium-comparison',
  'cache/replay',
  'snapshot/tokens',
  'context/storage-state',
  'injected/acting/settle',
  'input/actionability',
  'remote/sessions',
  'events/dialogs',
  'input/coordinates',
  'agent/replay',
  'odd-pages/acting',
];

/** Starts with the slowest test files, which balances the workers. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the order of files, which gives a list of its own
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.replace('.nightly.', '.').endsWith(`/test/${name}.test.ts`));
  return rank < 0 ? LONGEST.length : rank;
}
