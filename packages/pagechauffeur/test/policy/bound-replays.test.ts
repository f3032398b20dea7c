import { beforeEach, describe, expect, it } from 'vitest';
import { on, runTask, done } from '../agent/task-bench.ts';
import { choose, useCache } from '../cache/cache-bench.ts';
import { failureOf } from '../support/failure-of.ts';

const SECRET = 'Zanzibar-77';
const bench = useCache();
let number = 0;

/** Opens a page whose sign-in form is in a frame of this origin. Its URL is always the same. */
async function openWithFrameOf(origin: string): Promise<void> {
  bench.server.page(`/form-${number}`, '<label>Password <input></label>');
  await bench.open(`<title>Sign in</title><iframe src="${origin}/form-${number}"></iframe>`, `/sign-in-${number}`);
}

async function held(): Promise<unknown> {
  return bench.page.frames()[1]?.evaluate("document.querySelector('input').value");
}

beforeEach(() => {
  number += 1;
});

describe('bound variable of a stored step', () => {
  it('act() does not type it when the frame belongs to another site', async () => {
    const { origin, otherOrigin } = bench.server;
    const variables = { password: { value: SECRET, origins: [origin] } };
    const answer = choose({ role: 'textbox', name: 'Password', method: 'fill', arguments: ['%password%'] });
    await openWithFrameOf(origin);
    bench.answer = answer;
    await bench.driver.act('type %password% into Password', { variables });
    expect(await held()).toBe(SECRET);

    await openWithFrameOf(otherOrigin);
    bench.answer = answer;
    const failure = await failureOf(bench.driver.act('type %password% into Password', { variables }));
    expect(failure).toMatchObject({ code: 'VARIABLE_ORIGIN', origin: otherOrigin });
    expect(await held()).toBe('');
  });

  it('act() with an observed action does not type it in a frame of another site', async () => {
    const { origin, otherOrigin } = bench.server;
    const variables = { password: { value: SECRET, origins: [origin] } };
    await openWithFrameOf(origin);
    const [action] = (await bench.driver.observe()).filter(({ description }) => description.includes('Password'));
    if (!action) throw new TypeError('observe lists the field');
    await openWithFrameOf(otherOrigin);
    const step = { ...action, method: 'fill', arguments: ['%password%'] };
    expect(await failureOf(bench.driver.act(step, { variables }))).toMatchObject({ code: 'VARIABLE_ORIGIN' });
    expect(await held()).toBe('');
  });

  it('an agent replay does not type it in a frame of another site', async () => {
    const { origin, otherOrigin } = bench.server;
    const task = { instruction: 'Enter %password% as the password', variables: { password: SECRET } };
    await openWithFrameOf(origin);
    await runTask(bench, task, [[on('fill', 'textbox', 'Password', { text: '%password%' })], [done('It is entered.')]]);
    expect(await held()).toBe(SECRET);

    await openWithFrameOf(otherOrigin);
    const { result } = await runTask(bench, task, [
      [on('fill', 'textbox', 'Password', { text: '%password%' })],
      [done('It cannot be entered.', { success: false })],
    ]);
    expect(await held()).toBe('');
    expect(result.success).toBe(false);
  });
});
