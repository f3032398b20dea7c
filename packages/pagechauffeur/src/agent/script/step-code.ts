import { canonicalMethod, pointIn, typedText } from '../../actions/methods.ts';
import type { StoredStep } from '../../replay/stored-step.ts';
import type { RecordedElement, RecordedStep } from '../replay/recorded-step.ts';
import type { Dialect } from './dialect.ts';
import type { Literals } from './literals.ts';
import { withPercentSigns } from '../../util/placeholders.ts';
import type { Locating } from './locating.ts';

export interface CodeParts {
  readonly dialect: Dialect;
  readonly literals: Literals;
  readonly page: string;
  readonly pageName: (number: number) => string;
}

/** Returns the statements for a step, or a comment if a script cannot repeat it. */
export function stepCode({ tool, input, element }: RecordedStep, parts: CodeParts): readonly string[] {
  if (element) return withComment(elementCode(element, parts), element);
  const { page, literals, pageName } = parts;
  const text = (name: string): string => literals.text(String(input[name] ?? ''));
  switch (tool) {
    case 'navigate':
      return [`await ${page}.goto(${text('url')});`];
    case 'back':
      return [`await ${page}.goBack();`];
    case 'press':
      return [`await ${page}.keyboard.press(${literals.text(keysOf(String(input['keys'])))});`];
    case 'scroll':
      return [`await ${page}.mouse.wheel(0, ${input['to'] === 'up' ? -SCREENFUL : SCREENFUL});`];
    case 'wait':
      return waitCode(input, parts);
    case 'dialog':
      return [`${page}.once('dialog', (dialog) => void dialog.${answerCode(input, literals)});`];
    case 'tabs':
      return input['what'] === 'close' ? [closeCode(input, pageName)] : [];
    default:
      return [omittedCode(tool)];
  }
}

/** Adds a comment such as `// link "Cart 2"` if the locator is not readable. */
function withComment(
  [first = '', ...more]: readonly string[],
  { step: { fingerprint }, locating }: RecordedElement,
): readonly string[] {
  const { by, name, nth } = locating;
  if (by !== 'selector' && nth === undefined && (by !== 'role' || name !== undefined)) return [first, ...more];
  const { role, name: known, sections, row } = fingerprint;
  const isOneOfMany = known === '' || nth !== undefined;
  const around = isOneOfMany ? [...sections, ...row].find((text) => text !== '') : undefined;
  const words = [
    role,
    ...(known === '' ? [] : [JSON.stringify(known)]),
    ...(around ? [`in ${JSON.stringify(around)}`] : []),
  ];
  return [`${first} // ${onOneLine(words.join(' '))}`, ...more];
}

/** A page that the run has not used has no index, and the script does not open it. */
function closeCode({ page }: RecordedStep['input'], pageName: CodeParts['pageName']): string {
  return typeof page === 'number'
    ? `await ${pageName(page)}.close();`
    : '// Here the agent closed a page that this script does not use.';
}

function omittedCode(name: string): string {
  return `// Here the agent used ${onOneLine(name)}, which has no equivalent in a script.`;
}

/** A line break in page text would end the comment, and the rest would be code. */
function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Scroll distance for one screen, in CSS pixels. */
const SCREENFUL = 600;

function waitCode(input: RecordedStep['input'], { page, literals }: CodeParts): readonly string[] {
  const { text, until, timeout } = input;
  if (typeof text !== 'string') return [];
  const options = [
    ...(until === 'gone' ? ["state: 'hidden'"] : []),
    ...(typeof timeout === 'number' ? [`timeout: ${timeout}`] : []),
  ];
  const given = options.length === 0 ? '' : `{ ${options.join(', ')} }`;
  return [`await ${page}.getByText(${literals.text(text)}).first().waitFor(${given});`];
}

function answerCode({ accept, text }: RecordedStep['input'], literals: Literals): string {
  if (accept !== true) return 'dismiss()';
  return `accept(${typeof text === 'string' ? literals.text(text) : ''})`;
}

const PLAIN: Readonly<Record<string, readonly [method: string, options: string]>> = {
  click: ['click', ''],
  doubleClick: ['dblclick', ''],
  rightClick: ['click', "button: 'right'"],
  middleClick: ['click', "button: 'middle'"],
  hover: ['hover', ''],
  tap: ['tap', ''],
  check: ['check', ''],
  uncheck: ['uncheck', ''],
  focus: ['focus', ''],
  scrollTo: ['scrollIntoViewIfNeeded', ''],
};
const METHODS_WITHOUT_POINTER: ReadonlySet<string> = new Set(['focus', 'scrollTo']);

function plainCode(
  name: string,
  { fingerprint: { xpath }, action }: StoredStep,
  { shadowClickOptions }: Dialect,
): string | undefined {
  const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (!plain) return undefined;
  const [method, options] = plain;
  const isInShadow = xpath.includes('//') && !METHODS_WITHOUT_POINTER.has(name);
  const point = pointIn(name, action.arguments);
  const position = point ? `position: { x: ${point.x}, y: ${point.y} }` : '';
  const given = [options, position, isInShadow ? shadowClickOptions : ''].filter((option) => option !== '').join(', ');
  return `${method}(${given === '' ? '' : `{ ${given} }`})`;
}

