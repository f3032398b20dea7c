import { type CallExpression, type Expression, Visitor } from 'oxc-parser';
import { lineAt, type SourceFile } from '../source-file.ts';

/** A test and the rows it names. */
export interface NamedTest {
  readonly path: string;
  readonly line: number;
  /** Full title, including surrounding blocks. */
  readonly title: string;
  readonly ids: readonly string[];
}

/** Tests of a file that name rows, and malformed row names. */
export interface NamedRows {
  readonly tests: readonly NamedTest[];
  readonly faults: readonly string[];
}

/**
 * Parses `// [spec: act-calls.action, act-result.success]` above tests. The comment must be directly above a test.
 * Several comments add up.
 */
export function namedRows(file: SourceFile): NamedRows {
  const calls = suiteCalls(file);
  const tests = new Map<SuiteCall, string[]>();
  const faults: string[] = [];
  for (const { value, start, end } of file.comments) {
    if (!value.trimStart().startsWith('[spec')) continue;
    const place = `${file.path}:${lineAt(file.text, start)}`;
    const ids = idsIn(value);
    const test = calls.find((call) => call.start >= end);
    if (!ids) faults.push(`${place} is not of the form [spec: part.row, part.row]`);
    else if (test?.kind !== 'test' || !isBlank(file.text.slice(end, test.start)))
      faults.push(`${place} is not directly above a test`);
    else tests.set(test, [...(tests.get(test) ?? []), ...ids]);
  }
  const named = [...tests].map(([test, ids]) => namedTest(file, { test, ids, calls }));
  return { tests: named, faults };
}

function idsIn(comment: string): string[] | undefined {
  const list = /^\s*\[spec: ([^\]]+)\]\s*$/.exec(comment)?.[1]?.split(', ');
  return list?.every((id) => /^[\w-]+(\.[\w-]+)+$/.test(id)) ? list : undefined;
}

/** True if the text is empty except for line comments. */
function isBlank(between: string): boolean {
  return between.split('\n').every((line) => /^\s*(\/\/.*)?$/.test(line));
}

interface SuiteCall {
  readonly kind: 'block' | 'test';
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

const KINDS: Readonly<Record<string, SuiteCall['kind']>> = { it: 'test', test: 'test', describe: 'block' };

/** Tests and blocks of a file in order, without skipped ones. */
function suiteCalls({ program, text }: SourceFile): SuiteCall[] {
  const calls: SuiteCall[] = [];
  new Visitor({
    CallExpression: (call) => {
      const { start, end } = call;
      const [title] = call.arguments;
      const words = calledWords(call);
      const kind = KINDS[words[0] ?? ''];
      if (kind === undefined || title === undefined || call.arguments.length < 2) return;
      if (words.includes('skip') || words.includes('todo')) return;
      calls.push({ kind, title: text.slice(title.start, title.end).replace(/^(['"`])(.*)\1$/s, '$2'), start, end });
    },
  }).visit(program);
  return calls.toSorted((a, b) => a.start - b.start);
}

/** Returns the names in a call, for example `it` and `each` for `it.each(table)(title, run)`. */
function calledWords({ callee }: CallExpression): string[] {
  const words: string[] = [];
  let node: Expression = callee;
  for (;;) {
    if (node.type === 'CallExpression') node = node.callee;
    else if (node.type === 'TaggedTemplateExpression') node = node.tag;
    else if (node.type === 'MemberExpression' && node.property.type === 'Identifier') {
      words.unshift(node.property.name);
      node = node.object;
    } else break;
  }
  return node.type === 'Identifier' ? [node.name, ...words] : [];
}

function namedTest(
  { path, text }: SourceFile,
  { test, ids, calls }: { test: SuiteCall; ids: readonly string[]; calls: readonly SuiteCall[] },
): NamedTest {
  const around = calls.filter(({ kind, start, end }) => kind === 'block' && start < test.start && end >= test.end);
  const title = [...around, test].map((call) => call.title.replaceAll(/\\(.)/g, '$1')).join(' › ');
  return { path, line: lineAt(text, test.start), title, ids };
}
