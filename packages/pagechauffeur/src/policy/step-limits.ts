import type { SchemaIssue } from '../errors.ts';
import type { HealIntent, InstructionIntent, Intent, ProposedAction } from '../model/model-client.ts';
import { canonicalMethod } from '../actions/methods.ts';
import type { RefTarget, Snapshot } from '../snapshot/snapshot.ts';
import { type Names, placeholderOf, placeholdersIn, replacePlaceholders } from '../util/placeholders.ts';
import { InstructionText } from './clauses.ts';
import { type ActionKind, actionKindsIn } from './action-kinds.ts';
import { isNamedIn, originOf } from './derived-text.ts';
import { healedValueIssues, type TriedPlace } from './healed-value.ts';
import { fileIssue } from './named-files.ts';
import { describedInstead, enteredInstead, namedInstead, requestedInstead } from './named-target.ts';
import { areKeysIn, isShortcutIn } from './key-phrases.ts';
import { textSourceOf } from './text-source.ts';

/** The purpose of a proposed step, and the page that the model saw. */
export interface StepQuestion {
  readonly intent: Intent;
  readonly snapshot: Snapshot;
  readonly variables: Names;
  /** Set if the step replaces a failed one. */
  readonly healing?: Healing | undefined;
}

export interface Healing {
  readonly tried: TriedPlace | undefined;
}

/**
 * Returns objections to a step that a model proposes. An instruction must ask for the method and mention its text,
 * file, key or variable. Self-heal allows only the same action or an equivalent method. A page may have manipulated the
 * model, so these rules do not trust the response.
 */
export function stepIssues(
  proposed: ProposedAction,
  { intent, snapshot, variables, healing }: StepQuestion,
): SchemaIssue[] {
  const method = canonicalMethod(proposed.method);
  if (method === undefined) return [];
  const action = { ...proposed, method };
  const words = intent.kind === 'instruction' ? intent.text : intent.description;
  const astray = healing ? healedValueIssues(action, { ...healing, words, snapshot, variables }) : [];
  if (astray.length > 0) return astray;
  if (intent.kind === 'heal') return healIssues(action, { intent, snapshot, variables });
  const instruction = new InstructionText(intent.text, variables);
  const unnamed = unnamedPlaceholders(action, { instruction, variables });
  if (unnamed.length > 0) return unnamed;
  const { files } = intent;
  const facts: Facts = { action, instruction, snapshot, variables, files, place: snapshot.refs.get(action.ref) };
  return [...methodIssues(facts), ...targetIssues(facts)];
}

/** A cached step, and the element on which it would run. */
export interface KeptStep {
  readonly method: string;
  /** With placeholders in place of variable values. */
  readonly arguments: readonly string[];
  readonly place: Pick<RefTarget, 'role' | 'name'>;
}

type JudgedPage = Pick<Snapshot, 'refs' | 'text'>;

/**
 * First judges the step without reading the page, which takes no time. Reads the page and judges again only if a rule
 * needs it.
 */
async function faultWithPage(
  judge: (page: JudgedPage) => string | null,
  readPage: () => Promise<JudgedPage>,
): Promise<string | null> {
  let isPageNeeded = false;
  const unread: JudgedPage = {
    get refs() {
      isPageNeeded = true;
      return new Map<string, never>();
    },
    get text() {
      isPageNeeded = true;
      return '';
    },
  };
  return judge(unread) ?? (isPageNeeded ? judge(await readPage()) : null);
}

/** Checks everything except whether the instruction names another element. */
function keptStepIssue(kept: KeptStep, { intent, variables }: KeptQuestion, snapshot: JudgedPage): string | null {
  const method = canonicalMethod(kept.method);
  if (method === undefined) return `unknown method ${JSON.stringify(kept.method)}`;
  const instruction = new InstructionText(intent.text, variables);
  const action = { ref: '', description: '', method, arguments: [...kept.arguments] };
  const place = kept.place as RefTarget;
  const facts = { action, instruction, snapshot, variables, files: intent.files, place };
  const [issue] = [
    ...unnamedPlaceholders(action, { instruction, variables }),
    ...methodIssues(facts),
    ...secretTargetIssues(facts),
  ];
  return issue?.message ?? null;
}

/**
 * If the field that receives a variable has a name, the instruction must mention it. For `%email%`, a field "Email"
 * counts as mentioned. `METHOD_TARGETS` has the rule for fields without a name.
 */
