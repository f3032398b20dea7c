import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Comment, parseSync, type Program, type StringLiteral, Visitor } from 'oxc-parser';

/** A parsed source file. */
export interface SourceFile {
  /** As requested, with `/` between folders. */
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** An import of a file. */
export interface Import {
  readonly specifier: string;
  /** True if it disappears with the types. */
  readonly isTypeOnly: boolean;
  readonly line: number;
}

/** Parses a file. Throws if it is not TypeScript. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
  return { path, text, program, comments };
}

/** Parses all TypeScript files below a folder, without tests, generated files and installed packages. */
export async function readSources(folder: string): Promise<SourceFile[]> {
  const entries = await readdir(folder, { recursive: true });
  const paths = entries.map((entry) => join(folder, entry).replaceAll('\\', '/')).filter(isSource);
  return Promise.all(paths.toSorted().map(async (path) => parseSource(path, await readFile(path, 'utf8'))));
}

function isSource(path: string): boolean {
  return path.endsWith('.ts') && !/\.(test|d)\.ts$|(^|\/)(node_modules|dist|generated|results)\//.test(path);
}

/** Line number of a position, from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/** Returns all imports and re-exports of a file in order. */
export function importsOf({ program, text }: SourceFile): Import[] {
  const imports: Import[] = [];
  const add = (source: StringLiteral, isTypeOnly: boolean): void => {
    imports.push({ specifier: source.value, isTypeOnly, line: lineAt(text, source.start) });
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind, specifiers }) => {
      const areTypes =
        specifiers.length > 0 && specifiers.every((one) => 'importKind' in one && one.importKind === 'type');
      add(source, importKind === 'type' || areTypes);
    },
    ExportNamedDeclaration: ({ source, exportKind, specifiers }) => {
      if (source) add(source, exportKind === 'type' || specifiers.every((one) => one.exportKind === 'type'));
    },
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    TSImportType: ({ source }) => add(source, true),
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') add(source, false);
    },
  }).visit(program);
  return imports;
}
