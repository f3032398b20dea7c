import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FrameNode } from '../../src/cdp/frame-node.ts';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;
let browser: TestBrowser;

beforeAll(async () => {
  server = await serve({ '/leaf': '<title>leaf</title><p>leaf</p>', '/empty': '<title>empty</title>' });
  server.page('/branch', `<title>branch</title><iframe src="/leaf"></iframe>`);
  server.page('/far-branch', `<title>far branch</title><iframe src="${server.origin}/leaf"></iframe>`);
  browser = await launchForTest();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(() => browser.goto(`${server.origin}/empty`));

/** Loads a page with this body. */
async function show(body: string): Promise<void> {
  await browser.goto(server.page('/shown', `<!doctype html><title>shown</title>${body}`));
}

async function run(frame: FrameNode, script: string): Promise<unknown> {
  return (await frame.worlds.main).evaluate(script, null);
}

/** The frames by address, indented by depth, `*` for the topmost of a process; parents first. */
function outline(): string[] {
  const depth = (frame: FrameNode): number => (frame.parent ? depth(frame.parent) + 1 : 0);
  return browser.page.frames.frames.map(
    (frame) =>
      `${' '.repeat(depth(frame))}${frame.isLocalRoot ? '*' : ''}${frame.url.replace(server.origin, '').replace(server.otherOrigin, 'far')}`,
  );
}

function frameAt(index: number): FrameNode {
  const frame = browser.page.frames.frames[index];
  if (!frame) throw new TypeError(`there is no frame ${index}`);
  return frame;
}

/** Both worlds of a frame work, and belong to the document that it shows. */
async function expectWorlds(frame: FrameNode): Promise<void> {
  expect(await run(frame, 'location.href')).toBe(frame.url);
  expect(await (await frame.worlds.isolated).evaluate('typeof chauffeur', null)).toBe('object');
  expect(await run(frame, 'typeof chauffeur')).toBe('undefined');
}

describe('frame tree', () => {
  it('gives about:blank, srcdoc, data:, blob: and sandboxed frames both worlds', async () => {
    await show(`<iframe></iframe><iframe src="about:blank"></iframe><iframe srcdoc="<p>srcdoc</p>"></iframe>
      <iframe src="data:text/html,<p>data</p>"></iframe><iframe sandbox src="/leaf"></iframe><iframe sandbox="allow-scripts" src="/leaf"></iframe>
      <iframe id="blob"></iframe><script>document.querySelector('#blob').src = URL.createObjectURL(new Blob(['<p>blob</p>'], { type: 'text/html' }))</script>`);
    await expect.poll(() => outline().filter((line) => line.includes('blob:'))).toHaveLength(1);
    const { frames } = browser.page.frames;
    expect(frames).toHaveLength(8);
    for (const frame of frames) expect(await (await frame.worlds.isolated).call('xpaths', [])).toEqual([]);
    // Without scripts in the sandbox the main world is there all the same.
    for (const frame of frames) expect(await run(frame, '1')).toBe(1);
  });

  it('nests frames across processes to any depth', async () => {
    await show(
      `<iframe src="/branch"></iframe><iframe src="${server.otherOrigin}/branch"></iframe><iframe src="${server.otherOrigin}/far-branch"></iframe>`,
    );
    expect(outline()).toEqual([
      '*/shown',
      ' /branch',
      '  /leaf',
      ' *far/branch',
      '  far/leaf',
      ' *far/far-branch',
      '  */leaf',
    ]);
    for (const frame of browser.page.frames.frames) await expectWorlds(frame);
  });

  it('adds and removes frames with scripts of the page', async () => {
    const events: string[] = [];
    const { frames } = browser.page;
    const stops = [
      frames.events.on('attached', () => events.push('attached')),
      frames.events.on('detached', () => events.push('detached')),
    ];
    await run(frames.main, "document.body.append(Object.assign(document.createElement('iframe'), { src: '/branch' }))");
    await expect.poll(outline).toEqual(['*/empty', ' /branch', '  /leaf']);
    const leaf = frameAt(2);
    await expectWorlds(leaf);
    await run(frames.main, "document.querySelector('iframe').remove()");
    await expect.poll(outline).toEqual(['*/empty']);
    expect(leaf.isDetached).toBe(true);
    await expect(leaf.worlds.main).rejects.toThrow(/The frame http.*\/leaf was removed from the page/);
    expect(events).toEqual(['attached', 'attached', 'detached', 'detached']);
    for (const stop of stops) stop();
  });

  it('replaces a frame whose element moves in the document', async () => {
    await show('<div id="to"></div><iframe src="/leaf"></iframe>');
    const before = frameAt(1);
    await run(browser.page.frames.main, "document.querySelector('#to').append(document.querySelector('iframe'))");
    await expect.poll(() => browser.page.frames.frames[1]?.id).not.toBe(before.id);
    await expect.poll(outline).toEqual(['*/shown', ' /leaf']);
    expect(before.isDetached).toBe(true);
    await expectWorlds(frameAt(1));
  });

  it('updates the URL of a frame that moves to another process and back', async () => {
    await show('<iframe src="/branch"></iframe>');
    for (const [origin, expected] of [
      [server.otherOrigin, ['*/shown', ' *far/branch', '  far/leaf']],
      [server.origin, ['*/shown', ' /branch', '  /leaf']],
      [server.otherOrigin, ['*/shown', ' *far/branch', '  far/leaf']],
      [server.origin, ['*/shown', ' /branch', '  /leaf']],
    ] as const) {
      await run(browser.page.frames.main, `document.querySelector('iframe').src = '${origin}/branch'`);
      await expect.poll(outline).toEqual(expected);
      for (const frame of browser.page.frames.frames) await expectWorlds(frame);
      await frameAt(1).adopted;
      expect(await (await browser.page.frames.main.worlds.isolated).call('describeOwner', frameAt(1).id)).toMatchObject(
        { xpath: '/html[1]/body[1]/iframe[1]' },
      );
    }
  });

  it('removes frames with their parent document, also across processes', async () => {
    await show(`<iframe src="${server.otherOrigin}/branch"></iframe>`);
    expect(browser.page.frames.frames).toHaveLength(3);
    const main = browser.page.frames.main;
    await browser.goto(`${server.otherOrigin}/branch`);
    expect(outline()).toEqual(['*far/branch', ' far/leaf']);
    expect(browser.page.frames.main).toBe(main);
    for (const frame of browser.page.frames.frames) await expectWorlds(frame);
    await browser.goto(`${server.origin}/empty`);
    expect(outline()).toEqual(['*/empty']);
  });

  it('describes the owner elements of frames, also in shadow roots', async () => {
    await show(`<iframe src="/leaf"></iframe><div></div>
      <script>document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<iframe src="${server.otherOrigin}/leaf"></iframe>'</script>`);
    await Promise.all(browser.page.frames.frames.map((frame) => frame.adopted));
    const world = await browser.page.frames.main.worlds.isolated;
    const paths = [];
    for (const frame of browser.page.frames.frames.slice(1))
      paths.push((await world.call('describeOwner', frame.id))?.xpath);
    expect(new Set(paths)).toEqual(new Set(['/html[1]/body[1]/div[1]//iframe[1]', '/html[1]/body[1]/iframe[1]']));
  });

  it('has a new document after document.open() and after a reload', async () => {
    await show('<iframe src="/leaf"></iframe>');
    await run(
      browser.page.frames.main,
      "const { contentDocument } = document.querySelector('iframe'); contentDocument.open(); contentDocument.write('<p>written</p>'); contentDocument.close();",
    );
    expect(await run(frameAt(1), 'document.body.textContent')).toBe('written');
    expect(await (await frameAt(1).worlds.isolated).evaluate('typeof chauffeur', null)).toBe('object');
    const { loaderId } = frameAt(1);
    await run(browser.page.frames.main, "document.querySelector('iframe').contentWindow.location.reload()");
    await expect.poll(() => browser.page.frames.frames[1]?.loaderId).not.toBe(loaderId);
    await expect.poll(async () => run(frameAt(1), 'document.body.textContent')).toBe('leaf');
  });
});
