/**
 * Compares a command to a browser on a Grid, through the platform and through the bare Grid, turn by turn on the same
 * page: `node scripts/grid/measure-commands.ts [rounds]`. Then times what begins and ends a session.
 */
import { once } from 'node:events';
import { startPlatform } from '../../packages/platform/src/platform.ts';
import { findGridMachine } from './grid-requirements.ts';
import { startGrid } from './start-grid.ts';

const ROUNDS = Number(process.argv[2] ?? 1000);
const WARM_UP = 200;
const CREATES = 5;

interface Way {
  readonly name: string;
  /** Sends a command and gives the milliseconds until its answer. */
  ask(): Promise<number>;
}

async function openWay(name: string, url: string): Promise<Way & Disposable> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const waiting = new Map<number, (message: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Answer;
    waiting.get(message.id ?? 0)?.(message);
  });
  let last = 0;
  const send = (method: string, params: object, sessionId?: string): Promise<Answer> => {
    last += 1;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.set(last, resolve);
    socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    return promise;
  };
  const { targetInfos = [] } = (await send('Target.getTargets', {})).result;
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId;
  const { sessionId } = (await send('Target.attachToTarget', { targetId, flatten: true })).result;
  const ask = async (): Promise<number> => {
    const start = performance.now();
    await send('Runtime.evaluate', { expression: '1' }, sessionId);
    return performance.now() - start;
  };
  return { name, ask, [Symbol.dispose]: () => socket.close() };
}

interface Answer {
  readonly id?: number;
  readonly result: {
    readonly sessionId?: string;
    readonly targetInfos?: readonly { readonly type: string; readonly targetId: string }[];
  };
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
}

function row(name: string, times: readonly number[]): string {
  const [median, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  return `| ${name} | ${median.toFixed(2)} ms | ${p95.toFixed(2)} ms |`;
}

async function main(): Promise<void> {
  const machine = findGridMachine();
  if (typeof machine === 'string') throw new TypeError(`No grid can run here: ${machine}.`);
  await using grid = await startGrid({ machine });
  const options = { database: ':memory:', port: 0, logLevel: 'fatal', egressPort: 0 };
  await using platform = await startPlatform({ ...options, grid: [grid.url] });
  const headers = { authorization: `Bearer ${platform.firstKey ?? ''}`, 'content-type': 'application/json' };
  const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(platform.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, unknown>;
  };
  const session = await ask('/v1/sessions', { keepAlive: true });
  const bare = platform.desk.live.get(String(session['id']))?.browser.url ?? '';
  using through = await openWay('through the platform and the grid', String(session['connectUrl']));
  using without = await openWay('through the bare grid', bare);
  const times = new Map<Way, number[]>([through, without].map((way) => [way, []]));
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1)
    for (const [way, known] of times) {
      const ms = await way.ask();
      if (round >= WARM_UP) known.push(ms);
    }
  console.log('| a command | median | 95 % |\n| --- | --- | --- |');
  for (const [{ name }, known] of times) console.log(row(name, known));
  const ratio = quantile(times.get(through) ?? [], 0.5) / quantile(times.get(without) ?? [], 0.5);
  console.log(`ratio of the medians: ${ratio.toFixed(2)}\n`);
  await ask(`/v1/sessions/${String(session['id'])}`, { status: 'REQUEST_RELEASE' });
  await measureLives(ask, grid.ask.bind(grid));
}

async function timed<T>(known: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  known.push(performance.now() - start);
  return result;
}

/** Sessions from their request to their end, by the platform and by the bare Grid in turn. */
async function measureLives(
  ask: (path: string, body: object) => Promise<Record<string, unknown>>,
  askGrid: (path: string, request: { method: string; body?: object }) => Promise<Response>,
): Promise<void> {
  const times = {
    created: [] as number[],
    released: [] as number[],
    bareCreated: [] as number[],
    bareDeleted: [] as number[],
  };
  const chromeOptions = { args: ['--headless=new'] };
  const body = { capabilities: { alwaysMatch: { browserName: 'chrome', 'goog:chromeOptions': chromeOptions } } };
  for (let round = 0; round < CREATES; round += 1) {
    const session = await timed(times.created, () => ask('/v1/sessions', {}));
    await timed(times.released, () => ask(`/v1/sessions/${String(session['id'])}`, { status: 'REQUEST_RELEASE' }));
    const answer = await timed(times.bareCreated, () => askGrid('/session', { method: 'POST', body }));
    const { value } = (await answer.json()) as { readonly value: { readonly sessionId: string } };
    await timed(times.bareDeleted, () => askGrid(`/session/${value.sessionId}`, { method: 'DELETE' }));
  }
  console.log('| a session | median | 95 % |\n| --- | --- | --- |');
  console.log(row('created by the platform', times.created));
  console.log(row('created by the bare grid', times.bareCreated));
  console.log(row('released at the platform', times.released));
  console.log(row('deleted at the bare grid', times.bareDeleted));
}

await main();
