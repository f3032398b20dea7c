import type { SourceFile } from '../source-file.ts';

/** For each line, whether it contains code besides white space and comments. */
export function codeLines({ text, comments }: SourceFile): boolean[] {
  let code = '';
  let position = 0;
  for (const { start, end } of comments) {
    code += text.slice(position, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ');
    position = end;
  }
  code += text.slice(position);
  return code.split('\n').map((line) => line.trim() !== '');
}
