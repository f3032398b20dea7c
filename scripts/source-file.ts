import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Comment, parseSync, type Program, type StringLiteral, Visitor } from 'oxc-parser';

export interface SourceFile {
  /** As passed by the caller, with `/` between folders. */
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

export interface Import {
  readonly specifier: string;
  /** True if the compiler removes the import together with the types. */
  readonly isTypeOnly: boolean;
  readonly line: number;
}

/** Throws a `SyntaxError` if the text is not TypeScript. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
  return { path, text, program, comments };
}

/** Parses all TypeScript files in a folder, except tests, declarations, generated files and installed packages. */
export async function readSources(folder: string): Promise<SourceFile[]> {
  const entries = await readdir(folder, { recursive: true });
  const paths = entries.map((entry) => join(folder, entry).replaceAll('\\', '/')).filter(isSource);
  return Promise.all(paths.toSorted().map(async (path) => parseSource(path, await readFile(path, 'utf8'))));
}

function isSource(path: string): boolean {
  return path.endsWith('.ts') && !/\.(test|d)\.ts$|(^|\/)(node_modules|dist|generated|results)\//.test(path);
}

/** Returns the line number of a position, counted from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/** Includes re-exports. */
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