function elementCode({ step, locating, goal }: RecordedElement, parts: CodeParts): readonly string[] {
  const { page, literals, dialect } = parts;
  const { arguments: args, method } = step.action;
  const name = canonicalMethod(method) ?? method;
  const found = locatorCode(page, locating, parts);
  const [first = ''] = args;
  const plain = plainCode(name, step, dialect);
  if (plain !== undefined) return [`await ${found}.${plain};`];
  const typed = typedText(method, args) ?? '';
  const origins = literals.originsOf(typed);
  const code = { locator: found, text: literals.text(typed) };
  const { locator, text } = origins ? dialect.bind(code, origins) : code;
  switch (name) {
    case 'fill':
      return [`await ${locator}.fill(${text});`];
    case 'type':
    case 'append':
      return dialect.type(locator, text, !/\/input(?:\[\d+\])?$/.test(step.fingerprint.xpath));
    case 'replace':
    case 'insert':
      return dialect.editText(page, locator, {
        method: name,
        anchor: literals.text(first),
        text,
        isField: /\/(?:input|textarea)(?:\[\d+\])?$/.test(step.fingerprint.xpath),
      });
    case 'press':
      return [`await ${locator}.press(${literals.text(keysOf(first))});`];
    case 'select':
      return [`await ${locator}.selectOption(${optionsCode(args, literals)});`];
    case 'upload':
      return step.fingerprint.attributes['type'] === 'file'
        ? [`await ${locator}.setInputFiles(${literals.list(args)});`]
        : dialect.offerFiles(page, locator, literals.list(args));
    case 'dragAndDrop':
      return goal ? [`await ${locator}.dragTo(${locatorCode(page, goal, parts)});`] : [];
    case 'nextChunk':
    case 'prevChunk':
      return [
        `await ${locator}.hover();`,
        `await ${page}.mouse.wheel(0, ${name === 'prevChunk' ? -SCREENFUL : SCREENFUL});`,
      ];
    default:
      return [omittedCode(name)];
  }
}

const LOCATOR_METHODS: Readonly<Record<string, string>> = {
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  title: 'getByTitle',
  text: 'getByText',
};

type LocatorParts = Pick<CodeParts, 'literals' | 'dialect'>;

/** Both dialects have the same locator methods. */
function locatorCode(page: string, locating: Locating, parts: LocatorParts): string {
  const { frames, within, nth } = locating;
  const text = (words: string): string => parts.literals.text(words);
  const frame = frames.map((selector) => `.frameLocator(${text(selector)})`).join('');
  const holder = within ? `.getByRole(${text(within.role)}).filter({ hasText: ${text(within.hasText)} })` : '';
  const place = nth === undefined ? '' : nth === 0 ? '.first()' : `.nth(${nth})`;
  return `${page}${frame}${holder}${ownCode(locating, parts)}${place}`;
}

function ownCode({ by, value, name }: Locating, parts: LocatorParts): string {
  const text = parts.literals.text(value);
  if (by === 'role') return `.getByRole(${text}${name === undefined ? '' : `, { ${nameCode(name, parts)} }`})`;
  if (by === 'testid') return `.getByTestId(${text})`;
  // Cache files can be edited, so `by` can be any string.
  return Object.hasOwn(LOCATOR_METHODS, by) ? `.${LOCATOR_METHODS[by]}(${text}, { exact: true })` : `.locator(${text})`;
}

/**
 * A name in capitals can come from `text-transform`, which Playwright ignores, so the script then matches it
 * case-insensitively.
 */
function nameCode(name: string, { literals, dialect }: LocatorParts): string {
  const isInCapitals = /\p{Lu}{2}/u.test(name) && !/\p{Ll}|%/u.test(name);
  if (dialect.matchesRenderedNames || !isInCapitals) return `name: ${literals.text(name)}, exact: true`;
  return `name: ${String(new RegExp(`^${withPercentSigns(name).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`, 'i'))}`;
}

function optionsCode(options: readonly string[], literals: Literals): string {
  const codes = options.map((option) => {
    const index = /^index=(\d+)$/.exec(option)?.[1];
    return index === undefined ? literals.text(option) : `{ index: ${index} }`;
  });
  const [only] = codes;
  return only !== undefined && codes.length === 1 ? only : `[${codes.join(', ')}]`;
}

/** Key aliases that Playwright does not know. */
const KEYS: Readonly<Record<string, string>> = {
  ctrl: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  option: 'Alt',
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
};

function keysOf(keys: string): string {
  return keys
    .split(/(?<=.)\+(?=.)/)
    .map((key) => (Object.hasOwn(KEYS, key.toLowerCase()) ? (KEYS[key.toLowerCase()] ?? key) : key))
    .join('+');
}
