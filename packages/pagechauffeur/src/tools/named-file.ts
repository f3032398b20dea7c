import { isPlaceholder, type Names } from '../util/placeholders.ts';
import { isPathIn } from '../verb/limits/derived-text.ts';

/** Whether a user's own words name a file: its path stands there as a whole, or it is one of the variables. */
export function isFileNamed(path: string, instruction: string, variables: Names): boolean {
  return isPlaceholder(path, variables) || isPathIn(path, instruction);
}