function secretTargetIssues({ action, instruction, variables, place }: Facts): SchemaIssue[] {
  const isTyped = action.method in TYPED && action.arguments.some((text) => placeholdersIn(text, variables).length > 0);
  if (!isTyped || !place || place.name === '' || isNamedIn(place.name, instruction.text)) return [];
  return [{ path: ['ref'], message: `the instruction does not mention ${place.role} ${JSON.stringify(place.name)}` }];
}

export interface KeptQuestion {
  readonly intent: InstructionIntent;
  readonly variables: Names;
  /** Reads the current page. Called only if a rule needs the page. */
  readonly page: () => Promise<Snapshot>;
}

/**
 * Returns why a cached step must not be replayed, or `null` if it can be. The rules let an edited cache do no more than
 * a manipulated model.
 */
export async function keptStepFault(kept: KeptStep, question: KeptQuestion): Promise<string | null> {
  const issue = await faultWithPage((page) => keptStepIssue(kept, question, page), question.page);
  if (issue !== null) return issue;
  const { text } = question.intent;
  const targetRule = METHOD_TARGETS.find((rule) => rule.appliesTo(kept, question.variables));
  if (!targetRule || isNamedIn(kept.place.name, text)) return null;
  const instruction = new InstructionText(text, question.variables);
  const page = await question.page();
  const unnamedInstead = kept.place.name === '' ? targetRule.unnamedInstead : undefined;
  const intended = targetRule.instead(kept.place, instruction, page) ?? unnamedInstead?.(instruction, page);
  return intended ? otherElementFault('the instruction', intended, kept.place) : null;
}

/**
 * Returns why a cached element must not be the result for an instruction, or `null` if it can be. Applies the rules for
 * a model's response. The instruction must not name another element of the page.
 */
export async function keptFindingFault(kept: KeptStep, question: KeptQuestion): Promise<string | null> {
  const { intent, variables } = question;
  const method = canonicalMethod(kept.method);
  if (method === undefined) return `unknown method ${JSON.stringify(kept.method)}`;
  const found = { ref: '', description: '', method, arguments: [...kept.arguments] };
  const refs = new Map([[found.ref, kept.place as RefTarget]]);
  const isOwn = (page: JudgedPage): boolean => {
    const snapshot = {
      refs,
      get text() {
        return page.text;
      },
    };
    return withoutUnmentionedArguments(found, { instruction: intent.text, snapshot, variables }) === found;
  };
  const unmentioned = 'the instruction does not mention the text or file of the cached action';
  const fault = await faultWithPage((page) => (isOwn(page) ? null : unmentioned), question.page);
  if (fault !== null) return fault;
  const instruction = new InstructionText(intent.text, variables);
  const [unnamed] = unnamedPlaceholders(found, { instruction, variables });
  if (unnamed) return unnamed.message;
  if (isNamedIn(kept.place.name, intent.text)) return null;
  const intended = requestedInstead(kept.place, instruction, await question.page());
  return intended ? otherElementFault('the instruction', intended, kept.place) : null;
}

export interface KeptActionQuestion extends Pick<KeptQuestion, 'variables' | 'page'> {
  readonly description: string;
}

/**
 * Returns why a caller's action must not run on a cached element, or `null` if it can. Applies the rules of self-heal:
 * the description must not name another element of the page, and must name a field that receives a variable. An action
 * without a description must not run.
 */
export async function keptActionFault(
  { arguments: args, place }: KeptStep,
  { description, variables, page }: KeptActionQuestion,
): Promise<string | null> {
  if (description === '') return 'the action has no description to compare with the page';
  if (isNamedIn(place.name, description)) return null;
  const [variable] = args.flatMap((argument) => placeholdersIn(argument, variables));
  if (variable !== undefined) return `the description does not name the field for ${placeholderOf(variable)}`;
  const intended = describedInstead(place, new InstructionText(description, variables), await page());
  return intended ? otherElementFault('the description', intended, place) : null;
}

/** The instruction must name every variable that a step uses, so that a page cannot ask for one. */
function unnamedPlaceholders(
  { arguments: args }: ProposedAction,
  { instruction, variables }: Pick<Facts, 'instruction' | 'variables'>,
): SchemaIssue[] {
  const named = new Set(placeholdersIn(instruction.text, variables));
  return args
    .flatMap((argument) => placeholdersIn(argument, variables))
    .filter((name) => !named.has(name))
    .map((name) => ({ path: ['arguments'], message: `the instruction does not mention ${placeholderOf(name)}` }));
}

