import { isDeepStrictEqual } from 'node:util';
import { applications } from '../../packages/pagechauffeur/test/agent-tasks/applications.ts';
import type { AgentTask, TaskApplication } from '../../packages/pagechauffeur/test/agent-tasks/agent-task.ts';
import type { AgentRunner, TaskRun } from '../agent/agent-runner.ts';
import { openChauffeurAgent } from '../agent/chauffeur-agent.ts';
import { openStagehandAgent } from '../agent/stagehand-agent.ts';
import { countSent } from '../agent/token-count.ts';
import { startChromium } from '../chromium.ts';
import { ownName } from '../library.ts';
import { formatNumber, goal, ratioOf, type FigureTable, type Goal, type Report, type Row } from '../report.ts';

const peerName = 'Stagehand 3';
/** Runs per task, of which the median counts. Other load on the machine makes single runs up to 50 % longer. */
const RUNS = 3;

interface Cost {
  readonly task: string;
  readonly library: string;
  readonly steps: number;
  readonly calls: number;
  readonly tokens: number;
  readonly repeatedTokens: number;
  readonly ms: number;
  /** True if the application confirms the outcome. */
  readonly isDone: boolean;
}

type Figure = 'calls' | 'tokens' | 'ms';

/** Runs tasks on whole applications with our agent and Stagehand's. Their models make the same decisions in no time. */
export async function benchmarkAgent(): Promise<Report> {
  // The AI SDK warns about the model object's version, which is the one that both libraries accept.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  await using browsers = new AsyncDisposableStack();
  const runners: AgentRunner[] = [];
  for (const open of [openChauffeurAgent, openStagehandAgent]) {
    const { url } = browsers.use(await startChromium());
    runners.push(browsers.use(await open(url)));
  }
  const costs: Cost[] = [];
  for (const application of applications) costs.push(...(await runTasks(application, runners)));
  const failed = new Set(costs.filter(({ isDone }) => !isDone).map(({ task }) => task));
  const common = costs.filter(({ task }) => !failed.has(task));
  const words = `all ${common.length / runners.length} tasks that both completed`;
  const sums = runners.map(({ name }) => sumOf(common, { library: name, task: words }));
  const versions = runners.map(({ name, version }) => `${name} ${version}`).join(' and ');
  return {
    title: `Tasks run by the agents of ${versions}`,
    rows: [...costs, ...sums].flatMap(rowsOf),
    goals: goalsFor(sums),
    table: tableOf([...costs, ...sums]),
  };
}

async function runTasks(application: TaskApplication, runners: readonly AgentRunner[]): Promise<readonly Cost[]> {
  const costs: Cost[] = [];
  for (const task of application.tasks.filter(({ isCompared = false }) => isCompared))
    for (const runner of runners) costs.push(await costOfTask(application, task, runner));
  return costs.toSorted((a, b) => Number(a.task > b.task) - Number(a.task < b.task));
}

/**
 * Returns the run of median time among the successful ones, or the first run if none succeeded. Each run starts the
 * application again.
 */
async function costOfTask(application: TaskApplication, task: AgentTask, runner: AgentRunner): Promise<Cost> {
  const runs: Cost[] = [];
  for (let count = 0; count < RUNS; count += 1) {
    const app = await application.start();
    try {
      const run = await runner.run({ task, url: app.url + (task.start ?? ''), ready: application.ready });
      const isDone = await proveOutcome({ task, run, url: app.url, runner });
      runs.push(costOf({ task: `${application.name}: ${task.name}`, library: runner.name, isDone }, run));
    } finally {
      await app.close();
    }
  }
  const done = runs.filter(({ isDone }) => isDone).toSorted((a, b) => a.ms - b.ms);
  const cost = done[Math.floor(done.length / 2)] ?? runs[0];
  if (!cost) throw new Error(`“${task.name}” was not run.`);
  return cost;
}

interface Proof {
  readonly task: AgentTask;
  readonly run: TaskRun;
  readonly url: string;
  readonly runner: AgentRunner;
}

/** Throws if our own agent fails a task. Another agent may fail. */
async function proveOutcome({ task, run: { message }, url, runner }: Proof): Promise<boolean> {
  const outcome = await task.outcome({ url, message, downloads: '' });
  if (isDeepStrictEqual(outcome, task.expected)) return true;
  if (runner.name !== ownName) return false;
  throw new Error(`${runner.name} failed “${task.name}”: ${JSON.stringify(outcome)}. Final message: ${message}`);
}

function costOf(place: Pick<Cost, 'task' | 'library' | 'isDone'>, { sent, steps, waitingMs }: TaskRun): Cost {
  const { input, repeated } = countSent(sent);
  return { ...place, steps, calls: sent.length, tokens: input, repeatedTokens: repeated, ms: waitingMs };
}

function sumOf(costs: readonly Cost[], place: Pick<Cost, 'task' | 'library'>): Cost {
  const own = costs.filter(({ library }) => library === place.library);
  const total = (figure: Exclude<keyof Cost, keyof typeof place | 'isDone'>): number =>
    own.reduce((sum, cost) => sum + cost[figure], 0);
  return {
    ...place,
    steps: total('steps'),
    calls: total('calls'),
    tokens: total('tokens'),
    repeatedTokens: total('repeatedTokens'),
    ms: total('ms'),
    isDone: true,
  };
}

function rowsOf({ task, library, isDone, ...figures }: Cost): Row[] {
  if (!isDone) return [];
  return (['calls', 'tokens', 'ms'] as const).map((unit) => {
    const value = figures[unit];
    return { subject: `${task}, ${unit}`, library, unit, median: value, min: value, max: value, runs: RUNS };
  });
}

function tableOf(costs: readonly Cost[]): FigureTable {
  return {
    heads: ['', 'library', 'steps', 'model calls', 'input tokens', 'per call', 'repeated', 'non-model time'],
    lines: costs.map(({ task, library, steps, calls, tokens, repeatedTokens, ms, isDone }) => [
      task,
      library,
      String(steps),
      String(calls),
      tokens.toLocaleString('en-US'),
      Math.round(tokens / calls).toLocaleString('en-US'),
      `${Math.round((repeatedTokens / tokens) * 100)} %`,
      isDone ? `${formatNumber(ms)} ms` : 'not done',
    ]),
  };
}

function goalsFor(sums: readonly Cost[]): Goal[] {
  const share = (figure: Figure): number | undefined => {
    const of = (name: string): number | undefined => sums.find(({ library }) => library === name)?.[figure];
    return ratioOf(of(ownName), of(peerName));
  };
  const limits = [
    ['calls', 0.5, 'model calls'],
    ['tokens', 0.25, 'input tokens'],
    ['ms', 0.3, 'time outside the model'],
  ] as const;
  return limits.flatMap(([figure, atMost, words]) => {
    const reached = share(figure);
    return reached === undefined
      ? []
      : [goal(`at most ${atMost} × ${peerName}'s ${words}`, reached, { atMost, unit: ' ×' })];
  });
}
