/**
 * Stops one component of a platform after another: two servers with one PostgreSQL and one Redis in front of a
 * distributed Grid. Prints what users saw, how long it took, and which resources were left over. `npm run faults -- 12
 * redis` uses 12 sessions and runs only the faults with "redis" in their names. The results are in docs/grid.md.
 */
import {
  browserKilled,
  clientKilled,
  gridFull,
  largeMessages,
  sessionGivenUp,
  tokenExpired,
} from './faults/browser-faults.ts';
import {
  distributorKilled,
  foldersLeft,
  nodeKilled,
  otherNodeFrozen,
  otherNodeKilled,
  routerKilled,
} from './faults/grid-faults.ts';
import { networkCut, networkSlow } from './faults/network-faults.ts';
import { type Outcome, sayingOf } from './faults/outcome.ts';
import {
  placesInOrder,
  postgresAwayFromActs,
  postgresRestarted,
  redisRestarted,
  serverFrozen,
  serverKilled,
  serverReplaced,
  twoStores,
} from './faults/server-faults.ts';
import { releaseAll, setStage, type Stage } from './faults/stage.ts';
import { tellLeft, whatIsLeft } from './faults/what-is-left.ts';
import { findGridMachine } from './grid/grid-requirements.ts';

const SESSIONS = 20;

type Fault = readonly [name: string, prove: (stage: Stage) => Promise<readonly Outcome[]>];

const [count = String(SESSIONS), ...words] = process.argv.slice(2);
const slots = Number(count);
const faults: readonly Fault[] = [
  ['browser', browserKilled],
  ['given up', sessionGivenUp],
  ['messages', largeMessages],
  ['token', tokenExpired],
  ['client', clientKilled],
  ['slow', networkSlow],
  ['cut', networkCut],
  ['redis', redisRestarted],
  ['postgres', postgresRestarted],
  ['acts', postgresAwayFromActs],
  ['stores', twoStores],
  ['frozen', serverFrozen],
  ['server killed', (stage) => serverKilled(stage, slots)],
  ['server replaced', (stage) => serverReplaced(stage, slots)],
  ['full', (stage) => gridFull(stage, slots)],
  ['turns', (stage) => placesInOrder(stage, slots)],
  ['folders', foldersLeft],
  ['distributor', distributorKilled],
  ['router', routerKilled],
  ['node', nodeKilled],
  ['other half', otherNodeKilled],
  ['half frozen', otherNodeFrozen],
];

try {
  await proveAll();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
// Drivers from failed steps may still wait for their sessions.
process.exit();

async function proveAll(): Promise<void> {
  const machine = findGridMachine();
  if (typeof machine === 'string') throw new TypeError(`Cannot run a Grid here: ${machine}.`);
  await using stack = new AsyncDisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stack.disposeAsync().then(() => process.exit(1)));
  const stage = await setStage(stack, machine, slots);
  console.log('| fault | outcome for the user | after | left over | after |\n| --- | --- | --- | --- | --- |');
  for (const fault of faults)
    if (words.length === 0 || words.some((word) => fault[0].includes(word))) await tell(stage, fault);
}

async function tell(stage: Stage, [name, prove]: Fault): Promise<void> {
  const outcomes = await prove(stage).catch(async (error: unknown): Promise<readonly Outcome[]> => {
    process.exitCode = 1;
    await releaseAll(stage);
    return [[`FAILED: ${name}`, sayingOf(error), 0]];
  });
  const { left, ms } = await whatIsLeft(stage);
  for (const [index, [fault, seen, after]] of outcomes.entries()) {
    const rest = index === outcomes.length - 1 ? `${tellLeft(left)} | ${seconds(ms)}` : ' | ';
    console.log(`| ${fault} | ${seen} | ${seconds(after)} | ${rest} |`);
  }
  if (tellLeft(left) !== 'nothing') process.exitCode = 1;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
