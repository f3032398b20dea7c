import type { Box, EncodedImage } from '../contract.ts';

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
