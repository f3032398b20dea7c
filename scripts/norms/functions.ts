import { type ArrowFunctionExpression, type Function as FunctionNode, Visitor } from 'oxc-parser';
import { lineAt, type SourceFile } from '../source-file.ts';
import { codeLines } from './lines.ts';

/** Size of a function with a body. */
export interface FunctionSize {
  readonly path: string;
  readonly line: number;
  /** Lines of code from the first to the last line. */
  readonly lines: number;
  readonly parameters: number;
  /** True if the body is a block. Arrow functions may be one expression. */
  readonly hasBlock: boolean;
}

/** Returns the sizes of all functions of a file, including nested ones. */
export function functionSizes(file: SourceFile): FunctionSize[] {
  const isCode = codeLines(file);
  const sizes: FunctionSize[] = [];
  const measure = (node: FunctionNode | ArrowFunctionExpression): void => {
    if (!node.body) return;
    const line = lineAt(file.text, node.start);
    sizes.push({
      path: file.path,
      line,
      lines: isCode.slice(line - 1, lineAt(file.text, node.end)).filter(Boolean).length,
      parameters: node.params.filter((one) => !(one.type === 'Identifier' && one.name === 'this')).length,
      hasBlock: node.body.type === 'BlockStatement',
    });
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(file.program);
  return sizes;
}
