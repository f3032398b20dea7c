/** Content with lower opacity is unreadable. */
export const FAINTEST = 0.05;
/** Text with a smaller font size, in CSS pixels, is unreadable. */
export const LEAST_FONT_SIZE = 2;

/** True if a computed color is practically transparent. */
export function isFaint(color: string): boolean {
  if (color.startsWith('rgb(')) return false;
  const alpha = /^(?:rgba\(.*,|.*\/) ([\d.e-]+)\)$/.exec(color);
  return alpha !== null && Number(alpha[1]) < FAINTEST;
}
