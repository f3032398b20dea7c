import type { ModelImage } from '../model/model-client.ts';
import type { Page } from '../page/page.ts';
import type { Progress } from '../util/progress.ts';

/** The longest side of a picture, in pixels; providers shrink larger ones, and points in them would be others. */
const LONGEST_SIDE = 1568;

/** The pictures of the view that go with what is told of a page, in which points are named. */
export class PageScreenshots {
  #scale = 1;

  /** Pixels of the last picture for each CSS pixel. */
  get scale(): number {
    return this.#scale;
  }

  /** A picture of what is in view. */
  async take(progress: Progress, page: Page): Promise<ModelImage> {
    const { cssLayoutViewport: view } = await progress.race(page.target.session.send('Page.getLayoutMetrics'));
    this.#scale = Math.min(1, LONGEST_SIDE / Math.max(view.clientWidth, view.clientHeight));
    const limits = { signal: progress.signal, timeout: progress.remaining };
    const data = await page.screenshot({ scale: this.#scale, ...limits });
    return { data, mediaType: 'image/png' };
  }
}
