import { expect, it } from 'vitest';
import { DriverNotInitializedError, Driver } from '../../src/index.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';
import { startDriver } from '../support/driver-for-test.ts';

const FORM = `<h1>Profile</h1><label>Name <input id=name></label><label><input type=checkbox> News</label>
  <button onclick="document.querySelector('#said').textContent = 'Saved ' + document.querySelector('#name').value">Save</button><p id=said></p>`;

// [spec: life-calls.agent, other-types.AgentConfig]
it('completes a task with one model call per step and several tool calls in one step, and reports each', async () => {
  const model = new ScriptedModel([
    (request) => ({
      text: 'The form first.',
      calls: [
        { tool: 'fill', input: { ref: refOf(request, { role: 'textbox', name: 'Name' }), text: '%who%' } },
        { tool: 'check', input: { ref: refOf(request, { role: 'checkbox', name: 'News' }) } },
        { tool: 'click', input: { ref: refOf(request, { role: 'button', name: 'Save' }) } },
      ],
    }),
    { text: '', calls: [{ tool: 'done', input: { success: true, message: 'The profile is saved.' } }] },
  ]);
  await using started = await startDriver({ llmClient: model });
  await started.page.setContent(FORM);
  const result = await started.driver.agent().execute({
    instruction: 'Enter %who% as the name, subscribe to the news, and save',
    variables: { who: 'Ada Lovelace' },
  });
  expect(result).toMatchObject({ success: true, completed: true, message: 'The profile is saved.' });
  expect(result.actions.map(({ tool, success, effect, step }) => [tool, success, effect, step])).toEqual([
    ['fill', true, 'changed', 1],
    ['check', true, 'changed', 1],
    ['click', true, 'changed', 1],
    ['done', true, undefined, 2],
  ]);
  expect(await started.page.locator('#said').textContent()).toBe('Saved Ada Lovelace');
  expect(model.requests).toHaveLength(2);
});

it('throws from `agent()` before `init()`', () => {
  const driver = new Driver({ env: 'LOCAL', disableLoggerBackend: true });
  expect(() => driver.agent()).toThrow(DriverNotInitializedError);
});