/** A recorded step that enters text, an option or keys. */
export interface RecordedEntry extends KeptStep {
  /** The task in the user's own words. */
  readonly task: string;
  readonly variables: Names;
  /** Reads the current page. Called only if the task alone does not decide. */
  readonly page: () => Promise<JudgedPage>;
}

/**
 * Returns why recorded text, an option or keys must not be entered, or `null` if they can be. Applies the rules for a
 * model's response: a value that the task states must match.
 */
export async function recordedEntryFault({ task, variables, page, ...kept }: RecordedEntry): Promise<string | null> {
  const condition = RECORDED[canonicalMethod(kept.method) ?? ''];
  if (!condition) return null;
  const action = { ref: '', description: '', method: kept.method, arguments: [...kept.arguments] };
  const instruction = new InstructionText(task, variables);
  const place = kept.place as RefTarget;
  const judge = (snapshot: JudgedPage): string | null =>
    condition({ action, instruction, snapshot, variables, files: undefined, place });
  return faultWithPage(judge, page);
}

export interface FindingQuestion extends Pick<StepQuestion, 'variables'> {
  readonly snapshot: JudgedPage;
  readonly instruction: string;
}

/**
 * Drops the arguments of an observed action if the instruction does not mention the text or file. The caller can run
 * the action later without another check.
 */
export function withoutUnmentionedArguments(
  found: ProposedAction,
  { snapshot, variables, ...question }: FindingQuestion,
): ProposedAction {
  const condition = ENTERED[canonicalMethod(found.method) ?? ''];
  if (!condition || found.arguments.length === 0) return found;
  const instruction = new InstructionText(question.instruction, variables);
  const place = snapshot.refs.get(found.ref);
  const facts = { action: found, instruction, snapshot, variables, files: undefined, place };
  return condition(facts) === null ? found : { ...found, arguments: [] };
}

interface Facts extends Pick<StepQuestion, 'variables'> {
  readonly snapshot: JudgedPage;
  /** Paths from the option `files`. */
  readonly files: readonly string[] | undefined;
  readonly action: ProposedAction;
  readonly instruction: InstructionText;
  readonly place: RefTarget | undefined;
}

/** Returns why a method is not allowed for a kind of action, or `null` if it is. */
type Condition = (facts: Facts) => string | null;

const always: Condition = () => null;

const typed: Condition = ({ action, instruction, place, snapshot, variables }) => {
  const [text = ''] = action.arguments;
  const plain = withoutPlaceholders(text, variables);
  if (plain.trim() === '' && plain !== text) return null;
  const question = { instruction, fieldName: place?.name ?? '', pageText: () => snapshot.text };
  if (originOf(plain, question) !== null) return null;
  return `the instruction neither states nor asks for the text ${JSON.stringify(text)}`;
};

/**
 * Checks only the added words, because the field already contains the others. If none were added, checks the removal.
 */
const edited: Condition = (facts) => {
  const [before = '', after = ''] = facts.action.arguments;
  const [taken, added] = differenceOf(before, after);
  if (added.trim() !== '') return typed({ ...facts, action: { ...facts.action, arguments: [added] } });
  if (REMOVING.test(facts.instruction.text) || isNamedIn(taken, facts.instruction.text)) return null;
  return `the instruction does not ask to remove ${JSON.stringify(taken)}`;
};

const REMOVING = /\b(?:remove|delete|erase|clear|cut|drop|strip|without|shorten|fix|correct|clean)\b/i;

const inserted: Condition = (facts) =>
  typed({ ...facts, action: { ...facts.action, arguments: facts.action.arguments.slice(1) } });

/** Compares whole words. */
function differenceOf(before: string, after: string): readonly [taken: string, added: string] {
  const [old, now] = [before, after].map((text) => text.split(/(?<=\s)(?=\S)/)) as [string[], string[]];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [old.slice(start, old.length - end).join(''), now.slice(start, now.length - end).join('')];
}

const path: Condition = ({ action, instruction: { text }, variables, files }) => {
  const grants = { instruction: text, variables, files };
  return action.arguments.map((file) => fileIssue(file, grants)).find((issue) => issue !== null) ?? null;
};

