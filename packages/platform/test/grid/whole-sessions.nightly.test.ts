import { readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { firstPage } from '../../../pagechauffeur/test/support/driver-for-test.ts';
import { processesWith } from '../../../pagechauffeur/test/support/processes.ts';
import { BEGIN_MS, BILL, SOON, useGridSessions } from '../support/grid-sessions.ts';
import { noGrid } from '../support/use-grid.ts';

describe.skipIf(noGrid !== '')(`platform with Grid browsers${noGrid}`, () => {
  const shared = useGridSessions();

  it('runs a driver in a browser with the requested settings and network policy', async () => {
    const page = firstPage(shared.driver);
    await page.goto(shared.server.origin);
    expect(await page.evaluate('[innerWidth, innerHeight, navigator.userAgent]')).toEqual([900, 650, 'Some/1.0']);
    expect(await shared.driver.act('click Buy')).toMatchObject({ success: true });
    expect(await page.title()).toBe('Bought');
    await expect(page.goto('http://169.254.169.254/latest/meta-data')).rejects.toThrow(
      "the platform's network policy refuses this host",
    );
  });

  it('fetches downloads from the machine of the browser', async () => {
    const page = firstPage(shared.driver);
    await page.goto(shared.server.origin);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Bill').click()]);
    expect(download.suggestedFilename()).toBe('bill.txt');
    expect((await readFile(await download.path(), 'utf8')) === BILL).toBe(true);
    const missing = `/v1/sessions/${shared.driver.remoteSessionID}/downloads/00000000-0000-4000-8000-000000000000`;
    expect(await shared.ask('GET', missing)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it(
    'resumes a session for another driver or server, hides its Grid id, and ends it on the Grid',
    { timeout: BEGIN_MS },
    async () => {
      const id = shared.driver.remoteSessionID ?? '';
      const secret = (await shared.gridId(id)) ?? '';
      expect(secret).toMatch(/^[\da-f]{32}$/);
      await shared.driver.close();
      const second = await shared.open({ remoteSessionID: id, keepAlive: false });
      expect(await firstPage(second).title()).toBe('Shop');
      const told = JSON.stringify([await shared.sessionOf(id), (await shared.ask('GET', '/v1/sessions')).body]);
      expect(told).toContain(id);
      expect(told).not.toContain(secret);
      const { signal } = new AbortController();
      const held = shared.platform.sessionManager.live.get(id)?.browser;
      const { handle = '', url = '' } = held ?? {};
      const { backend } = shared.platform;
      await held?.leave?.();
      const taken = await backend.adopt?.(id, handle, signal);
      expect(taken).toMatchObject({ sessionId: id, url });
      await second.close();
      expect((await shared.sessionOf(id))['status']).toBe('COMPLETED');
      expect(await backend.adopt?.(id, handle, signal)).toBeUndefined();
      await taken?.end();
      await expect.poll(() => shared.sessions(), SOON).toEqual(new Map());
      await vi.waitFor(() => expect(processesWith(`--user-data-dir=${shared.grid.folder}`)).toEqual([]), SOON);
    },
  );
});
