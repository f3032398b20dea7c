import { checkOneOf, checkOptions } from '../../util/check-argument.ts';
import { folded, isSameWord, wordsIn } from '../../policy/words.ts';
import { SECRET } from '../replay/element-steps.ts';
import type { RecordedStep } from '../replay/recorded-step.ts';
import type { RunRecord } from '../replay/run-record.ts';
import { CHAUFFEUR, type Dialect, PLAYWRIGHT } from './dialect.ts';
import { Literals, propertyCode, quoted } from './literals.ts';
import { stepCode } from './step-code.ts';
import { splitClauses } from '../../offline/agent/split-clauses.ts';

/** Options for `AgentResult.toScript`. */
export interface ScriptOptions {
  /** The library that the script uses. Default: `chauffeur`. */
  for?: 'chauffeur' | 'playwright';
}

const DIALECTS = { chauffeur: CHAUFFEUR, playwright: PLAYWRIGHT } as const;
const LIBRARIES = ['chauffeur', 'playwright'] as const;

/** Converts a run to a TypeScript file that repeats it without an agent. */
export function toScript(record: RunRecord, options: ScriptOptions = {}): string {
  checkOptions(options);
  const { for: library = 'chauffeur' } = options;
  checkOneOf('for', library, LIBRARIES);
  const dialect = DIALECTS[library];
  const names = variableNames(record);
  const [variables, call] = names.length > 0 ? [', variables: Variables', `, {${valuesCode(names)}}`] : ['', ''];
  const literals = new Literals(names, (text) => record.variables.originsOf(text));
  const body = bodyCode(record, dialect, literals);
  const helpers = dialect.helpersOf(body.join('\n'));
  const lines = [
    ...dialect.importsOf(helpers),
    '',
    ...interfaceCode(record, names),
    '/** Runs the recorded steps of the task. */',
    `export async function run(${dialect.parameter}${variables}): Promise<void> {`,
    ...indented([...dialect.firstPage, ...body]),
    '}',
    '',
    'if (process.argv[1] === import.meta.filename) {',
    ...indented(dialect.main(call)),
    '}',
    ...(names.length > 0 ? ['', ...ENVIRONMENT] : []),
    ...helpers,
  ];
  return `${lines.join('\n')}\n`;
}

const ENVIRONMENT = [
  '/** Reads an environment variable. */',
  'function needed(name: string): string {',
  '  const value = process.env[name];',
  '  if (value === undefined) throw new Error(`Set ${name}.`);',
  '  return value;',
  '}',
];

/** Returns the variables of the task, plus `password` if the run typed a password without a variable. */
function variableNames({ variables, secrets }: RunRecord): readonly string[] {
  const names = variables.known.map(({ name }) => name);
  const secret = SECRET.slice(1, -1);
  return secrets.length > 0 && !names.includes(secret) ? [...names, secret] : names;
}

function valuesCode(names: readonly string[]): string {
  const inEnvironment = environmentNames(names);
  const values = names.map((name, index) => `${propertyCode(name)}: needed(${quoted(inEnvironment[index] ?? '')})`);
  return ` ${values.join(', ')} `;
}

/** Returns unique names such as `TASK_EMAIL`. Shells accept only ASCII letters, digits and `_`. */
function environmentNames(names: readonly string[]): readonly string[] {
  const given = new Set<string>();
  return names.map((name) => {
    const plain = folded(name)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, '_');
    const base = `TASK_${/[A-Z0-9]/.test(plain) ? plain : 'VARIABLE'}`;
    let unique = base;
    for (let number = 2; given.has(unique); number += 1) unique = `${base}_${number}`;
    given.add(unique);
    return unique;
  });
}

function interfaceCode({ variables }: RunRecord, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const fields = names.flatMap((name) => {
    const description = variables.known.find((variable) => variable.name === name)?.description ?? '';
    const words = description.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /');
    return [...(words === '' ? [] : [`  /** ${words} */`]), `  ${propertyCode(name)}: string;`];
  });
  const comment =
    '/** Values for the task. If you run the script directly, it reads them from environment variables. */';
  return [comment, 'export interface Variables {', ...fields, '}', ''];
}

function bodyCode(record: RunRecord, dialect: Dialect, literals: Literals): readonly string[] {
  const { steps, startUrl, secrets } = record;
  const instruction = secrets.reduce((text, secret) => text.replaceAll(secret, SECRET), record.instruction);
  const comments = new TaskComments(instruction);
  const start = /^(?:https?|file|data):/.test(startUrl) ? [`await page.goto(${literals.text(startUrl)});`] : [];
  const body = new ScriptBody(dialect, literals);
  const code = steps.flatMap((step, index) => [
    ...comments.before(wordsOf(step)),
    ...body.codeOf(step, steps.slice(index + 1)),
  ]);
  return [...start, ...code, ...comments.rest(), ...ending(steps)];
}

/** Words that are too common to relate a step to a clause of the task. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the to of in on at for with and or it its this that into as is be by from click press tap open go button link field box ' +
    'checkbox text textbox page list row'
  ).split(' '),
);

/** The folders in a path or URL. Only the file name says something about a step. */
const FOLDERS = /(?<!\S)(?:[a-z][a-z\d+.-]*:|~|\.{1,2})?[\\/](?:\S*[\\/])?(?=[^\s\\/])/gi;

