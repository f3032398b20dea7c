import type { SchemaIssue } from '../../errors.ts';
import type { ProposedAction } from '../../model/model-client.ts';
import { canonicalMethod } from '../../page/action/methods.ts';
import type { RefTarget, Snapshot } from '../../snapshot/snapshot.ts';
import { type Deed, deedsIn, healedAction } from './deeds.ts';
import { isNamedFirst, isNamedIn, isPathIn, originOf } from './derived-text.ts';
import { areKeysIn, isShortcutIn } from './said-keys.ts';
import { textSourceOf } from './text-source.ts';

/** What a proposed step is judged by: what the user said, and what the page showed. */
export interface StepQuestion {
  readonly instruction: string;
  readonly snapshot: Snapshot;
}

/**
 * What speaks against carrying out a step for an instruction, whatever led the model to propose it: a method that the
 * instruction does not ask for, or text, a file, a key or a variable that it does not speak of. A page that talks a model
 * into something gets no further than this.
 */
export function stepIssues(action: ProposedAction, question: StepQuestion): SchemaIssue[] {
  const method = canonicalMethod(action.method);
  if (method === undefined) return [];
  const healed = healedAction(question.instruction);
  if (healed) return healingIssues({ ...action, method }, healed);
  const unnamed = unnamedPlaceholders(action, question.instruction);
  if (unnamed.length > 0) return unnamed;
  const facts: Facts = { ...question, action: { ...action, method }, place: question.snapshot.refs.get(action.ref) };
  return [...methodIssues(facts), ...targetIssues(facts)];
}

/** A variable's value is typed where the instruction says so, not where a page asks for it. */
function unnamedPlaceholders({ arguments: args }: ProposedAction, instruction: string): SchemaIssue[] {
  const placeholders = args.flatMap((argument) => argument.match(PLACEHOLDER) ?? []);
  return placeholders
    .filter((placeholder) => !instruction.includes(placeholder))
    .map((placeholder) => ({ path: ['arguments'], message: `the instruction does not speak of ${placeholder}` }));
}

/**
 * An element that was found, without the text or files that nobody spoke of: what is found may be carried out later by who
 * looks at it no more.
 */
export function withOwnArguments(found: ProposedAction, question: StepQuestion): ProposedAction {
  const condition = ENTERED[canonicalMethod(found.method) ?? ''];
  const place = question.snapshot.refs.get(found.ref);
  const isOwn = !condition || found.arguments.length === 0 || condition({ ...question, action: found, place }) === null;
  return isOwn ? found : { ...found, arguments: [] };
}

interface Facts extends StepQuestion {
  readonly action: ProposedAction;
  readonly place: RefTarget | undefined;
}

/** Why a step is not one that a deed stands for; null when it is. */
type Condition = (facts: Facts) => string | null;

const always: Condition = () => null;

const typed: Condition = ({ action, instruction, place, snapshot }) => {
  const [text = ''] = action.arguments;
  const plain = withoutPlaceholders(text);
  if (plain.trim() === '' && plain !== text) return null;
  const question = { instruction, fieldName: place?.name ?? '', pageText: () => snapshot.text };
  if (originOf(plain, question) !== null) return null;
  return `${JSON.stringify(text)} does not stand in the instruction; what is typed must`;
};

const path: Condition = ({ action, instruction }) => {
  const other = action.arguments.find((file) => withoutPlaceholders(file) !== '' && !isPathIn(file, instruction));
  if (other !== undefined) return `the file ${JSON.stringify(other)} does not stand in the instruction`;
  return UPLOAD_WORDS.test(instruction) || action.arguments.every((file) => /[./\\%]/.test(file))
    ? null
    : 'the instruction speaks of no file';
};

const named: Condition = ({ place, instruction }) => {
  if (place && (ENTRY_ROLES.has(place.role) || isNamedIn(place.name, instruction))) return null;
  if (place && CHOICE_ROLES.has(place.role) && leavesChoiceOpen(instruction)) return null;
  return 'the instruction asks for text to be entered, and speaks of no such element';
};

