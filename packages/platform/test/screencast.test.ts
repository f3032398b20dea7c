import { expect, it, onTestFinished } from 'vitest';
import { Connection, type Session } from 'pagechauffeur/internal';
import { Driver } from '../../pagechauffeur/src/index.ts';
import { firstPage } from '../../pagechauffeur/test/support/driver-for-test.ts';
import { type Frame, Screencast } from '../src/view/screencast.ts';
import { silentLog } from './support/silent-log.ts';
import { usePlatform } from './support/use-platform.ts';

const shared = usePlatform({ capacity: 1 });
const CHANGES = 12;
/** Changes the page faster than slow viewers can follow. */
const CHANGE_OFTEN = `(async () => {
  for (let number = 0; number < ${CHANGES}; number += 1) {
    document.body.style.background = 'rgb(0, ' + 20 * number + ', 0)';
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
})()`;

it('ends a screencast with the final state of the page, even for a slow viewer', async () => {
  const driver = new Driver({
    env: 'REMOTE',
    apiKey: shared.key,
    remoteBaseURL: shared.platform.url,
    disableLoggerBackend: true,
  });
  onTestFinished(() => driver.close());
  await driver.init();
  const page = firstPage(driver);
  const { url = '' } = shared.platform.sessionManager.live.get(driver.remoteSessionID ?? '')?.browser ?? {};
  const connection = await Connection.open(url, { signal: AbortSignal.timeout(10_000) });
  onTestFinished(() => connection.close());
  const attached = await connection.browser.send('Target.attachToTarget', { targetId: page.targetId(), flatten: true });
  const session = async (): Promise<Session> => {
    const found = connection.session(attached.sessionId);
    if (!found) throw new TypeError('the page was closed');
    return found;
  };
  let last: Frame | undefined;
  const cast = new Screencast({ targetId: page.targetId(), log: silentLog, session });
  const slow = { show: (frame: Frame): boolean => ((last = frame), false) };
  cast.add(slow);
  onTestFinished(() => cast.remove(slow));
  await expect.poll(() => last).toBeDefined();
  await page.evaluate(CHANGE_OFTEN);
  const green = async (): Promise<unknown> => {
    const jpeg = last?.jpeg.toString('base64') ?? '';
    return page.evaluate(`(async () => {
      const picture = await createImageBitmap(new Blob([Uint8Array.fromBase64('${jpeg}')]));
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      canvas.drawImage(picture, 0, 0);
      return canvas.getImageData(0, 0, 1, 1).data[1];
    })()`);
  };
  await expect.poll(green).toBeGreaterThan(20 * (CHANGES - 1) - 5);
});
