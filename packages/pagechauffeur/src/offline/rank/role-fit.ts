import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { Intent } from '../grammar/reading.ts';
import { CONTAINER_ROLES, hasOptions, isCheckable, opensChoices, takesText } from '../page/roles.ts';
import type { RankOptions } from './ranker.ts';

/** Role fits for clicks on elements that users rarely click. */
const CLICK_ON_FIELD = 0.55;
const CLICK_ON_GENERIC = 0.85;
const CLICKED_ROLES: ReadonlySet<string> = new Set([
  'button',
  'link',
  'tab',
  'menuitem',
  'option',
  'treeitem',
  'checkbox',
  'radio',
  'switch',
  'menuitemcheckbox',
  'menuitemradio',
  'gridcell',
]);

export function rankOptionsFor(intent: Intent): RankOptions {
  return { intent, ...fitsFor(intent) };
}

function fitsFor(intent: Intent): Omit<RankOptions, 'intent'> {
  switch (intent) {
    case 'write':
    case 'search':
    case 'clear':
      return { roleFit: writeFit, isKindKnown: true };
    case 'press':
      return { roleFit: (node) => (takesText(node) ? 1 : 0.8), isKindKnown: false };
    case 'check':
      return { roleFit: (node) => (isWrongToggle(node, true) ? 0 : switchFit(node)), isKindKnown: true };
    case 'uncheck':
      return { roleFit: (node) => (isWrongToggle(node, false) ? 0 : switchFit(node)), isKindKnown: true };
    case 'upload':
      return { roleFit: uploadFit, isKindKnown: true };
    case 'choose':
      return { roleFit: (node) => (hasOptions(node) ? 1 : 0), isKindKnown: true };
    case 'focus':
    case 'hover':
    case 'rightClick':
    case 'doubleClick':
      return { roleFit: () => 1, isKindKnown: false };
    case 'drag':
      return { roleFit: dragFit, isKindKnown: true };
    case 'scrollTo':
      return { roleFit: (node) => (node.role === 'heading' ? 1 : 0.95), isKindKnown: false, isAnyLine: true };
    default:
      return { roleFit: clickFit, isKindKnown: false };
  }
}

/** Any element can be draggable by script, so elements without the state `draggable` are only slightly worse. */
const DRAG_OF_OTHERS = 0.95;

function dragFit({ states }: SnapshotNode): number {
  return states.includes('draggable') ? 1 : DRAG_OF_OTHERS;
}

/** A container is a click target only if it handles clicks itself. */
function clickFit(node: SnapshotNode): number {
  if (CONTAINER_ROLES.has(node.role) && !node.states.includes('clickable')) return 0;
  if (CLICKED_ROLES.has(node.role)) return 1;
  if (takesText(node) || hasOptions(node)) return CLICK_ON_FIELD;
  return node.role === 'combobox' ? 1 : CLICK_ON_GENERIC;
}

/** Accepts controls that open a list, except native selects. */
export function closedListFit(node: SnapshotNode): number {
  return opensChoices(node) ? 1 : 0;
}

/** Accepts visible options, radio buttons, tabs and other click targets. Excludes fields and closed lists. */
export function choiceFit(node: SnapshotNode): number {
  return takesText(node) || hasOptions(node) || opensChoices(node) ? 0 : clickFit(node);
}

const WRITE_IN_SLIDER = 0.6;

function writeFit(node: SnapshotNode): number {
  if (node.role === 'slider') return WRITE_IN_SLIDER;
  if (isOwnLabel(node)) return 0;
  return takesText(node) ? 1 : 0;
}

/** True for an editable key in a JSON editor, such as "Gender". Setting the gender must not rename the key. */
function isOwnLabel({ role, name, value = '' }: SnapshotNode): boolean {
  return role === 'generic' && value !== '' && value.toLowerCase() === name.toLowerCase();
}

/**
 * True if a click would not set the requested state: the item already has it, or is a radio button, which cannot be
 * cleared.
 */
function isWrongToggle({ role, states }: SnapshotNode, isWantedOn: boolean): boolean {
  if (role === 'radio' || role === 'menuitemradio') return !isWantedOn;
  const isClicked = role === 'menuitemcheckbox' || role === 'button';
  return isClicked && (states.includes('checked') || states.includes('pressed')) === isWantedOn;
}

function switchFit(node: SnapshotNode): number {
  if (isCheckable(node)) return 1;
  return node.role === 'button' && node.states.includes('pressed') ? PRESSED : 0;
}

const PRESSED = 0.9;

function uploadFit(node: SnapshotNode): number {
  return node.role === 'button' || node.role === 'textbox' || /file/i.test(node.role) ? 1 : 0;
}