/** A form that is to be filled in has boxes to tick; "enter the gender" may be answered by one of two buttons. */
function leavesChoiceOpen(instruction: string): boolean {
  return FORM_WORDS.test(instruction) || textSourceOf(instruction, '') === 'left open';
}

const chosen: Condition = ({ action, place, instruction }) =>
  isNamedIn(action.arguments.join(' '), instruction) || (place && isNamedIn(place.name, instruction))
    ? null
    : 'the instruction speaks neither of this option nor of what it is chosen in';

/** An option may be called otherwise than the instruction calls it, as "Deutschland", where it names no field of the page. */
const entered: Condition = (facts) =>
  leavesChoiceOpen(facts.instruction) || !namesField(facts) ? null : chosen(facts);

function namesField({ snapshot, instruction }: Facts): boolean {
  return [...snapshot.refs.values()].some(({ role, name }) => ENTRY_ROLES.has(role) && isNamedIn(name, instruction));
}

const key =
  (harmlessKeys: RegExp): Condition =>
  ({ action, instruction }) => {
    const [keys = ''] = action.arguments;
    if (harmlessKeys.test(keys) || areKeysIn(keys, instruction)) return null;
    return `the instruction does not speak of the key ${JSON.stringify(keys)}`;
  };

// In another language than English the two ends of the way tell what is asked for.
const dragged: Condition = ({ instruction, action, place, snapshot }) => {
  const goal = snapshot.refs.get(action.arguments[0] ?? '');
  const isNamed = [place, goal].every((end) => end !== undefined && isNamedIn(end.name, instruction));
  return DRAG_WORDS.test(instruction) || isNamed ? null : 'the instruction does not ask to drag anything';
};

const FORM_WORDS =
  /\bforms?\b|formular|formulaire|formulario|フォーム|表单|\b(?:all|every|required|missing) fields?\b/i;
const CHOICE_ROLES: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);
const UPLOAD_WORDS =
  /\b(?:upload|attach|files?|documents?|images?|photos?|pictures?|avatar|cv|resume|scan|spreadsheet)\b/i;
