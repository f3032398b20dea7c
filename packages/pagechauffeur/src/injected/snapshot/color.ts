/** Red, green and blue from 0 to 255, and how opaque the colour is, from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

/** So much may each part of two colours differ that nobody tells apart. */
const INDISTINCT = 4;
/** A page has few colours. */
const MOST_KNOWN = 1000;
const USUAL = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.e-]+))?\)$/;

const colorByText = new Map<string, Color>();

/** A colour as computed styles write it: in one of many notations. */
export function colorOf(text: string): Color {
  const known = colorByText.get(text);
  if (known) return known;
  const parts = USUAL.exec(text);
  const color: Color = parts
    ? [Number(parts[1]), Number(parts[2]), Number(parts[3]), Number(parts[4] ?? 1)]
    : paintedColor(text);
  if (colorByText.size < MOST_KNOWN) colorByText.set(text, color);
  return color;
}

/** What is seen of a colour where it lies on an opaque one. */
export function laidOn([red, green, blue, alpha]: Color, paper: Color): Color {
  if (alpha === 1) return [red, green, blue, 1];
  const mixed = (part: number, below: number): number => part * alpha + below * (1 - alpha);
  return [mixed(red, paper[0]), mixed(green, paper[1]), mixed(blue, paper[2]), 1];
}

/** Whether a colour on an opaque one cannot be told from it. */
export function isLostOn(color: Color, paper: Color): boolean {
  return laidOn(color, paper).every((part, index) => Math.abs(part - (paper[index] ?? 0)) <= INDISTINCT);
}

// Other notations name colours of larger spaces; the browser knows what it paints for them.
function paintedColor(text: string): Color {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!canvas) return [0, 0, 0, 1];
  canvas.fillStyle = text;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}
