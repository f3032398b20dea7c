import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DriverContext, type Page, type PermissionName } from '../../src/index.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let test: TestDriver;
let page: Page;
let context: DriverContext;

beforeAll(async () => {
  server = await serve({ '/': '<title>Site</title>' });
  test = await startDriver();
  ({ page } = test);
  ({ context } = test.driver);
  await page.goto(server.origin);
});

afterAll(async () => {
  await test?.driver.close();
  await server?.close();
});

afterEach(async () => {
  await context.clearPermissions();
  if (!page.url().startsWith(server.origin)) await page.goto(server.origin);
});

/** What the page is told about a permission. */
function stateOf(name: string, on: Page = page): Promise<unknown> {
  const descriptor = name === 'midi-sysex' ? { name: 'midi', sysex: true } : { name, userVisibleOnly: true };
  return on.evaluate(`navigator.permissions.query(${JSON.stringify(descriptor)}).then(({ state }) => state)`);
}

describe('grantPermissions()', () => {
  it.each<PermissionName>([
    'geolocation',
    'midi',
    'midi-sysex',
    'notifications',
    'push',
    'camera',
    'microphone',
    'clipboard-read',
    'local-fonts',
    'local-network-access',
    'persistent-storage',
    'window-management',
    'idle-detection',
    'display-capture',
    'periodic-background-sync',
  ])('grants %s, which is not granted by default', async (name) => {
    expect(await stateOf(name)).not.toBe('granted');
    await context.grantPermissions([name], { origin: server.origin });
    expect(await stateOf(name)).toBe('granted');
  });

  it.each<PermissionName>([
    'accelerometer',
    'ambient-light-sensor',
    'background-fetch',
    'background-sync',
    'clipboard-write',
    'gyroscope',
    'magnetometer',
    'nfc',
    'payment-handler',
    'screen-wake-lock',
    'storage-access',
  ])('accepts %s', async (name) => {
    await expect(context.grantPermissions([name])).resolves.toBeUndefined();
  });

  it('leaves other permissions unchanged', async () => {
    await context.grantPermissions(['geolocation']);
    expect([await stateOf('geolocation'), await stateOf('notifications')]).toEqual(['granted', 'prompt']);
  });

  it('adds to earlier grants', async () => {
    await context.grantPermissions(['geolocation']);
    await context.grantPermissions(['camera', 'notifications']);
    const states = await Promise.all(['geolocation', 'camera', 'notifications'].map((name) => stateOf(name)));
    expect(states).toEqual(['granted', 'granted', 'granted']);
  });

  it('changes nothing when the list is empty', async () => {
    await context.grantPermissions([]);
    expect(await stateOf('geolocation')).toBe('prompt');
  });

  it('grants to all origins without an `origin`', async () => {
    await context.grantPermissions(['geolocation']);
    expect(await stateOf('geolocation')).toBe('granted');
    await page.goto(server.otherOrigin);
    expect(await stateOf('geolocation')).toBe('granted');
  });

  it.each([
    ['an origin', (origin: string) => origin],
    ['a URL of the origin', (origin: string) => `${origin}/path?query#part`],
  ])('grants only to one origin when `origin` is %s', async (_title, address) => {
    await context.grantPermissions(['geolocation'], { origin: address(server.origin) });
    expect(await stateOf('geolocation')).toBe('granted');
    await page.goto(server.otherOrigin);
    expect(await stateOf('geolocation')).toBe('prompt');
  });

  it('applies to pages that open later and fires `change` in open pages', async () => {
    await page.evaluate(`navigator.permissions.query({ name: 'geolocation' }).then((status) => {
      window.states = [status.state];
      status.onchange = () => states.push(status.state);
    })`);
    await context.grantPermissions(['geolocation']);
    await expect.poll(() => page.evaluate('states')).toEqual(['prompt', 'granted']);
    const second = await context.newPage(server.origin);
    expect(await stateOf('geolocation', second)).toBe('granted');
    await second.close();
    await context.clearPermissions();
    await expect.poll(() => page.evaluate('states')).toEqual(['prompt', 'granted', 'prompt']);
  });

  it.each<[unknown, string]>([
    [['flying'], 'permissions must be among accelerometer, ambient-light-sensor, '],
    [['geolocation', 'Geolocation'], 'Received the string "Geolocation".'],
    [['toString'], 'Received the string "toString".'],
    [[5], 'Received the number 5.'],
    [[undefined], 'Received undefined.'],
    ['geolocation', 'permissions must be an array of names'],
    [undefined, 'permissions must be an array of names'],
  ])('refuses %j and grants nothing', async (permissions, message) => {
    expect(await failureOf(context.grantPermissions(permissions as never))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'permissions',
      message: expect.stringContaining(message),
    });
    expect(await stateOf('geolocation')).toBe('prompt');
  });

  it.each([['nonsense'], [''], [5], ['about:blank'], ['data:text/html,x']])('refuses the origin %j', async (origin) => {
    expect(await failureOf(context.grantPermissions(['geolocation'], { origin } as never))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'origin',
    });
  });
});

describe('clearPermissions()', () => {
  it('revokes grants to all origins and to one origin', async () => {
    await context.grantPermissions(['geolocation']);
    await context.grantPermissions(['camera'], { origin: server.origin });
    await context.clearPermissions();
    expect([await stateOf('geolocation'), await stateOf('camera')]).toEqual(['prompt', 'prompt']);
  });
});