const DRAG_WORDS = /\b(?:drag|drop|move|put|place|slide|swap|reorder|rearrange|sort|arrange)\b/i;
/** What a text is entered into, or chosen in. */
const ENTRY_ROLES: ReadonlySet<string> = new Set(
  'textbox searchbox combobox listbox option spinbutton slider gridcell'.split(' '),
);
const ACTIVATING_KEYS = /^(?:Enter|Space| )$/i;
const MOVING_KEYS = /^(?:(?:Arrow)?(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Tab|Escape|Enter|Space| )$/i;

const movingKey = key(MOVING_KEYS);
const keyOrShortcut: Condition = (facts) =>
  isShortcutIn(facts.action.arguments[0] ?? '', facts.instruction) ? null : movingKey(facts);

const clicks = { click: always, tap: always };
const scrolls = { scrollTo: always, scrollBy: always, nextChunk: always, prevChunk: always };
const entries = { fill: typed, type: typed };

/** What comes of methods that put something into the page. */
const ENTERED: Readonly<Record<string, Condition>> = { ...entries, upload: path };

/** Which methods carry out a deed, each on its condition. */
const METHODS_BY_DEED: Readonly<Record<Deed, Readonly<Record<string, Condition>>>> = {
  click: { ...clicks, check: always, uncheck: always, select: chosen, focus: always, press: key(ACTIVATING_KEYS) },
  type: {
    ...entries,
    select: entered,
    focus: always,
    press: key(/^$/),
    click: named,
    tap: named,
    check: named,
    uncheck: named,
  },
  key: { press: key(/^$/) },
  check: { ...clicks, check: always, scrollTo: always, hover: always, select: chosen, press: key(ACTIVATING_KEYS) },
  uncheck: { ...clicks, uncheck: always, select: chosen, press: key(ACTIVATING_KEYS) },
  scroll: { ...scrolls, hover: always, press: key(MOVING_KEYS) },
  hover: { hover: always, focus: always, scrollTo: always },
  focus: { ...clicks, focus: always, scrollTo: always },
  drag: { ...entries, dragAndDrop: always, select: chosen, press: key(MOVING_KEYS) },
  upload: { ...clicks, upload: path },
  doubleClick: { doubleClick: always },
  rightClick: { rightClick: always },
  middleClick: { middleClick: always },
  read: { ...scrolls, hover: always, focus: always, click: named, tap: named },
  any: {
    ...clicks,
    ...scrolls,
    ...entries,
    doubleClick: always,
    rightClick: always,
    middleClick: always,
    hover: always,
    focus: always,
    check: always,
    uncheck: always,
    select: always,
    press: keyOrShortcut,
    upload: path,
    dragAndDrop: dragged,
  },
};

function methodIssues(facts: Facts): SchemaIssue[] {
  const { method } = facts.action;
  const conditions = [...deedsIn(facts.instruction)].flatMap((deed) => METHODS_BY_DEED[deed][method] ?? []);
  if (conditions.length === 0)
    return [{ path: ['method'], message: `the instruction does not ask for ${JSON.stringify(method)}` }];
  const faults = conditions.map((condition) => condition(facts)).filter((fault) => fault !== null);
  const isBorneOut = faults.length < conditions.length;
  return isBorneOut ? [] : faults.slice(0, 1).map((message) => ({ path: ['arguments'], message }));
}

/** What is to be clicked and stands in the page by that name is clicked, not something of another name. */
function targetIssues({ action, instruction, snapshot, place }: Facts): SchemaIssue[] {
  if (action.method === 'dragAndDrop') return dropIssues(action, snapshot);
  const isClick = ['click', 'tap', 'check', 'uncheck'].includes(action.method);
  if (!isClick || !place || !EXPLICIT_CLICK.test(instruction) || isNamedIn(place.name, instruction)) return [];
  const meant = [...snapshot.refs.values()].find(({ name }) => isNamedFirst(name, instruction));
  if (!meant) return [];
  const message = `the instruction names ${meant.role} ${JSON.stringify(meant.name)}, and this is another element`;
  return [{ path: ['ref'], message }];
}

const EXPLICIT_CLICK = /^\s*(?:please\s+)?(?:click|tap|press|hit|push)\b/i;

function dropIssues({ arguments: args }: ProposedAction, { refs }: Snapshot): SchemaIssue[] {
  const [goal = ''] = args;
  return refs.has(goal)
    ? []
    : [{ path: ['arguments'], message: `${JSON.stringify(goal)} is no ref of an element to drop on` }];
}

/** An action that is done anew on another element is the same action. */
function healingIssues(
  action: ProposedAction,
  healed: { method: string; arguments: readonly string[] },
): SchemaIssue[] {
  const meant = canonicalMethod(healed.method) ?? healed.method;
  const isSame = action.method === meant || (WAYS_TO[meant] ?? []).includes(action.method);
  if (!isSame) return [{ path: ['method'], message: `${JSON.stringify(meant)} is to be done, nothing else` }];
  const other = action.arguments.find((argument) => !healed.arguments.includes(argument));
  if (other === undefined || action.method === 'dragAndDrop') return [];
  return [{ path: ['arguments'], message: `${JSON.stringify(other)} is not what it is to be done with` }];
}

/** Other methods that come to the same on another kind of element. */
const WAYS_TO: Readonly<Record<string, readonly string[]>> = {
  click: ['tap', 'check', 'uncheck'],
  tap: ['click'],
  check: ['click'],
  uncheck: ['click'],
  fill: ['type', 'select'],
  type: ['fill'],
  select: ['click', 'fill'],
};

const PLACEHOLDER = /%[A-Za-z_][\w-]*%/g;

function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, '');
}
