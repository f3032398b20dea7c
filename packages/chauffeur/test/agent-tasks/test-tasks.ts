import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningApp } from '../../../../apps/running-app.ts';
import type { AgentResult, ModelRequest } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import type { AgentTask, TaskApplication } from './agent-task.ts';
import { nextCalls } from './next-calls.ts';

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

      it.each(application.tasks)('$name', { timeout: 60_000 }, async (task) => {
        const app = application.isPerTask ? await application.start() : (shared ??= await application.start());
        try {
          const { result, questions } = await carryOut(started, { application, task, url: app.url });
          expect(failedActions(result)).toEqual([]);
          expect(result).toMatchObject({ success: true, completed: true });
          expect(questions).toBe(task.steps.length);
          const { message } = result;
          expect(await task.outcome({ url: app.url, message, downloads })).toEqual(task.expected);
        } finally {
          if (application.isPerTask) await app.close();
        }
      });
    });
  }
}

interface Assignment {
  readonly application: TaskApplication;
  readonly task: AgentTask;
  readonly url: string;
}

async function carryOut(
  { driver, page }: TestDriver,
  { application, task, url }: Assignment,
): Promise<{ result: AgentResult; questions: number }> {
  await page.goto(url + (task.start ?? ''));
  await page.waitForSelector(application.ready);
  const { instruction, variables = {} } = task;
  const model = new ScriptedModel((request) => ({
    text: '',
    calls: nextCalls(task, model.requests.length - 1, shownIn(request)),
  }));
  const result = await driver.agent({ model }).execute({ instruction, variables, page });
  return { result, questions: model.requests.length };
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
