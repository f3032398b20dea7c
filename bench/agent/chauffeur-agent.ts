import { setTimeout } from 'node:timers/promises';
import { createRequire } from 'node:module';
import { Driver } from '../../packages/pagechauffeur/dist/index.js';
import { nextCalls } from '../../packages/pagechauffeur/test/agent-tasks/next-calls.ts';
import type { AgentTask } from '../../packages/pagechauffeur/test/agent-tasks/agent-task.ts';
import { ownName } from '../library.ts';
import { type AgentRunner, type Assignment, REST_MS, type TaskRun } from './agent-runner.ts';
import { type Answer, MeasuredModel, type Question, shownTexts } from './measured-model.ts';

const { version } = createRequire(import.meta.url)('../../packages/pagechauffeur/package.json') as { version: string };

export async function openChauffeurAgent(cdpUrl: string): Promise<AgentRunner> {
  const script = new Script();
  const model = new MeasuredModel((question) => script.answer(question));
  const driver = new Driver({ env: 'LOCAL', localBrowserLaunchOptions: { cdpUrl }, model, verbose: 0 });
  await driver.init();
  const [page] = driver.context.pages();
  if (!page) throw new Error('chauffeur found no page in the attached browser.');
  const run = async ({ task, url, ready }: Assignment): Promise<TaskRun> => {
    await page.goto(url);
    await page.waitForSelector(ready);
    await setTimeout(REST_MS);
    script.begin(task);
    const { instruction, variables = {} } = task;
    const start = performance.now();
    const { message } = await driver.agent().execute({ instruction, variables });
    const total = performance.now() - start;
    const { sent, ms } = model.takeRecord();
    return { sent, steps: sent.length, waitingMs: total - ms, message };
  };
  return { name: ownName, version, run, [Symbol.asyncDispose]: () => driver.close() };
}

/** Answers each request with the next decision of the task. */
class Script {
  #task: AgentTask | undefined;
  #step = 0;

  begin(task: AgentTask): void {
    this.#task = task;
    this.#step = 0;
  }

  answer(question: Question): Answer {
    if (!this.#task) throw new Error('No task has started. Call begin() first.');
    const calls = nextCalls(this.#task, this.#step, shownTexts(question));
    this.#step += 1;
    return calls.map(({ tool, input }, index) => ({
      type: 'tool-call' as const,
      toolCallId: `${this.#step}-${index}`,
      toolName: tool,
      input: JSON.stringify(input),
    }));
  }
}
