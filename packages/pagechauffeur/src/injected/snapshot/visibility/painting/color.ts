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

/** Paints a color onto another one. Both may be translucent. */
export function paintedOver(top: Color, below: Color): Color {
  if (top[3] === 1 || below[3] === 0) return top;
  const alpha = top[3] + below[3] * (1 - top[3]);
  return mapped((part, index) => (part * top[3] + (below[index] ?? 0) * below[3] * (1 - top[3])) / alpha, top, alpha);
}

/** Works like the CSS filter `invert(1)`. */
export function inverted(color: Color): Color {
  return mapped((part) => 255 - part, color);
}

/** Applies a computed `filter`. Ignores functions that keep text readable, such as `blur()`, and those by `url()`. */
export function filtered(color: Color, filter: string): Color {
  let result = color;
  for (const [, name = '', value = ''] of filter.matchAll(FILTER))
    result = FILTERS[name]?.(result, value.endsWith('%') ? Number.parseFloat(value) / 100 : Number(value)) ?? result;
  return result;
}

const FILTER = /([a-z-]+)\(([\d.]+%?)\)/g;

const FILTERS: Readonly<Record<string, (color: Color, amount: number) => Color>> = {
  brightness: (color, amount) => mapped((part) => part * amount, color),
  contrast: (color, amount) => mapped((part) => (part - 127.5) * amount + 127.5, color),
  grayscale: (color, amount) => {
    const gray = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
    return mapped((part) => part + (gray - part) * Math.min(1, amount), color);
  },
  invert: (color, amount) => mapped((part) => part + (255 - 2 * part) * Math.min(1, amount), color),
  opacity: (color, amount) => mapped((part) => part, color, color[3] * Math.min(1, amount)),
};

/** Blends a color with the one behind it by a `mix-blend-mode`. Unknown modes count as `normal`. */
export function blended(mode: string, top: Color, below: Color): Color {
  const blend = BLENDS[mode];
  if (!blend || below[3] === 0) return top;
  return mapped((part, index) => {
    const mixed = 255 * blend(part / 255, (below[index] ?? 0) / 255);
    return part * (1 - below[3]) + mixed * below[3];
  }, top);
}

const multiply = (top: number, below: number): number => top * below;
const screen = (top: number, below: number): number => top + below - top * below;
const hardLight = (top: number, below: number): number =>
  top <= 0.5 ? multiply(2 * top, below) : screen(2 * top - 1, below);

/** Per channel, from 0 to 1. See https://www.w3.org/TR/compositing-1/#blendingseparable. */
const BLENDS: Readonly<Record<string, (top: number, below: number) => number>> = {
  multiply,
  screen,
  darken: Math.min,
  lighten: Math.max,
  overlay: (top, below) => hardLight(below, top),
  'hard-light': hardLight,
  'color-dodge': (top, below) => (below === 0 ? 0 : top >= 1 ? 1 : Math.min(1, below / (1 - top))),
  'color-burn': (top, below) => (below >= 1 ? 1 : top === 0 ? 0 : 1 - Math.min(1, (1 - below) / top)),
  difference: (top, below) => Math.abs(top - below),
  exclusion: (top, below) => top + below - 2 * top * below,
};

function mapped(change: (part: number, index: number) => number, color: Color, alpha = color[3]): Color {
  const part = (index: 0 | 1 | 2): number => Math.max(0, Math.min(255, change(color[index], index)));
  return [part(0), part(1), part(2), alpha];
}

/** True if the color is indistinguishable from its opaque background. */
export function lacksContrastOn(color: Color, paper: Color): boolean {
  return paintedOver(color, paper).every(
    (part, index) => index === 3 || Math.abs(part - (paper[index] ?? 0)) <= INDISTINCT,
  );
}

/** Factors for the parts of a color: alpha counts up to 1, the others to 255. */
const SCALE: Color = [1, 1, 1, 255];

/** True if all colors look like the first. */
export function areAlike(colors: readonly Color[]): boolean {
  const [first] = colors;
  return (
    first !== undefined &&
    colors.every((color) =>
      color.every((part, index) => Math.abs(part - first[index as 0]) * SCALE[index as 0] <= INDISTINCT),
    )
  );
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
