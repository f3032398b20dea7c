/** Whether a user's own words name a file: its path stands there as a whole, or it is one of the variables. */
export function isFileNamed(path: string, instruction: string): boolean {
  if (/^%[A-Za-z_][\w-]*%$/.test(path)) return true;
  if (path === '') return false;
  for (let at = instruction.indexOf(path); at >= 0; at = instruction.indexOf(path, at + 1)) {
    const before = instruction.slice(0, at).replace(/(?<![\w.])\.\/$/, '');
    const after = instruction.slice(at + path.length);
    if (!/[\w./\\~%-]$/.test(before) && !/^(?:[\w/\\-]|\.\w)/.test(after)) return true;
  }
  return false;
}
