import type { ModelImage } from '../model/model-client.ts';
import type { Page } from '../page/page.ts';
import type { Progress } from '../util/progress.ts';

/** Maximum side in pixels. Providers downscale larger images, which would shift points in them. */
const MAX_SIDE = 1568;

/** Screenshots that accompany pages, in which the model names points. */
export class PageScreenshots {
  #scale = 1;

  /** Pixels of the last screenshot per CSS pixel. */
  get scale(): number {
    return this.#scale;
  }

  /** Takes a screenshot of the viewport. */
  async take(progress: Progress, page: Page): Promise<ModelImage> {
    const { cssLayoutViewport: view } = await progress.race(page.target.session.send('Page.getLayoutMetrics'));
    this.#scale = Math.min(1, MAX_SIDE / Math.max(view.clientWidth, view.clientHeight));
    const limits = { signal: progress.signal, timeout: progress.remaining };
    const data = await page.screenshot({ scale: this.#scale, ...limits });
    return { data, mediaType: 'image/png' };
  }
}
