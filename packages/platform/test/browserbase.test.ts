import { Browserbase } from '@browserbasehq/sdk';
import { expect, it } from 'vitest';
import { connectRaw } from './support/raw-client.ts';
import { usePlatform } from './support/use-platform.ts';

const shared = usePlatform({ capacity: 2 });

function client(apiKey = shared.key): Browserbase {
  return new Browserbase({ apiKey, baseURL: shared.platform.url, maxRetries: 0 });
}

/** Returns status and message of a failing call. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { status, message } = error as { status?: number; message: string };
  return `${status} ${message}`;
}

it('lets the Browserbase client create, find, inspect and release a session', async () => {
  const { sessions } = client();
  const created = await sessions.create({
    projectId: 'default',
    keepAlive: true,
    api_timeout: 90,
    userMetadata: { run: 'a' },
    browserSettings: { viewport: { width: 800, height: 600 } },
  });
  expect(created).toMatchObject({
    status: 'RUNNING',
    projectId: 'default',
    keepAlive: true,
    userMetadata: { run: 'a' },
  });
  expect(Math.round((Date.parse(created.expiresAt) - Date.parse(created.startedAt)) / 1000)).toBeLessThan(110);
  const raw = await connectRaw(created.connectUrl);
  expect((await raw.command('Browser.getVersion')).result).toMatchObject({
    product: expect.stringMatching(/^(Headless)?Chrome\//),
  });
  const { id } = created;
  expect(await sessions.retrieve(id)).toMatchObject({ id, connectUrl: expect.stringMatching(/^ws:/) });
  expect((await sessions.list({ status: 'RUNNING' })).map((session) => session.id)).toEqual([id]);
  const debug = await sessions.debug(id);
  expect(debug).toMatchObject({
    debuggerFullscreenUrl: expect.stringContaining(`/sessions/${id}/debug#view=`),
    wsUrl: expect.stringMatching(/^ws:/),
    pages: [{ id: expect.any(String), url: 'about:blank' }],
  });
  expect(await sessions.logs.list(id)).toEqual([]);
  expect(await sessions.update(id, { projectId: 'default', status: 'REQUEST_RELEASE' })).toMatchObject({
    status: 'COMPLETED',
  });
  expect((await raw.closed)[0]).toBe(4001);
  expect(await sessions.retrieve(id)).not.toHaveProperty('connectUrl');
});

it('returns errors to the Browserbase client for unsupported and unknown requests', async () => {
  const { sessions } = client();
  expect(await refusal(client('ck_0000000000000000.x').sessions.list())).toMatch(/^401 /);
  expect(await refusal(sessions.create({ projectId: 'another' }))).toMatch(/^403 .*project default/);
  expect(await refusal(sessions.create({ browserSettings: { blockAds: true } }))).toMatch(/^400 .*blockAds/);
  expect(await refusal(sessions.create({ proxies: true }))).toMatch(/^400 /);
  expect(await refusal(sessions.retrieve('00000000-0000-4000-8000-000000000000'))).toMatch(/^404 /);
  expect(await refusal(sessions.replays.retrieve('x'))).toMatch(/^404 /);
});