const named: Condition = ({ place, instruction }) => {
  if (place && (ENTRY_ROLES.has(place.role) || isNamedIn(place.name, instruction.text))) return null;
  if (place && CHOICE_ROLES.has(place.role) && leavesChoiceOpen(instruction)) return null;
  return `the instruction does not mention ${place ? nameOf(place) : 'the chosen element'}`;
};

/** "Fill in the form" includes checking boxes, and "enter the gender" can mean one of two radio buttons. */
function leavesChoiceOpen(instruction: InstructionText): boolean {
  return FORM_WORDS.test(instruction.text) || textSourceOf(instruction, '') === 'left open';
}

const chosen: Condition = ({ action, place, instruction: { text } }) =>
  isNamedIn(action.arguments.join(' '), text) || (place && isNamedIn(place.name, text))
    ? null
    : `the instruction mentions neither the option ${JSON.stringify(action.arguments.join(', '))} nor its list`;

const chosenOrOpen: Condition = (facts) => (leavesChoiceOpen(facts.instruction) ? null : chosen(facts));

/**
 * Allows options with other names than in the instruction, such as "Deutschland", unless the instruction names a field
 * of the page.
 */
const entered: Condition = (facts) =>
  leavesChoiceOpen(facts.instruction) || !mentionedField(facts.instruction, facts.snapshot) ? null : chosen(facts);

function mentionedField({ text }: InstructionText, { refs }: JudgedPage): RefTarget | undefined {
  return [...refs.values()].find(({ role, name }) => ENTRY_ROLES.has(role) && isNamedIn(name, text));
}

const key =
  (harmlessKeys: RegExp): Condition =>
  ({ action, instruction }) => {
    const [keys = ''] = action.arguments;
    if (harmlessKeys.test(keys) || areKeysIn(keys, instruction.text)) return null;
    return `the instruction does not mention the key ${JSON.stringify(keys)}`;
  };

// Without a known verb, for example in other languages, the instruction must name both ends of the drag.
const dragged: Condition = ({ instruction: { text }, action, place, snapshot }) => {
  if (DRAG_WORDS.test(text)) return null;
  const goal = snapshot.refs.get(action.arguments[0] ?? '');
  const isNamed = [place, goal].every((end) => end !== undefined && isNamedIn(end.name, text));
  return isNamed ? null : 'the instruction does not ask to drag anything';
};

const FORM_WORDS =
  /\bforms?\b|formular|formulaire|formulario|フォーム|表单|\b(?:all|every|required|missing) fields?\b/i;
