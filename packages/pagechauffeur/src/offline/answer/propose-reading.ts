import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import { isPlaceholder } from '../grammar/masked-text.ts';
import type { Phrase } from '../grammar/phrase.ts';
import type { Reading } from '../grammar/reading.ts';
import type { Line } from '../page/line.ts';
import { isCheckable, isDropTarget, takesText } from '../page/roles.ts';
import { decide, type Decision, type Understood } from '../rank/decide.ts';
import type { Ranker, RankOptions } from '../rank/ranker.ts';
import { rankOptionsFor } from '../rank/role-fit.ts';
import { proposeChoice, proposeOption } from './propose-choice.ts';
import { propose, type Proposal, type Step } from './proposal.ts';

export function proposeReading(ranker: Ranker, reading: Reading): readonly Proposal[] {
  const { intent, target } = reading;
  if (intent === 'choose') return proposeChoice(ranker, reading);
  if (intent === 'option') return proposeOption(ranker, reading);
  if (intent === 'scrollPage' || (intent === 'press' && target.words.length === 0))
    return proposeOnPage(ranker, reading);
  const decision =
    intent === 'write' && hasNoTarget(target) ? onlyField(ranker) : decide(ranker, target, rankOptionsFor(intent));
  const shown = intent === 'scrollTo' ? atElement(ranker, decision) : decision;
  const proposal = propose(reading, shown, (node) => stepFor(ranker, reading, node));
  return proposal ? [proposal] : [];
}

/** Replaces a line without a ref, such as a heading, with the first element after it, for scrolling. */
function atElement({ page }: Ranker, decision: Decision): Decision {
  const match = decision.winner ?? decision.equals[0];
  const line = match && page.elements.find((element) => element.index >= match.line.index);
  const winner = match && line ? { ...match, line } : null;
  return { ...decision, winner, equals: winner ? [winner] : [] };
}

function hasNoTarget({ words, ordinal }: Phrase): boolean {
  return words.length === 0 && !ordinal;
}

/** Handles "type hello": uses the focused field, else the only field. */
function onlyField(ranker: Ranker): Decision {
  const fields = ranker.page.elements.filter(({ node }) => takesText(node));
  const line =
    fields.find(({ node }) => node.states.includes('focused')) ?? (fields.length === 1 ? fields[0] : undefined);
  const nearest = fields.map((field) => matchAt(field, UNDESCRIBED_SCORE));
  const winner = line ? matchAt(line, UNDESCRIBED_SCORE) : null;
  return { winner, equals: winner ? [winner] : nearest, understood: nearest, nearest, mismatch: null };
}

const UNDESCRIBED_SCORE = 0.7;

/** Creates a match for an element that no words describe. */
function matchAt(line: Line, score: number): Understood {
  return {
    line,
    score,
    coverage: 1,
    own: 0,
    account: { missing: [], besides: [], tier: 1, synonyms: 0, verbs: 0, isOfRole: false },
  };
}

function stepFor(ranker: Ranker, { intent, target, value, object }: Reading, node: SnapshotNode): Step | null {
  switch (intent) {
    case 'write':
      return acceptsValue(node, value ?? '') ? { method: 'fill', arguments: [value ?? ''] } : null;
    case 'search':
      return searchStep(node, value ?? '');
    case 'clear':
      return { method: 'fill', arguments: [''] };
    case 'press':
      return { method: 'press', arguments: [keyName(value ?? '')] };
    case 'upload':
      return { method: 'upload', arguments: [value ?? ''] };
    case 'check':
    case 'uncheck':
      return { method: switchMethod(intent, node) };
    case 'scrollTo':
      // Without arguments, the element is only scrolled into view.
      return { method: 'scrollTo', arguments: [] };
    case 'drag':
      return dragStep(ranker, object);
    case 'use':
      return { method: useMethod(target, node) };
    default:
      return { method: intent };
  }
}

/** Two steps: fills the field, then presses Enter once the field has the value. */
function searchStep(node: SnapshotNode, value: string): Step {
  return node.value === value
    ? { method: 'press', arguments: ['Enter'] }
    : { method: 'fill', arguments: [value], twoStep: true };
}

/** Number fields and sliders accept only numbers. */
function acceptsValue({ role }: SnapshotNode, value: string): boolean {
  return !NUMERIC.has(role) || isPlaceholder(value) || /^[+-]?[\d.,]+$/.test(value);
}

const NUMERIC: ReadonlySet<string> = new Set(['spinbutton', 'slider']);

