import { expect, it } from 'vitest';
import { FrameTree } from '../../src/cdp/frame-tree.ts';
import { Session } from '../../src/cdp/session.ts';

const MAIN = { frameId: 'main', loaderId: 'first', url: 'https://shop.example/' };
const BLOCKED = { frameId: 'ad', loaderId: 'refused', url: 'https://ads.example/banner' };

function session(id: string): Session {
  return new Session(id, () => 0);
}

/** As the browser tells of a frame's document. */
function told({ frameId, loaderId, url }: typeof MAIN, more: object = {}): never {
  return { id: frameId, loaderId, url, ...more } as never;
}

it.each([true, false])(
  'an error page that is reported late has the URL of its document, with loading ended before: %s',
  (isEnded) => {
    const own = session('page');
    const tree = new FrameTree(MAIN.frameId, own);
    tree.listen(own);
    own.events.emit('Page.frameNavigated', { frame: told(MAIN), type: 'Navigation' });
    own.events.emit('Page.frameAttached', { frameId: BLOCKED.frameId, parentFrameId: MAIN.frameId });
    own.events.emit('Page.lifecycleEvent', { frameId: 'ad', loaderId: 'blank', name: 'init', timestamp: 1 });
    own.events.emit('Page.frameStartedNavigating', { ...BLOCKED, navigationType: 'differentDocument' });

    const far = session('frame');
    tree.listen(far);
    if (isEnded) far.events.emit('Page.frameStoppedLoading', { frameId: BLOCKED.frameId });
    const errorPage = { ...BLOCKED, url: 'chrome-error://chromewebdata/' };
    tree.adoptTree(far, {
      frame: told(errorPage, { parentId: MAIN.frameId, unreachableUrl: BLOCKED.url }),
    });
    expect(tree.frame(BLOCKED.frameId)).toMatchObject({
      url: BLOCKED.url,
      isUnreachable: true,
      loaderId: BLOCKED.loaderId,
      session: far,
    });
  },
);
