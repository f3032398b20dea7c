import { nextAnimationFrame } from '../acting/settling/animation-frame.ts';
import { shadowRootsBelow, visitElements } from '../tree/composed-walk.ts';
import type { Box, DocumentMetrics, EncodedImage, ScreenshotChanges } from '../contract.ts';
import { elementsBelow, getter, textContentOf } from '../native.ts';

type Root = Document | ShadowRoot;

const documentSheetsOf = getter<Document, CSSStyleSheet[]>(Document.prototype, 'adoptedStyleSheets');
const rootSheetsOf = getter<ShadowRoot, CSSStyleSheet[]>(ShadowRoot.prototype, 'adoptedStyleSheets');
const activeElementOf = getter<Document, Element | null>(Document.prototype, 'activeElement');

const WITHOUT_CARET = '* { caret-color: transparent !important; }';

const undoings: (() => void)[] = [];

export async function prepareScreenshot(changes: ScreenshotChanges): Promise<DocumentMetrics> {
  const { style, hidesCaret, stopsAnimations, rendersAll } = changes;
  restoreAfterScreenshot();
  const hasFocus = activeElementOf(document) !== document.body;
  const rules = [hidesCaret && hasFocus ? WITHOUT_CARET : '', style].filter((text) => text !== '').join('\n');
  if (rules !== '' || stopsAnimations) {
    const roots: Root[] = [document, ...shadowRootsBelow(document)];
    if (rules !== '') for (const root of roots) addRules(root, rules);
    if (stopsAnimations) for (const animation of new Set(roots.flatMap(animationsOf))) stopAnimation(animation);
  }
  if (rendersAll) renderAll();
  if (undoings.length > 0 && isPaintedApart()) await twoFrames();
  return {
    devicePixelRatio: window.devicePixelRatio,
    elements: elementsBelow(document).length,
    characters: (textContentOf(document.documentElement) ?? '').length,
  };
}

/** True in a cross-origin frame. Its process must paint the changes before a screenshot of the page shows them. */
function isPaintedApart(): boolean {
  return parent !== window && window.frameElement === null;
}

/** The first frame paints the changes; they are on screen when the second starts. */
async function twoFrames(): Promise<void> {
  await nextAnimationFrame();
  await nextAnimationFrame();
}

/** Reverts `prepareScreenshot` and `conceal`. */
export function restoreAfterScreenshot(): void {
  for (let undo = undoings.pop(); undo; undo = undoings.pop()) undo();
}

/** An adopted style sheet does not modify the DOM. */
function addRules(root: Root, rules: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  const sheets = root instanceof Document ? documentSheetsOf(root) : rootSheetsOf(root);
  sheets.push(sheet);
  undoings.push(() => {
    const index = sheets.indexOf(sheet);
    if (index !== -1) sheets.splice(index, 1);
  });
}

/** Hides an element until `restoreAfterScreenshot`. */
export async function conceal(element: object): Promise<void> {
  if (!(element instanceof Element)) return;
  overrideStyle(element, { opacity: ['0', '0'] });
  if (isPaintedApart()) await twoFrames();
}

/** Renders elements with `content-visibility: auto` even far outside the viewport. */
function renderAll(): void {
  visitElements(document, (element) => {
    if (getComputedStyle(element).contentVisibility !== 'auto') return;
    overrideStyle(element, { contentVisibility: ['visible', 'visible'] });
  });
}

/** An animation overrides the style without modifying the DOM. */
function overrideStyle(element: Element, style: PropertyIndexedKeyframes): void {
  const animation = Element.prototype.animate.call(element, style, { duration: 1, fill: 'both' });
  animation.pause();
  undoings.push(() => animation.cancel());
}

function animationsOf(root: Root): Animation[] {
  return root instanceof Document
    ? Document.prototype.getAnimations.call(root)
    : ShadowRoot.prototype.getAnimations.call(root);
}

/** Finishes a finite animation. Cancels an infinite one, which `restoreAfterScreenshot` restarts. */
function stopAnimation(animation: Animation): void {
  if (animation.playState !== 'running' && animation.playState !== 'paused') return;
  const isEndless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
  if (!isEndless && animation.playbackRate !== 0) return animation.finish();
  const wasRunning = animation.playState === 'running';
  animation.cancel();
  undoings.push(() => {
    animation.play();
    if (!wasRunning) animation.pause();
  });
}

/** Paints filled boxes, in image pixels, over an image. Returns base64. */
export async function paintBoxes(
  { base64, type, quality }: EncodedImage,
  boxes: readonly Box[],
  color: string,
): Promise<string> {
  const bitmap = await createImageBitmap(new Blob([bytesOf(base64)]), { colorSpaceConversion: 'none' });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  if (!context) throw new TypeError('Cannot mask the screenshot: OffscreenCanvas has no 2d context.');
  context.drawImage(bitmap, 0, 0);
  context.fillStyle = color;
  for (const { x, y, width, height } of boxes) context.fillRect(x, y, width, height);
  const painted = await canvas.convertToBlob({
    type: `image/${type}`,
    ...(quality === undefined ? {} : { quality: quality / 100 }),
  });
  return base64Of(new Uint8Array(await painted.arrayBuffer()));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Bytes per call of `String.fromCharCode`, which accepts a limited number of arguments. */
const SLICE = 8192;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += SLICE)
    text += String.fromCharCode(...bytes.subarray(start, start + SLICE));
  return btoa(text);
}
