import { afterEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../support/failure-of.ts';
import { serve } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser({ routes: { '/': '<title>Here</title>', '/other': '<title>Other</title>' } });

afterEach(() => void vi.restoreAllMocks());

/** Of the commands that are sent from now on, those that leave a page, and when its manifest was asked for and told. */
function commandsOfLeaving(): string[] {
  const { session } = browser.page.target;
  const seen: string[] = [];
  const send = session.sendRaw.bind(session);
  vi.spyOn(session, 'sendRaw').mockImplementation(async (method, ...rest) => {
    if (/navigate|Manifest/.test(method)) seen.push(method);
    const answer = await send(method, ...rest);
    if (method === 'Page.getAppManifest') seen.push('answered');
    return answer;
  });
  return seen;
}

describe('leaving a page', () => {
  it('goto() and goBack() ask for the manifest before they leave for another origin of the site', async () => {
    const { page, server } = browser;
    await using near = await serve({ '/': '<title>Near</title>' });
    await page.goto(server.origin, { waitUntil: 'load' });
    const seen = commandsOfLeaving();
    await page.goto(near.origin, { waitUntil: 'load' });
    await page.goBack();
    expect(await page.title()).toBe('Here');
    expect(seen).toEqual([
      ...['Page.getAppManifest', 'answered', 'Page.navigate'],
      ...['Page.getAppManifest', 'answered', 'Page.navigateToHistoryEntry'],
    ]);
  });

  it('a newer goto() navigates although an older one is pending', async () => {
    const { page, server } = browser;
    await using near = await serve({ '/': () => undefined });
    await page.goto(server.origin, { waitUntil: 'load' });
    const older = failureOf(page.goto(near.origin));
    await page.goto(`${server.origin}/other`);
    expect(await older).toMatchObject({ code: 'NAVIGATION' });
    expect(page.url()).toBe(`${server.origin}/other`);
  });

  it.each([
    ['another page of its origin', () => `${browser.server.origin}/other`],
    ['another site', () => browser.server.otherOrigin],
    ['a data: URL', () => 'data:text/html,<title>Data</title>'],
  ])('goto() does not ask for the manifest before it opens %s', async (_where, address) => {
    const { page, server } = browser;
    await page.goto(server.origin, { waitUntil: 'load' });
    const seen = commandsOfLeaving();
    await page.goto(address(), { waitUntil: 'load' });
    expect(seen).toEqual(['Page.navigate']);
  });
});
