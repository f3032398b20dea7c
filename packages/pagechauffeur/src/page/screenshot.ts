import type { PageTarget } from '../cdp/page-target.ts';
import type { Result } from '../cdp/protocol.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { DriverIframeError } from '../errors.ts';
import type { Box } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { PreparedPage } from './screenshot-preparation.ts';
import { saveFile } from './save-file.ts';
import { screenshotType, type ScreenshotOptions } from './screenshot-options.ts';

/** A page and the options of its screenshot. */
export interface ScreenshotRequest {
  readonly page: PageTarget;
  readonly options: ScreenshotOptions;
  /** Texts to mask. */
  readonly secrets: ReadonlySet<string>;
}

const MASK_COLOR = '#FF00FF';
/** Maximum number of attempts for a page that grows during a full-page screenshot. */
const MAX_SHOTS = 3;

/** Takes a screenshot of a page. */
export async function captureScreenshot(progress: Progress, request: ScreenshotRequest): Promise<Buffer> {
  const { page, options } = request;
  await setBackground(page, options, true);
  try {
    const picture = await captureOneDocument(progress, request);
    if (options.path !== undefined) await saveFile(options.path, picture);
    return picture;
  } finally {
    await setBackground(page, options, false);
  }
}

/** Takes the screenshot again if the document was replaced meanwhile. */
async function captureOneDocument(progress: Progress, request: ScreenshotRequest): Promise<Buffer> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await capturePrepared(progress, request);
    } catch (error) {
      if (!isOfLostDocument(error)) throw error;
      progress.throwIfEnded();
      if (isFirst) progress.log('the document was replaced during the screenshot');
      await progress.race(nextShown(request.page));
    }
  }
}

/** Masks are found by locators, whose errors are public. */
function isOfLostDocument(error: unknown): boolean {
  const reason = error instanceof DriverIframeError ? error.cause : error;
  return reason instanceof DocumentGoneError;
}

/** Waits until the next document renders or is replaced too. */
async function nextShown(page: PageTarget): Promise<void> {
  try {
    const world = await page.frames.main.worlds.isolated;
    await world.call('painted');
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
  }
}

async function capturePrepared(progress: Progress, request: ScreenshotRequest): Promise<Buffer> {
  const { page, options, secrets } = request;
  const { caret = 'hide', style = '', animations = 'allow' } = options;
  using dressed = await PreparedPage.dress(progress, page, {
    style,
    hidesCaret: caret === 'hide',
    stopsAnimations: animations === 'disabled',
    rendersAll: options.fullPage === true,
    secrets: [...secrets],
  });
  return await captureMasked(progress, request, dressed);
}

/** Elements may move during the screenshot, so it covers their boxes from before and after. */
async function captureMasked(progress: Progress, request: ScreenshotRequest, dressed: PreparedPage): Promise<Buffer> {
  const before = await maskedBoxes(progress, request, dressed);
  const shot = await captureWhole(progress, request, dressed.devicePixelRatio);
  const after = await maskedBoxes(progress, request, dressed);
  if (before.length + after.length === 0) return Buffer.from(shot.data, 'base64');
  return paint(progress, request, { shot, boxes: [...before, ...after] });
}

async function maskedBoxes(
  progress: Progress,
  { options }: ScreenshotRequest,
  dressed: PreparedPage,
): Promise<readonly Box[]> {
  const masks = (options.mask ?? []).map(async (locator) => {
    const elements = await locator.all();
    return Promise.all(elements.map((element) => element.boundingBox({ timeout: progress.remaining })));
  });
  const [boxes, secretBoxes] = await progress.race(Promise.all([Promise.all(masks), dressed.secretBoxes(progress)]));
  return [...boxes.flat().filter((box) => box !== null), ...secretBoxes];
}

/** A screenshot and its position relative to the viewport. */
interface Shot {
  readonly data: string;
  /** Top left corner of the screenshot in the document, and of the viewport, in CSS pixels. */
  readonly area: { readonly x: number; readonly y: number };
  readonly viewport: { readonly x: number; readonly y: number };
  /** Screenshot pixels per CSS pixel. */
  readonly scale: number;
}

