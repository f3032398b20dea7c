import type { WireNode, WireProperties } from '../../contract.ts';
import { repeats } from './collapse.ts';
import { childrenOf, nameIn, propertiesOf, refIn, type WireLine } from './wire-line.ts';

/** Items whose role is more specific than that of the link or button inside. */
const ITEM_ROLES: ReadonlySet<string> = new Set(['menuitem', 'option', 'tab', 'treeitem']);
/** Containers whose role is less specific than that of the link or button inside. */
const BOX_ROLES: ReadonlySet<string> = new Set(['button', 'generic', 'listitem']);
const PART_ROLES: ReadonlySet<string> = new Set(['generic', 'none']);
const CONTROL_ROLES: ReadonlySet<string> = new Set(['button', 'link']);
/** States with which an action on the item differs from one on its control. */
const OWN_STATES: ReadonlySet<string> = new Set(['collapsed', 'draggable', 'droppable', 'expanded']);
/** Properties of the item that a merged line would lose. */
const OWN_PROPERTIES: readonly (keyof WireProperties)[] = [
  'value',
  'options',
  'placeholder',
  'level',
  'frameId',
  'url',
];

/**
 * Merges an item and its only control, such as a tab and its link, into one line with the control's ref: clicks on the
 * control bubble to the item. If the element contains only its own part, keeps the element's ref.
 */
export function withOnlyControl(line: WireLine, roles: readonly string[]): WireLine {
  const [control, ...others] = childrenOf(line);
  if (control === undefined || others.length > 0) return line;
  if (isOwnPart(line, control, roles)) return withNameOf(line, control);
  if (!isOnlyControl(line, control, roles)) return line;
  const [item, own] = [propertiesOf(line), propertiesOf(control)];
  const states = [...new Set([...(item.states ?? []), ...(own.states ?? [])])].filter((state) => state !== 'clickable');
  const properties: WireProperties = {
    ...own,
    ...(item.description !== undefined &&
      !repeats(item.description, nameIn(control)) && { description: item.description }),
    ...(states.length > 0 && { states }),
  };
  const role = ITEM_ROLES.has(roles[line[0]] ?? '') ? line[0] : control[0];
  return [role, nameIn(control), refIn(control), withoutEmptyStates(properties, states)];
}

/** True if a focusable element contains only its own clickable part, as custom elements often do. */
function isOwnPart(line: WireLine, part: WireNode, roles: readonly string[]): part is WireLine {
  if (typeof part === 'string' || refIn(line) === 0 || refIn(part) === 0 || childrenOf(part).length > 0) return false;
  const isPlain = PART_ROLES.has(roles[part[0]] ?? '') && (propertiesOf(part).states ?? []).join() === 'clickable';
  const isFocusable = !(propertiesOf(line).states ?? []).includes('clickable');
  return isPlain && isFocusable && nameIn(line) === '' && nameIn(part) !== '';
}

// A hint only replaces a missing name, so it is dropped.
function withNameOf(line: WireLine, part: WireLine): WireLine {
  const { description, isHint, ...own } = propertiesOf(line);
  const properties = description === undefined || isHint ? own : { ...own, description };
  return [line[0], nameIn(part), refIn(line), Object.keys(properties).length > 0 ? properties : 0];
}

function isOnlyControl(line: WireLine, control: WireNode, roles: readonly string[]): control is WireLine {
  if (typeof control === 'string' || refIn(line) === 0 || refIn(control) === 0) return false;
  if (childrenOf(control).length > 0 || !CONTROL_ROLES.has(roles[control[0]] ?? '')) return false;
  const role = roles[line[0]] ?? '';
  if (!ITEM_ROLES.has(role) && !BOX_ROLES.has(role)) return false;
  const [item, own] = [propertiesOf(line), propertiesOf(control)];
  if (OWN_PROPERTIES.some((property) => item[property] !== undefined)) return false;
  if ([...(item.states ?? []), ...(own.states ?? [])].some((state) => OWN_STATES.has(state))) return false;
  return isRepeated(nameIn(line), nameIn(control)) && (item.description === undefined || own.description === undefined);
}

function isRepeated(name: string, ofControl: string): boolean {
  return name === '' || (repeats(name, ofControl) && repeats(ofControl, name));
}

function withoutEmptyStates(properties: WireProperties, states: readonly string[]): WireProperties | 0 {
  const { states: _, ...rest } = properties;
  const kept = states.length > 0 ? properties : rest;
  return Object.keys(kept).length > 0 ? kept : 0;
}
