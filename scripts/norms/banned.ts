import { type CallExpression, type Expression, Visitor } from 'oxc-parser';
import { lineAt, type SourceFile } from '../source-file.ts';

/** A kind of code that is banned everywhere. */
export type BannedKind = 'any' | 'non-null assertion' | 'silent catch' | 'bare Error';

/** A place with banned code. */
export interface BannedPlace {
  readonly kind: BannedKind;
  readonly path: string;
  readonly line: number;
}

/** Returns the places with banned code in a file. */
export function bannedPlaces({ path, text, program }: SourceFile): BannedPlace[] {
  const places: BannedPlace[] = [];
  const add = (kind: BannedKind, { start }: { start: number }): void => {
    places.push({ kind, path, line: lineAt(text, start) });
  };
  new Visitor({
    TSAnyKeyword: (node) => add('any', node),
    TSNonNullExpression: (node) => add('non-null assertion', node),
    PropertyDefinition: (node) => {
      if (node.definite) add('non-null assertion', node);
    },
    VariableDeclarator: (node) => {
      if (node.definite) add('non-null assertion', node);
    },
    CatchClause: (node) => {
      if (node.body.body.length === 0) add('silent catch', node);
    },
    CallExpression: (node) => {
      if (isSilentCatch(node)) add('silent catch', node);
      if (isError(node.callee)) add('bare Error', node);
    },
    NewExpression: (node) => {
      if (isError(node.callee)) add('bare Error', node);
    },
  }).visit(program);
  return places;
}

function isError(callee: Expression): boolean {
  return callee.type === 'Identifier' && callee.name === 'Error';
}

/** True for `promise.catch(() => {})` and similar: the error is lost, and no value replaces the result. */
function isSilentCatch({ callee, arguments: [handler] }: CallExpression): boolean {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  if (callee.property.name !== 'catch') return false;
  if (handler?.type !== 'ArrowFunctionExpression' && handler?.type !== 'FunctionExpression') return false;
  const { body } = handler;
  if (body?.type === 'BlockStatement') return body.body.length === 0;
  return body?.type === 'Identifier' && body.name === 'undefined';
}
