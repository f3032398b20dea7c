import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { DevToolsBrowser } from '../../src/browsers/grid/devtools-browser.ts';
import { silentLog } from '../support/silent-log.ts';

describe('DevToolsBrowser', () => {
  const own = new DevToolsBrowser({ executablePath: undefined, log: silentLog });
  const none = new DevToolsBrowser({ executablePath: '/nowhere/chromium', log: silentLog });
  afterAll(() => Promise.all([own.close(), none.close()]));

  /** Returns the message for an unknown version, which names the server's version. */
  async function ownVersion(): Promise<string> {
    const refusal = await own.open('Chrome/1.2.3.4', 'devtools_app.html').catch(String);
    return /server has Chromium (\d+)\./.exec(String(refusal))?.[1] ?? '';
  }

  it('serves files for its Chromium version, and rejects others with `not_found`', async () => {
    const version = await ownVersion();
    expect(version).toMatch(/^\d+$/);
    const file = await own.open(`Chrome/${version}.0.0.1`, 'devtools_app.html');
    expect(file?.type).toBe('text/html');
    expect(String(file && (await buffer(file.content)))).toContain('<script');
    expect(await own.open(`Chrome/${version}.0.0.1`, 'nothing.html')).toBeUndefined();
    await expect(own.open('Chrome/1.2.3.4', 'devtools_app.html')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('rejects with the reason if no browser is installed', async () => {
    await expect(none.open('Chrome/156.0.8078.79', 'devtools_app.html')).rejects.toThrow(
      'this browser has version 156, and the platform server has no Chromium with DevTools.',
    );
  });

  it('starts again for a request after `close()`', async () => {
    const version = await ownVersion();
    await own.close();
    const file = await own.open(`Chrome/${version}.0.0.1`, 'devtools_app.html');
    expect(String(file && (await buffer(file.content)))).toContain('<script');
  });
});
