import type { PageTarget } from '../cdp/page-target.ts';
import type { Result } from '../cdp/protocol.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import { DriverIframeError } from '../errors.ts';
import type { Box } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import type { ValueMask } from '../util/value-mask.ts';
import { concealMoving } from './conceal-moving.ts';
import { PreparedPage } from './screenshot-preparation.ts';
import { saveFile } from './save-file.ts';
import { findSecretLines, type SecretLines } from './secret-lines.ts';
import { screenshotType, type ScreenshotOptions } from './screenshot-options.ts';

export interface ScreenshotRequest {
  readonly page: PageTarget;
  readonly options: ScreenshotOptions;
  /** Finds variable values in the page's text, so that they can be covered. */
  readonly mask: ValueMask;
}

const MASK_COLOR = '#FF00FF';
/** Maximum number of attempts for a page that grows during a full-page screenshot. */
const MAX_SHOTS = 3;

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

/** Starts over if the document is replaced during the screenshot. */
async function captureOneDocument(progress: Progress, request: ScreenshotRequest): Promise<Buffer> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await capturePrepared(progress, request);
    } catch (error) {
      if (!isDocumentLoss(error)) throw error;
      progress.throwIfEnded();
      if (isFirst) progress.log('the document was replaced during the screenshot');
      await progress.race(untilNextDocument(request.page));
    }
  }
}

/** Locators in the option `mask` throw a public error, with the internal one as its cause. */
function isDocumentLoss(error: unknown): boolean {
  const reason = error instanceof DriverIframeError ? error.cause : error;
  return reason instanceof DocumentGoneError;
}

/** Waits until the next document has rendered or is replaced too. */
async function untilNextDocument(page: PageTarget): Promise<void> {
  try {
    const world = await page.frames.main.worlds.isolated;
    await world.call('painted');
  } catch (error) {
    if (!(error instanceof DocumentGoneError)) throw error;
  }
}

async function capturePrepared(progress: Progress, request: ScreenshotRequest): Promise<Buffer> {
  const { page, options } = request;
  const { caret = 'hide', style = '', animations = 'allow' } = options;
  using prepared = await PreparedPage.create(progress, page, {
    style,
    hidesCaret: caret === 'hide',
    stopsAnimations: animations === 'disabled',
    rendersAll: options.fullPage === true,
  });
  return await captureMasked(progress, request, prepared);
}

/**
 * A variable value that moved during the screenshot may be painted anywhere between its two positions. Hides its
 * element and takes a second screenshot.
 */
async function captureMasked(progress: Progress, request: ScreenshotRequest, prepared: PreparedPage): Promise<Buffer> {
  const first = await captureBetween(progress, request, prepared);
  const { before, after } = first;
  const isMoving = await progress.race(concealMoving(before.secrets, after.secrets));
  return paintMasked(progress, request, isMoving ? await captureBetween(progress, request, prepared) : first);
}

/** A screenshot, and the boxes to cover as measured before and after it. Elements may move in between. */
interface MaskedShot {
  readonly shot: Shot;
  readonly before: Masked;
  readonly after: Masked;
}

async function captureBetween(
  progress: Progress,
  request: ScreenshotRequest,
  prepared: PreparedPage,
): Promise<MaskedShot> {
  const before = await findMasked(progress, request, prepared);
  const shot = await captureWhole(progress, request, prepared.devicePixelRatio);
  return { before, shot, after: await findMasked(progress, request, prepared) };
}

async function paintMasked(
  progress: Progress,
  request: ScreenshotRequest,
  { shot, before, after }: MaskedShot,
): Promise<Buffer> {
  const lines = [...before.secrets.values(), ...after.secrets.values()];
  const boxes = [...before.elements, ...after.elements, ...lines.map(({ box }) => box)];
  return boxes.length === 0 ? Buffer.from(shot.data, 'base64') : paint(progress, request, { shot, boxes });
}

interface Masked {
  /** Boxes of the elements that match the option `mask`. */
  readonly elements: readonly Box[];
  readonly secrets: SecretLines;
}

async function findMasked(
  progress: Progress,
  { page, options, mask }: ScreenshotRequest,
  prepared: PreparedPage,
): Promise<Masked> {
  const masks = (options.mask ?? []).map(async (locator) => {
    const elements = await locator.all();
    return Promise.all(elements.map((element) => element.boundingBox({ timeout: progress.remaining })));
  });
  const [boxes, secrets] = await progress.race(
    Promise.all([Promise.all(masks), findSecretLines(page, mask, prepared)]),
  );
  return { elements: boxes.flat().filter((box) => box !== null), secrets };
}

interface Shot {
  readonly data: string;
  /** Top left corners of the screenshot and of the viewport, in CSS pixels of the document. */
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
    // Capturing beyond the viewport can load lazy content, which changes the size of the page.
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
  const viewport = metrics ? viewportIn(metrics) : { x: 0, y: 0 };
  return { data, area: area ?? viewport, viewport, scale };
}

function scaleOf({ scale = 'device' }: ScreenshotOptions, ratio: number): number {
  if (scale === 'device') return ratio;
  return scale === 'css' ? 1 : scale;
}

function areaOf({ fullPage, clip }: ScreenshotOptions, metrics: Metrics): Box {
  const { width, height } = metrics.cssContentSize;
  if (fullPage) return { x: 0, y: 0, width, height };
  const { x, y } = viewportIn(metrics);
  const { clientWidth, clientHeight } = metrics.cssVisualViewport;
  if (!clip) return { x, y, width: clientWidth, height: clientHeight };
  return { x: clip.x + x, y: clip.y + y, width: clip.width, height: clip.height };
}

/**
 * Returns the viewport's position from the left edge of the content. Scroll offsets would be negative on right-to-left
 * pages.
 */
function viewportIn({ cssLayoutViewport, cssVisualViewport }: Metrics): { readonly x: number; readonly y: number } {
  const { offsetX, offsetY } = cssVisualViewport;
  return { x: cssLayoutViewport.pageX + offsetX, y: cssLayoutViewport.pageY + offsetY };
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