type Metrics = Result<'Page.getLayoutMetrics'>;

async function captureWhole(progress: Progress, request: ScreenshotRequest, ratio: number): Promise<Shot> {
  const { page, options } = request;
  const needsArea = options.fullPage || options.clip !== undefined || scaleOf(options, ratio) !== ratio;
  if (!needsArea) return take(progress, request, { ratio });
  let metrics = await measure(progress, page);
  for (let shots = 1; ; shots += 1) {
    const shot = await take(progress, request, { ratio, metrics });
    if (!options.fullPage || shots === MAX_SHOTS) return shot;
    // Content outside of the viewport may get its size, or more content, once it is shown.
    const { cssContentSize: before } = metrics;
    metrics = await measure(progress, page);
    const { width, height } = metrics.cssContentSize;
    if (width === before.width && height === before.height) return shot;
  }
}

async function measure(progress: Progress, page: PageTarget): Promise<Metrics> {
  const metrics = await progress.race(page.session.send('Page.getLayoutMetrics'));
  const { width, height } = metrics.cssContentSize;
  if (width === 0 || height === 0) throw new DocumentGoneError('The page has no document to capture yet.');
  return metrics;
}

async function take(
  progress: Progress,
  { page, options }: ScreenshotRequest,
  { ratio, metrics }: { ratio: number; metrics?: Metrics },
): Promise<Shot> {
  const { quality } = options;
  const type = screenshotType(options);
  const scale = scaleOf(options, ratio);
  const area = metrics && areaOf(options, metrics);
  const { data } = await progress.race(
    page.session.send('Page.captureScreenshot', {
      format: type,
      ...(quality === undefined || type === 'png' ? {} : { quality }),
      ...(area && { clip: { ...area, scale: scale / ratio } }),
      ...(area && { captureBeyondViewport: options.fullPage === true || options.clip !== undefined }),
    }),
  );
  const { pageX = 0, pageY = 0 } = metrics?.cssVisualViewport ?? {};
  const viewport = { x: pageX, y: pageY };
  return { data, area: area ?? viewport, viewport, scale };
}

/** Screenshot pixels per CSS pixel. */
function scaleOf({ scale = 'device' }: ScreenshotOptions, ratio: number): number {
  if (scale === 'device') return ratio;
  return scale === 'css' ? 1 : scale;
}

function areaOf({ fullPage, clip }: ScreenshotOptions, { cssContentSize, cssVisualViewport }: Metrics): Box {
  const { width, height } = cssContentSize;
  if (fullPage) return { x: 0, y: 0, width, height };
  const { pageX, pageY, clientWidth, clientHeight } = cssVisualViewport;
  if (!clip) return { x: pageX, y: pageY, width: clientWidth, height: clientHeight };
  return { x: clip.x + pageX, y: clip.y + pageY, width: clip.width, height: clip.height };
}

async function paint(
  progress: Progress,
  { page, options }: ScreenshotRequest,
  { shot, boxes }: { shot: Shot; boxes: readonly Box[] },
): Promise<Buffer> {
  const { quality, maskColor = MASK_COLOR } = options;
  const type = screenshotType(options);
  const { area, viewport, scale } = shot;
  const painted = boxes.map((box) => ({
    x: Math.floor((box.x + viewport.x - area.x) * scale),
    y: Math.floor((box.y + viewport.y - area.y) * scale),
    width: Math.ceil(box.width * scale) + 1,
    height: Math.ceil(box.height * scale) + 1,
  }));
  const picture = { base64: shot.data, type, ...(quality === undefined ? {} : { quality }) };
  const world = await progress.race(page.frames.main.worlds.isolated);
  return Buffer.from(await progress.race(world.call('paintBoxes', picture, painted, maskColor)), 'base64');
}

async function setBackground(
  page: PageTarget,
  { omitBackground }: ScreenshotOptions,
  isOmitted: boolean,
): Promise<void> {
  if (!omitBackground || page.isClosed) return;
  await page.session.send(
    'Emulation.setDefaultBackgroundColorOverride',
    isOmitted ? { color: { r: 0, g: 0, b: 0, a: 0 } } : {},
  );
}
