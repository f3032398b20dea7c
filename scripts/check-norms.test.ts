import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureFiles } from './check-norms.ts';
import { functionSizes } from './norms/functions.ts';
import { codeLines } from './norms/lines.ts';
import { publicNames } from './norms/public-names.ts';
import { repeatedCode } from './norms/repeated-code.ts';
import { parseSource } from './source-file.ts';

const path = 'packages/library/src/part.ts';

function faultsIn(text: string, at = path): string[] {
  return measureFiles([parseSource(at, text)], []).flatMap(({ faults }) => faults);
}

const statements = (count: number): string => 'work();\n'.repeat(count);

describe('sizes', () => {
  it('counts lines with code, not comments and empty lines', () => {
    const file = parseSource(
      path,
      '/**\n * Why.\n */\n\nconst a = 1; // one\n  // alone\nconst text = `\n// not a comment`;\n',
    );
    expect(codeLines(file).filter(Boolean)).toHaveLength(3);
  });

  it('fails a file above 500 lines of code', () => {
    expect(faultsIn(statements(500))).toEqual([]);
    expect(faultsIn(statements(501))).toEqual([`${path} has 501 lines of code, 500 at most`]);
  });

  it('fails functions, methods and arrow functions above 60 lines', () => {
    expect(faultsIn(`function f() {\n${statements(58)}}`)).toEqual([]);
    expect(faultsIn(`\nfunction f() {\n${statements(59)}}`)).toEqual([`${path}:2 has 61 lines, 60 at most`]);
    expect(faultsIn(`class A {\nm() {\n${statements(59)}} }`)).toHaveLength(1);
    expect(faultsIn(`const f = () => {\n${statements(59)}};`)).toHaveLength(1);
  });

  it('fails more than four parameters and does not count `this`', () => {
    expect(faultsIn('function f(this: object, a: 1, b: 2, c: 3, d: 4) { work(); }')).toEqual([]);
    expect(faultsIn('function f(a: 1, b: 2, c: 3, d: 4, e: 5) { work(); }')).toEqual([
      `${path}:1 has 5 parameters; take one object`,
    ]);
  });

  it('ignores declarations without a body', () => {
    expect(
      functionSizes(parseSource(path, 'declare function f(a: 1): void; abstract class A { abstract m(): void }')),
    ).toEqual([]);
  });
});

describe('banned code', () => {
  it.each([
    ['let a: any;', 'any'],
    ['const a = b as any;', 'any'],
    ['work(a!);', 'non-null assertion'],
    ['class A { b!: number; }', 'non-null assertion'],
    ['try { work(); } catch {}', 'silent catch'],
    ['try { work(); } catch (error) { /* never mind */ }', 'silent catch'],
    ['work().catch(() => {});', 'silent catch'],
    ['work().catch(() => undefined);', 'silent catch'],
    ['throw new Error("no");', 'bare Error'],
    ['throw Error("no");', 'bare Error'],
  ])('finds in %s: %s', (text, kind) => {
    expect(faultsIn(text)).toEqual([`${path}:1: ${kind}`]);
  });

  it.each([
    'try { work(); } catch (error) { log(error); }',
    'try { work(); } catch { return null; }',
    'work().catch(() => []);',
    'work().catch(report);',
    'throw new DriverError("no");',
    'class DriverError extends Error {}',
    'const any = "any!";',
  ])('finds nothing in %s', (text) => {
    expect(faultsIn(`async function f() { ${text} }`)).toEqual([]);
  });

  it('allows a bare Error outside the Node side of a package', () => {
    expect(faultsIn('throw new Error("no");', 'scripts/part.ts')).toEqual([]);
    expect(faultsIn('throw new Error("no");', 'packages/library/src/injected/part.ts')).toEqual([]);
  });
});

it('finds import cycles over any number of files, including types', () => {
  const files = [
    parseSource('src/a.ts', 'import { b } from "./part/b.ts";'),
    parseSource('src/part/b.ts', 'import type { C } from "../c.ts"; import { d } from "../d.ts";'),
    parseSource('src/c.ts', 'import { a } from "./a.ts";'),
    parseSource('src/d.ts', 'import "node:fs";'),
  ];
  expect(measureFiles(files, []).find(({ name }) => name === 'import cycles')?.faults).toEqual([
    'src/a.ts → src/part/b.ts → src/c.ts → src/a.ts',
  ]);
});

describe('public names', () => {
  const namesOf = (index: string, part: string): string[] => {
    const files = [parseSource('src/index.ts', index), parseSource('src/part.ts', part)];
    return publicNames('src/index.ts', files).map(({ name, fault }) => `${name}${fault ? ' bare' : ''}`);
  };

  it('are followed to their declaration', () => {
    const part =
      '/** A. */\nexport class A {}\nexport type B = 1;\ninterface C {}\nexport type { C };\nfunction hidden() {}';
    const index =
      'export { A, type B as Named, type C } from "./part.ts"; export { z } from "zod"; import { A as D } from "./part.ts"; export { D };';
    expect(namesOf(index, part)).toEqual(['A', 'B bare', 'C bare', 'A']);
  });

  it('include public class members, without overrides, private members and constructors', () => {
    const part = `
      /** A. */
      export class A extends Base {
        /** One. */
        one = 1;
        two = 2;
        #three = 3;
        private four = 4;
        override five = 5;
        constructor() { super(); }
        /** Six. */
        six(a: 1): void;
        six(a: 2): void;
        six(a: number): void { work(a); }
        get seven(): 7 { return 7; }
        [Symbol.dispose](): void { work(); }
      }`;
    expect(namesOf('export { A } from "./part.ts";', part)).toEqual([
      'A',
      'A.one',
      'A.two bare',
      'A.six',
      'A.seven bare',
    ]);
  });

  it('need a doc comment directly above', () => {
    const part = '// A.\nexport const a = 1;\n/** Far. */\nwork();\nexport const b = 1;\n/* B. */\nexport const c = 1;';
    expect(namesOf('export { a, b, c } from "./part.ts";', part)).toEqual(['a bare', 'b bare', 'c bare']);
  });

  it('must not be exported by a star', () => {
    const file = parseSource('src/index.ts', 'export * from "./part.ts";');
    expect(measureFiles([file], ['src/index.ts']).flatMap(({ faults }) => faults)).toEqual([
      'src/index.ts:1: * hides which names are public',
    ]);
  });
});

it('finds code repeated in two files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'twice-'));
  try {
    const names = ['apple', 'banana', 'cherry', 'damson', 'elder', 'fig', 'grape', 'hazel', 'ivy', 'juniper'];
    const body = names
      .map((name, index) => `export const ${name}Total = add(${name}, ${index}) * scale(${name});\n`)
      .join('');
    await writeFile(join(folder, 'one.ts'), `const first = 1;\n${body}`);
    expect(await repeatedCode([folder])).toEqual({ percent: 0, pairs: [] });
    await writeFile(join(folder, 'two.ts'), `${body}const last = 2;\n`);
    const { percent, pairs } = await repeatedCode([folder]);
    expect(percent).toBeGreaterThan(10);
    expect(pairs.join()).toMatch(/one\.ts:\d+ and .*two\.ts:\d+|two\.ts:\d+ and .*one\.ts:\d+/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
