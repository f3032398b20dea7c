/** Splits an absolute XPath into steps such as `div[2]`. The first step inside a shadow root starts with a slash. */
export function stepsOf(path: string): readonly string[] {
  return path.split(/(?<!\/)\//).slice(1);
}

/** Counts the steps of an absolute XPath without splitting it. */
export function stepsIn(path: string): number {
  let steps = 0;
  for (let index = 0; index < path.length; index += 1) if (isStepStart(path, index)) steps += 1;
  return steps;
}

/** Counts the leading steps that two absolute XPaths have in common. */
export function sharedSteps(one: string, other: string): number {
  let steps = 0;
  let index = 0;
  for (; index < one.length && one[index] === other[index]; index += 1) if (isStepStart(one, index)) steps += 1;
  const isBetween = (path: string): boolean => index === path.length || path[index] === '/';
  return isBetween(one) && isBetween(other) ? steps : Math.max(0, steps - 1);
}

function isStepStart(path: string, index: number): boolean {
  return path[index] === '/' && path[index - 1] !== '/';
}
