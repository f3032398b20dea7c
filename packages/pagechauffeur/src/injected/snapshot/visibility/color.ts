/** Channels from 0 to 255, alpha from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

/** Colors that differ by at most this much per channel look the same. */
const INDISTINCT = 4;
/** Maximum size of the color cache. Pages use few colors. */
const MAX_KNOWN = 1000;
const USUAL = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.e-]+))?\)$/;

const colorByText = new Map<string, Color>();

/** Parses a computed color in any CSS notation. */
export function colorOf(text: string): Color {
  const known = colorByText.get(text);
  if (known) return known;
  const parts = USUAL.exec(text);
  const color: Color = parts
    ? [Number(parts[1]), Number(parts[2]), Number(parts[3]), Number(parts[4] ?? 1)]
    : paintedColor(text);
  if (colorByText.size < MAX_KNOWN) colorByText.set(text, color);
  return color;
}

/** Blends a color onto an opaque background. */
export function blendedOver([red, green, blue, alpha]: Color, paper: Color): Color {
  if (alpha === 1) return [red, green, blue, 1];
  const mixed = (part: number, below: number): number => part * alpha + below * (1 - alpha);
  return [mixed(red, paper[0]), mixed(green, paper[1]), mixed(blue, paper[2]), 1];
}

/** Works like the CSS filter `invert(1)`. */
export function inverted([red, green, blue, alpha]: Color): Color {
  return [255 - red, 255 - green, 255 - blue, alpha];
}

/** True if the color is indistinguishable from its opaque background. */
export function lacksContrastOn(color: Color, paper: Color): boolean {
  return blendedOver(color, paper).every((part, index) => Math.abs(part - (paper[index] ?? 0)) <= INDISTINCT);
}

// Painting a pixel converts any notation, including wide-gamut colors, to sRGB.
function paintedColor(text: string): Color {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!canvas) return [0, 0, 0, 1];
  canvas.fillStyle = text;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}
