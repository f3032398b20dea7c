import type { WireNode, WireProperties } from '../contract.ts';
import { repeats } from './collapse.ts';
import { childrenOf, nameIn, propertiesOf, refIn, type WireLine } from './wire-line.ts';

/** Roles of items that say more than the role of the link or button which fills them. */
const ITEM_ROLES: ReadonlySet<string> = new Set(['menuitem', 'option', 'tab', 'treeitem']);
/** Roles of boxes around one link or button that say less than its role. */
const BOX_ROLES: ReadonlySet<string> = new Set(['button', 'generic', 'listitem']);
const CONTROL_ROLES: ReadonlySet<string> = new Set(['button', 'link']);
/** States in which an action on the item and one on the control in it differ. */
const OWN_STATES: ReadonlySet<string> = new Set(['collapsed', 'draggable', 'droppable', 'expanded']);
/** What the item alone would tell. */
const OWN_PROPERTIES: readonly (keyof WireProperties)[] = [
  'value',
  'options',
  'placeholder',
  'level',
  'frameId',
  'url',
];

/**
 * One line for an item and the only control in it, such as a tab and its link; the same line when it holds more. It has the
 * ref of the control: what is clicked there reaches the item too.
 */
export function withOnlyControl(line: WireLine, roles: readonly string[]): WireLine {
  const [control, ...others] = childrenOf(line);
  if (control === undefined || others.length > 0 || !isOnlyControl(line, control, roles)) return line;
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
