/** What lets less than this share be seen cannot be read. */
export const FAINTEST = 0.05;
/** Smaller letters are dots; in CSS pixels. */
export const LEAST_FONT_SIZE = 2;

/** Whether a colour, as the browser writes it, cannot be told from none. */
export function isFaint(color: string): boolean {
  if (color.startsWith('rgb(')) return false;
  const alpha = /^(?:rgba\(.*,|.*\/) ([\d.e-]+)\)$/.exec(color);
  return alpha !== null && Number(alpha[1]) < FAINTEST;
}
