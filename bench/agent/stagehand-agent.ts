import { setTimeout } from 'node:timers/promises';
import { createRequire } from 'node:module';
import { AISdkClient, Stagehand } from '@browserbasehq/stagehand';
import { type AgentRunner, type Assignment, REST_MS, type TaskRun } from './agent-runner.ts';
import { type LanguageModel, MeasuredModel } from './measured-model.ts';
import { StagehandScript } from './stagehand-script.ts';

const { version } = createRequire(import.meta.url)('@browserbasehq/stagehand/package.json') as { version: string };

export async function openStagehandAgent(cdpUrl: string): Promise<AgentRunner> {
  const script = new StagehandScript();
  const model = new MeasuredModel((question) => script.answer(question));
  const stagehand = new Stagehand({
    env: 'LOCAL',
    localBrowserLaunchOptions: { cdpUrl },
    llmClient: new ModelOfAgent(model),
    verbose: 0,
    disablePino: true,
  });
  await stagehand.init();
  const page = stagehand.context.pages()[0];
  if (!page) throw new Error('Stagehand found no page in the attached browser.');
  const agent = stagehand.agent({ mode: 'dom' });
  const run = async ({ task, url, ready }: Assignment): Promise<TaskRun> => {
    await page.goto(url);
    await page.waitForSelector(ready);
    await setTimeout(REST_MS);
    script.begin(task);
    const { instruction, variables = {} } = task;
    const start = performance.now();
    const { message } = await agent.execute({ instruction, variables, maxSteps: 60 });
    const total = performance.now() - start;
    const { sent, ms } = model.takeRecord();
    return { sent, steps: script.steps, waitingMs: total - ms, message };
  };
  return { name: 'Stagehand 3', version, run, [Symbol.asyncDispose]: () => stagehand.close() };
}

/** Stagehand's agent also reads the model object from the client. */
class ModelOfAgent extends AISdkClient {
  readonly #languageModel: LanguageModel;

  constructor(model: LanguageModel) {
    super({ model });
    this.#languageModel = model;
  }

  override getLanguageModel(): LanguageModel {
    return this.#languageModel;
  }
}
