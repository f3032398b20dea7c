import { posix } from 'node:path';
import type { Class, ClassElement, ModuleExportName, Program, Statement } from 'oxc-parser';
import { lineAt, type SourceFile } from '../source-file.ts';

/** A public name of the library. */
export interface PublicName {
  /** `Driver`, `Driver.act`. */
  readonly name: string;
  readonly path: string;
  readonly line: number;
  /** What is wrong with the name, for example a missing doc comment. */
  readonly fault?: string;
}

/**
 * Returns the exported names of a file, followed to their declarations, with public class members.
 * Constructors, `#private` members, symbol members and overrides (which inherit their doc comment) do not count.
 */
export function publicNames(entry: string, files: readonly SourceFile[]): PublicName[] {
  const fileByPath = new Map(files.map((file) => [file.path, file]));
  const file = fileByPath.get(entry);
  if (!file) throw new ReferenceError(`${entry} is not among the files`);
  return [
    ...exportedNames(file.program).flatMap((name) => namesDeclared(name, file, fileByPath)),
    ...wholesaleExports(file),
  ];
}

type FileByPath = ReadonlyMap<string, SourceFile>;

function exportedNames({ body }: Program): string[] {
  return body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const { declaration, specifiers } = statement;
    return declaration ? declaredNames(declaration) : specifiers.map(({ exported }) => nameOf(exported));
  });
}

function wholesaleExports({ path, text, program }: SourceFile): PublicName[] {
  return program.body
    .filter((statement) => statement.type === 'ExportAllDeclaration')
    .map(({ start }) => ({ name: '*', path, line: lineAt(text, start), fault: 'hides which names are public' }));
}

function namesDeclared(name: string, file: SourceFile, fileByPath: FileByPath): PublicName[] {
  const here = file.program.body.find((statement) => declaredNames(statement).includes(name));
  if (here) return describeDeclaration(name, here, file);
  const origin = originOf(name, file);
  const next = origin && fileByPath.get(origin.path);
  // Names from other packages are documented there.
  return next ? namesDeclared(origin.name, next, fileByPath) : [];
}

/** Names declared by a statement, with or without `export`. */
function declaredNames(statement: Statement): string[] {
  if (statement.type === 'ExportNamedDeclaration')
    return statement.declaration ? declaredNames(statement.declaration) : [];
  if (statement.type === 'VariableDeclaration') {
    return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  }
  if ('id' in statement && statement.id?.type === 'Identifier') return [statement.id.name];
  return [];
}

/** The module and name that an export or import refers to. */
function originOf(name: string, { path, program }: SourceFile): { path: string; name: string } | undefined {
  for (const statement of program.body) {
    const found = sourceOf(name, statement);
    if (found?.from.startsWith('.')) return { path: posix.join(posix.dirname(path), found.from), name: found.name };
    if (found) return undefined;
  }
  return undefined;
}

function sourceOf(name: string, statement: Statement): { from: string; name: string } | undefined {
  if (statement.type === 'ExportNamedDeclaration' && statement.source) {
    const specifier = statement.specifiers.find(({ exported }) => nameOf(exported) === name);
    return specifier && { from: statement.source.value, name: nameOf(specifier.local) };
  }
  if (statement.type === 'ImportDeclaration') {
    const specifier = statement.specifiers.find(({ local }) => local.name === name);
    if (specifier?.type === 'ImportSpecifier')
      return { from: statement.source.value, name: nameOf(specifier.imported) };
  }
  return undefined;
}

function nameOf(node: ModuleExportName): string {
  return node.type === 'Literal' ? node.value : node.name;
}

function describeDeclaration(name: string, statement: Statement, file: SourceFile): PublicName[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  const members = declaration?.type === 'ClassDeclaration' ? publicMembers(declaration) : [];
  return [
    describeName(name, statement, file),
    ...members.map((member) => describeName(`${name}.${member.name}`, member.node, file)),
  ];
}

function describeName(name: string, { start }: { start: number }, file: SourceFile): PublicName {
  const place = { name, path: file.path, line: lineAt(file.text, start) };
  return hasDocComment(file, start) ? place : { ...place, fault: 'has no doc comment' };
}

function hasDocComment({ text, comments }: SourceFile, position: number): boolean {
  const comment = comments.findLast(({ end }) => end <= position);
  return comment?.type === 'Block' && comment.value.startsWith('*') && text.slice(comment.end, position).trim() === '';
}

/** The first declaration of each public member: overloads and accessor pairs share one comment. */
function publicMembers({ body }: Class): { name: string; node: ClassElement }[] {
  const nodeByName = new Map<string, ClassElement>();
  for (const node of body.body) {
    const name = publicMemberName(node);
    if (name !== undefined && !nodeByName.has(name)) nodeByName.set(name, node);
  }
  return Array.from(nodeByName, ([name, node]) => ({ name, node }));
}

function publicMemberName(node: ClassElement): string | undefined {
  if (node.type === 'StaticBlock' || node.type === 'TSIndexSignature') return undefined;
  const { key, computed, override, accessibility } = node;
  if (computed || override || key.type !== 'Identifier' || key.name === 'constructor') return undefined;
  return accessibility === 'private' || accessibility === 'protected' ? undefined : key.name;
}
