import { once } from 'node:events';

/** A page behind a plain CDP connection: the minimum that every client needs. */
export interface RawPage extends Disposable {
  /** Evaluates `1` this many times, one after another. */
  evaluate(times: number): Promise<void>;
}

/** Connects to a DevTools URL and attaches to the first page. */
export async function openRawPage(url: string): Promise<RawPage> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  let last = 0;
  const send = (method: string, params: object, sessionId?: string): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    last += 1;
    waiting.set(last, resolve);
    socket.send(JSON.stringify({ id: last, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    return promise;
  };
  const { targetInfos } = (await send('Target.getTargets', {})) as TargetList;
  const page = targetInfos.find(({ type }) => type === 'page');
  const attach = { targetId: page?.targetId, flatten: true };
  const { sessionId } = (await send('Target.attachToTarget', attach)) as { sessionId: string };
  return {
    evaluate: async (times) => {
      for (let time = 0; time < times; time += 1) await send('Runtime.evaluate', { expression: '1' }, sessionId);
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

interface TargetList {
  readonly targetInfos: readonly { readonly type: string; readonly targetId: string }[];
}