const CHOICE_ROLES: ReadonlySet<string> = new Set(['checkbox', 'radio', 'switch']);
const DRAG_WORDS = /\b(?:drag|drop|move|put|place|slide|swap|reorder|rearrange|sort|arrange)\b/i;
/** Roles that accept text or a selection. */
const ENTRY_ROLES: ReadonlySet<string> = new Set(
  'textbox searchbox combobox listbox option spinbutton slider gridcell'.split(' '),
);
const ACTIVATING_KEYS = /^(?:Enter|Space| )$/i;
const MOVING_KEYS = /^(?:(?:Arrow)?(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End|Tab|Escape|Enter|Space| )$/i;

const movingKey = key(MOVING_KEYS);
const keyOrShortcut: Condition = (facts) =>
  isShortcutIn(facts.action.arguments[0] ?? '', facts.instruction.text) ? null : movingKey(facts);

const clicks = { click: always, tap: always };
const scrolls = { scrollTo: always, scrollBy: always, nextChunk: always, prevChunk: always };
const edits = { replace: edited, insert: inserted, append: typed };
const entries = { fill: typed, type: typed, ...edits };
const TYPED: Readonly<Record<string, Condition>> = entries;

/** Conditions for recorded steps of an agent. */
const RECORDED: Readonly<Record<string, Condition>> = { ...entries, select: chosenOrOpen, press: keyOrShortcut };

const ENTERED: Readonly<Record<string, Condition>> = { ...entries, upload: path };

/** Methods that a kind of action allows, with their conditions. */
const METHODS_BY_KIND: Readonly<Record<ActionKind, Readonly<Record<string, Condition>>>> = {
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
  const conditions = [...actionKindsIn(facts.instruction)].flatMap((kind) => METHODS_BY_KIND[kind][method] ?? []);
  if (conditions.length === 0)
    return [{ path: ['method'], message: `the instruction does not ask for the method ${JSON.stringify(method)}` }];
  const faults = conditions.map((condition) => condition(facts)).filter((fault) => fault !== null);
  const isSupported = faults.length < conditions.length;
  return isSupported ? [] : faults.slice(0, 1).map((message) => ({ path: ['arguments'], message }));
}

/** Rejects an element if the instruction names another element of the page as the target. */
function targetIssues({ action, instruction, snapshot, variables, place }: Facts): SchemaIssue[] {
  if (action.method === 'dragAndDrop') return dropIssues(action, snapshot);
  const rule = METHOD_TARGETS.find(({ appliesTo }) => appliesTo(action, variables));
  const intended = place && rule?.instead(place, instruction, snapshot);
  return intended ? [{ path: ['ref'], message: otherElementFault('the instruction', intended, place) }] : [];
}

const POINTED: ReadonlySet<string> = new Set('click tap check uncheck doubleClick rightClick middleClick'.split(' '));

/** How to find the element that the instruction names as the target of a method. */
interface TargetRule {
  readonly appliesTo: (step: Pick<ProposedAction, 'method' | 'arguments'>, variables: Names) => boolean;
  readonly instead: typeof namedInstead;
  /** For a cached step on an element without a name: an element that the instruction mentions. */
  readonly unnamedInstead?: typeof mentionedField;
}

const METHOD_TARGETS: readonly TargetRule[] = [
  { appliesTo: ({ method }) => POINTED.has(canonicalMethod(method) ?? ''), instead: namedInstead },
  {
    appliesTo: ({ arguments: args }, variables) => args.some((text) => placeholdersIn(text, variables).length > 0),
    instead: enteredInstead,
    unnamedInstead: mentionedField,
  },
];

type NamedElement = Pick<RefTarget, 'role' | 'name'>;

function otherElementFault(text: string, intended: NamedElement, proposed: NamedElement): string {
  return `${text} names ${nameOf(intended)}, not ${nameOf(proposed)}`;
}

function nameOf({ role, name }: NamedElement): string {
  return name === '' ? `the unnamed ${role}` : `${role} ${JSON.stringify(name)}`;
}

function dropIssues({ arguments: args }: ProposedAction, { refs }: JudgedPage): SchemaIssue[] {
  const [goal = ''] = args;
  return refs.has(goal)
    ? []
    : [
        {
          path: ['arguments'],
          message: `${JSON.stringify(goal)} is not on the page. Pass the ref of the element to drop on`,
        },
      ];
}

interface HealQuestion extends StepQuestion {
  readonly intent: HealIntent;
}

/** The action must stay the same or equivalent, and its element must not contradict the description. */
function healIssues(action: ProposedAction, { intent, snapshot, variables }: HealQuestion): SchemaIssue[] {
  const method = canonicalMethod(intent.method) ?? intent.method;
  const argumentRule = action.method === method ? 'with arguments' : EQUIVALENT_METHODS[method]?.[action.method];
  if (argumentRule === undefined) {
    const allowed = [method, ...Object.keys(EQUIVALENT_METHODS[method] ?? {})];
    return [{ path: ['method'], message: `the method must be ${allowed.join(' or ')}` }];
  }
  if (method === 'dragAndDrop') return dropIssues(action, snapshot);
  const expected = argumentRule === 'with arguments' ? intent.arguments : [];
  const isSame = JSON.stringify(action.arguments) === JSON.stringify(expected);
  const place = snapshot.refs.get(action.ref);
  const intended = place && describedInstead(place, new InstructionText(intent.description, variables), snapshot);
  return [
    ...(isSame ? [] : [{ path: ['arguments'], message: `the arguments must be ${JSON.stringify(expected)}` }]),
    ...(intended ? [{ path: ['ref'], message: otherElementFault('the description', intended, place) }] : []),
  ];
}

/** Equivalent methods for other kinds of elements, and whether they take the same arguments or none. */
const EQUIVALENT_METHODS: Readonly<Record<string, Readonly<Record<string, 'with arguments' | 'without'>>>> = {
  click: { tap: 'without', check: 'without', uncheck: 'without' },
  tap: { click: 'without' },
  check: { click: 'without' },
  uncheck: { click: 'without' },
  fill: { type: 'with arguments', select: 'with arguments' },
  type: { fill: 'with arguments' },
  select: { click: 'without', fill: 'with arguments' },
};

function withoutPlaceholders(text: string, variables: Names): string {
  return replacePlaceholders(text, variables, () => '');
}
