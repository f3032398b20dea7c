/** What lets less than this share be seen cannot be read. */
export const FAINTEST = 0.05;
/** Smaller letters are dots; in CSS pixels. */
export const LEAST_FONT_SIZE = 2;

/** Whether a colour, as the browser writes it, cannot be told from none. */
export function isFaint(color: string): boolean {
  if (!color.startsWith('rgba(')) return false;
  return Number(color.slice(color.lastIndexOf(',') + 1, -1)) < FAINTEST;
}