interface StepText {
  readonly own: string;
  readonly around: string;
}

/** How much more `own` words count than `around` words. */
const OWN_WEIGHT = 3;

/** The clauses of a task as comments, each before the first step that it describes. */
export class TaskComments {
  readonly #parts: readonly string[];
  /** Number of clauses that have been returned. */
  #written = 0;

  constructor(instruction: string) {
    this.#parts = splitClauses(instruction).map((part) => part.replaceAll(/\s+/g, ' '));
  }

  /** Returns the comments to put before a step. The first step gets at least the first clause. */
  before(step: StepText): readonly string[] {
    const [own, around] = [significantWords(step.own), significantWords(step.around)];
    const current = Math.max(0, this.#written - 1);
    const scores = this.#parts
      .slice(current)
      .map((part) => OWN_WEIGHT * sharedWords(part, own) + sharedWords(part, around));
    const best = Math.max(...scores);
    return this.#takeUpTo(best < OWN_WEIGHT ? current : current + scores.indexOf(best));
  }

  rest(): readonly string[] {
    return this.#takeUpTo(this.#parts.length - 1);
  }

  #takeUpTo(last: number): readonly string[] {
    const taken = this.#parts.slice(this.#written, last + 1);
    this.#written = Math.max(this.#written, last + 1);
    return taken.map((part) => `// ${part}`);
  }
}

function significantWords(text: string): readonly string[] {
  return wordsIn(text.replaceAll(FOLDERS, '')).filter((word) => !COMMON_WORDS.has(word));
}

/** Counts the words that a clause shares with a step. The verb at the start of the clause counts twice. */
function sharedWords(part: string, words: readonly string[]): number {
  const clauseWords = wordsIn(part.replaceAll(FOLDERS, ''));
  const [verb = ''] = clauseWords;
  const shared = new Set(words.filter((word) => clauseWords.some((other) => isSameWord(word, other))));
  return shared.size + (words.some((word) => isSameWord(word, verb)) ? 1 : 0);
}

/** Waits for requests before the browser closes. Some pages never become idle, so the generated wait has a timeout. */
function ending(steps: readonly RecordedStep[]): readonly string[] {
  const last = steps.at(-1);
  if (!last || last.tool === 'tabs') return [];
  return [
    '// Wait until the requests of the last step have ended before the browser closes.',
    `await ${pageName(last.page)}.waitForLoadState('networkidle', { timeout: ${QUIET_WITHIN_MS} }).catch(() => undefined);`,
  ];
}

const QUIET_WITHIN_MS = 5000;

function wordsOf({ tool, input, element }: RecordedStep): { own: string; around: string } {
  if (!element) {
    const given = Object.values(input).filter((value) => typeof value === 'string');
    return { own: [tool, ...given].join(' '), around: '' };
  }
  const { action, fingerprint, goal } = element.step;
  const { name, sections, row } = fingerprint;
  const own = [action.method, name, goal?.fingerprint.name ?? '', ...action.arguments];
  return { own: own.join(' '), around: [...sections.slice(0, 1), ...row].join(' ') };
}

/** Generates the steps, and declares the pages and downloads that they open. */
class ScriptBody {
  readonly #dialect: Dialect;
  readonly #literals: Literals;
  #pages = 1;
  #downloads = 0;

  constructor(dialect: Dialect, literals: Literals) {
    this.#dialect = dialect;
    this.#literals = literals;
  }

  codeOf(step: RecordedStep, [next]: readonly RecordedStep[]): readonly string[] {
    if (step.tool === 'download') return this.#saveCode(step);
    const page = pageName(step.page);
    const own = stepCode(step, { dialect: this.#dialect, literals: this.#literals, page, pageName });
    const { before, after } = this.#opening(step, next);
    const awaited = next?.tool === 'download' ? this.#awaitedDownload(page) : [];
    return [...before, ...awaited, ...own, ...after];
  }

  /** Declares a variable for the page that this step opens and the next one uses. */
  #opening(
    step: RecordedStep,
    next: RecordedStep | undefined,
  ): { before: readonly string[]; after: readonly string[] } {
    const opens = step.tool === 'tabs' && step.input['what'] === 'open';
    const isNew = next !== undefined && next.page >= this.#pages;
    if (!opens && !isNew) return { before: [], after: [] };
    const name = pageName(this.#pages);
    this.#pages += 1;
    if (!opens) return this.#dialect.openedPage(name, pageName(step.page));
    const { url } = step.input;
    const goto = typeof url === 'string' ? [`await ${name}.goto(${this.#literals.text(url)});`] : [];
    return { before: [...this.#dialect.newPage(name), ...goto], after: [] };
  }

  #awaitedDownload(page: string): readonly string[] {
    this.#downloads += 1;
    return [`const download${this.#downloads} = ${page}.waitForEvent('download');`];
  }

  #saveCode({ input }: RecordedStep): readonly string[] {
    const path = input['as'];
    const save = typeof path === 'string' ? `saveAs(${this.#literals.text(path)})` : 'path()';
    return [`await (await download${this.#downloads}).${save};`];
  }
}

function pageName(number: number): string {
  return number === 0 ? 'page' : `page${number + 1}`;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}
