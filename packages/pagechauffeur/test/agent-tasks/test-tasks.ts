import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningApp } from '../../../../apps/running-app.ts';
import type { AgentResult, ModelRequest } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import type { AgentTask, PlainTask, TaskApplication } from './agent-task.ts';
import { nextCalls } from './next-calls.ts';
import { rows } from '../support/nightly-rows.ts';

const areInstalled = existsSync(new URL('../../../../apps/node_modules', import.meta.url));

/** Carries out the tasks of applications in one browser, each by a model that decides by what it was shown. */
export function testTasks(applications: readonly TaskApplication[]): void {
  let started: TestDriver;
  let downloads: string;

  beforeAll(async () => {
    downloads = await mkdtemp(join(tmpdir(), 'chauffeur-tasks-'));
    started = await startDriver({ downloadsPath: downloads });
  });

  afterAll(async () => {
    await started?.driver.close();
    await rm(downloads, { recursive: true, force: true });
  });

  for (const application of applications) {
    describe.skipIf(!areInstalled)(`an agent on ${application.name}`, () => {
      let shared: RunningApp | undefined;

      afterAll(() => shared?.close());

      /** Carries a task out on the application: what its agent says of it, and what the application does. */
      const runTask = async (task: PlainTask, run: () => Promise<AgentResult>): Promise<Outcome> => {
        const app = application.isPerTask ? await application.start() : (shared ??= await application.start());
        try {
          for (const file of await readdir(downloads)) await rm(join(downloads, file));
          await started.page.goto(app.url + (task.start ?? ''));
          await started.page.waitForSelector(application.ready);
          const result = await run();
          const { success, message } = result;
          const outcome = await task.outcome({ url: app.url, message, downloads });
          return { success, failures: failedActions(result), outcome };
        } finally {
          if (application.isPerTask) await app.close();
        }
      };

      it.each(rows(application.tasks.slice(0, 3), application.tasks.slice(3)))(
        '$name',
        { timeout: 60_000 },
        async (task) => {
          const done = await runTask(task, () => decideBySight(started, task));
          expect(done).toEqual({ success: true, failures: [], outcome: task.expected });
        },
      );

      const plainTasks = [...application.tasks.filter(({ isPlain }) => isPlain), ...(application.plainTasks ?? [])];
      it.skipIf(plainTasks.length === 0).each(plainTasks)(
        '$name, without a model',
        { timeout: 60_000 },
        async (task) => {
          const { instruction, variables = {} } = task;
          const { driver, page } = started;
          const done = await runTask(task, () => driver.agent().execute({ instruction, variables, page }));
          expect(done).toEqual({ success: true, failures: [], outcome: task.expected });
        },
      );
    });
  }
}

/** What came of a task. */
interface Outcome {
  readonly success: boolean;
  /** What the agent tried in vain. */
  readonly failures: readonly string[];
  readonly outcome: unknown;
}

/** A model decides, of what it was shown, what was decided for the task, with one question a step. */
async function decideBySight({ driver, page }: TestDriver, task: AgentTask): Promise<AgentResult> {
  const { instruction, variables = {} } = task;
  const model = new ScriptedModel((request) => ({
    text: '',
    calls: nextCalls(task, model.requests.length - 1, shownIn(request)),
  }));
  const result = await driver.agent({ model }).execute({ instruction, variables, page });
  return result;
}

/** What a model was shown, oldest first. */
function shownIn({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(({ role, text, results = [] }) =>
    role === 'user' || role === 'tool' ? [...results.map((result) => result.text), text] : [],
  );
}

function failedActions({ actions }: AgentResult): readonly string[] {
  return actions.flatMap(({ tool, success, result }) => (success ? [] : [`${tool}: ${result}`]));
}