function switchMethod(intent: 'check' | 'uncheck', node: SnapshotNode): string {
  if (!isCheckable(node) || node.role.startsWith('menuitem')) return 'click';
  return node.role === 'radio' ? 'click' : intent;
}

const LITERAL_CLICKS: ReadonlySet<string> = new Set(['click', 'press', 'tap', 'hit', 'toggl']);

function useMethod({ words }: Phrase, node: SnapshotNode): string {
  const isLiteral = words.some(({ stem }) => LITERAL_CLICKS.has(stem));
  return (node.role === 'checkbox' || node.role === 'switch') && !isLiteral ? 'check' : 'click';
}

function dragStep(ranker: Ranker, object: Phrase | null): Step | null {
  const dropTarget = object && findDropTarget(ranker, object);
  return dropTarget && { method: 'dragAndDrop', arguments: [dropTarget.node.ref ?? ''] };
}

/** A drop target outranks its heading. */
const OTHER_TARGET_FIT = 0.9;

const TO_DROP_ON: RankOptions = {
  intent: 'drag',
  roleFit: (node) => (isDropTarget(node) ? 1 : OTHER_TARGET_FIT),
  isKindKnown: true,
  isDroppedOn: true,
};

/** Roles of lists that can be below a heading. */
const HOLDERS: ReadonlySet<string> = new Set(['grid', 'group', 'list', 'listbox', 'table', 'tree']);

function findDropTarget(ranker: Ranker, phrase: Phrase): Line | null {
  const { winner, equals } = decide(ranker, phrase, TO_DROP_ON);
  // Drop targets under the same heading are equivalent.
  const match = winner ?? equals.find(({ line }) => equals.every((other) => other.line.heading === line.heading));
  if (!match) return null;
  const { line } = match;
  return (line.node.role === 'heading' && listUnder(ranker, line)) || line;
}

/** Returns the drop target or list under a heading, which may be empty. A heading itself does not accept drops. */
function listUnder({ page }: Ranker, heading: Line): Line | undefined {
  return [...page.dropTargets, ...page.elements].find(
    ({ heading: over, node }) => over === heading && (isDropTarget(node) || HOLDERS.has(node.role) || isEmptyBox(node)),
  );
}

function isEmptyBox({ role, name, children }: SnapshotNode): boolean {
  return role === 'generic' && name === '' && children.length === 0;
}

/** Handles key presses and scrolling without a target. Uses the focused element, else the first one. */
function proposeOnPage(ranker: Ranker, reading: Reading): readonly Proposal[] {
  const { elements } = ranker.page;
  const line = elements.find(({ node }) => node.states.includes('focused')) ?? elements[0];
  if (!line) return [];
  const step =
    reading.intent === 'press'
      ? { method: 'press', arguments: [keyName(reading.value ?? '')] }
      : scrollStep(reading.value ?? '');
  const winner = matchAt(line, 1);
  const decision: Decision = { winner, equals: [winner], understood: [winner], nearest: [winner], mismatch: null };
  const proposal = propose(reading, decision, () => step);
  return proposal ? [proposal] : [];
}

function scrollStep(direction: string): Step {
  switch (direction.toLowerCase()) {
    case 'down':
      return { method: 'nextChunk' };
    case 'up':
      return { method: 'prevChunk' };
    case 'top':
      return { method: 'scrollTo', arguments: ['0%'] };
    default:
      return { method: 'scrollTo', arguments: ['100%'] };
  }
}

const KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    enter: 'Enter',
    return: 'Enter',
    escape: 'Escape',
    esc: 'Escape',
    tab: 'Tab',
    space: 'Space',
    spacebar: 'Space',
    backspace: 'Backspace',
    delete: 'Delete',
    home: 'Home',
    end: 'End',
    pageup: 'PageUp',
    pagedown: 'PageDown',
    arrowup: 'ArrowUp',
    arrowdown: 'ArrowDown',
    arrowleft: 'ArrowLeft',
    arrowright: 'ArrowRight',
    uparrow: 'ArrowUp',
    downarrow: 'ArrowDown',
    leftarrow: 'ArrowLeft',
    rightarrow: 'ArrowRight',
    ctrl: 'Control',
    control: 'Control',
    cmd: 'Meta',
    command: 'Meta',
    meta: 'Meta',
    alt: 'Alt',
    shift: 'Shift',
  }),
);

function keyName(spoken: string): string {
  return spoken
    .split('+')
    .map((part) => {
      const key = part.trim();
      return KEYS.get(key.toLowerCase().replace(/ /g, '')) ?? (key.length === 1 ? key.toUpperCase() : key);
    })
    .join('+');
}
