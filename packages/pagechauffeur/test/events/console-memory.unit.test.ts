import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { PageTarget } from '../../src/cdp/page-target.ts';
import type { ConsoleMessage } from '../../src/page/console-message.ts';
import { ConsoleSource } from '../../src/page/console-source.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('releases a console message after emitting it', async () => {
  let log: (fired: object) => void = () => undefined;
  const page = {
    scripts: {
      on: (_event: string, listener: typeof log) => {
        log = listener;
        return () => undefined;
      },
    },
    sessions: [],
    events: { on: () => () => undefined },
  };
  const properties = [{ name: 'text', enumerable: true, value: { type: 'string', value: 'text' } }];
  const session = { send: async () => ({ result: properties }) };
  const kept: WeakRef<object>[] = [];
  const emit = (message: ConsoleMessage): void => void kept.push(new WeakRef(message.args()[0] as object));
  const source = new ConsoleSource(page as unknown as PageTarget, emit);
  for (let count = 1; count <= 3; count += 1) {
    log({ session, call: { type: 'log', args: [{ type: 'object', objectId: '1', description: 'Object' }] } });
    await expect.poll(() => kept.length).toBe(count);
  }
  await setImmediate();
  collectGarbage();
  expect(kept.map((message) => message.deref())).toEqual([undefined, undefined, undefined]);
  source.stop();
});
