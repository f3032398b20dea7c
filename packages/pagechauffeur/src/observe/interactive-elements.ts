import type { ProposedAction } from '../model/model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SnapshotNode } from '../snapshot/snapshot-node.ts';

const METHOD_BY_ROLE: Readonly<Record<string, string>> = {
  textbox: 'fill',
  searchbox: 'fill',
  spinbutton: 'fill',
  slider: 'fill',
  checkbox: 'check',
  radio: 'check',
  switch: 'check',
};

/** Roles whose name would not help a user to recognize the element, and the words used instead. */
const KIND_BY_ROLE: Readonly<Record<string, string>> = {
  generic: 'element',
  none: 'element',
  iframe: 'frame',
  columnheader: 'column',
  gridcell: 'cell',
  rowheader: 'cell',
  listitem: 'item',
};

interface Found {
  readonly node: SnapshotNode;
  readonly ref: string;
  readonly text: string;
  /** The item around the element, such as ` in "Blue mug"`; `''` if there is none. */
  readonly item: string;
  /** The heading above the element, such as ` under "Mugs"`; `''` if there is none. */
  readonly heading: string;
}

/**
 * Returns every element of a page that has a ref, from top to bottom, with the method that a person would use. Each has
 * a unique description.
 */
export function interactiveElements(snapshot: Snapshot): readonly ProposedAction[] {
  const found = elementsWithRefs(snapshot.nodes);
  const descriptions = distinctDescriptions(found);
  return found.map(({ node, ref }, index) => ({
    ref,
    method: methodFor(node),
    arguments: [],
    description: `${descriptions[index] ?? ''}${node.states.includes('disabled') ? ' (disabled)' : ''}`,
  }));
}

function elementsWithRefs(nodes: readonly SnapshotNode[]): readonly Found[] {
  const found: Found[] = [];
  let heading = '';
  const visit = (node: SnapshotNode, around: string): void => {
    const label = labelOf(node);
    if (node.ref !== undefined) found.push({ node, ref: node.ref, text: describe(node, label), item: around, heading });
    if (node.role === 'heading' && label !== '') heading = ` under ${JSON.stringify(label)}`;
    const isItem = label !== '' && (node.ref !== undefined || ITEM_ROLES.has(node.role));
    for (const child of node.children) visit(child, isItem ? ` in ${JSON.stringify(label)}` : around);
  };
  for (const node of nodes) visit(node, '');
  return found;
}

/** Roles whose names can tell equal controls apart. Elements with a ref can do so, too. */
const ITEM_ROLES: ReadonlySet<string> = new Set([
  'article',
  'dialog',
  'group',
  'listitem',
  'region',
  'row',
  'treeitem',
]);

/**
 * Describes each element with as few words as make it unique: alone, with the item around it, with the heading above
 * it, or with a number.
 */
function distinctDescriptions(found: readonly Found[]): readonly string[] {
  const alone = found.map(({ text }) => text);
  const inItem = found.map(({ text, item }) => text + item);
  const underHeading = found.map(({ text, item, heading }) => text + item + heading);
  const isSingleIn = [alone, inItem, underHeading].map((texts) => {
    const groups = Map.groupBy(texts, (text) => text);
    return (text: string): boolean => groups.get(text)?.length === 1;
  });
  const numbers = new Map<string, number>();
  return found.map((_, index) => {
    const texts = [alone[index] ?? '', inItem[index] ?? '', underHeading[index] ?? ''];
    const single = texts.find((text, level) => isSingleIn[level]?.(text));
    if (single !== undefined) return single;
    const [, equal = ''] = texts;
    numbers.set(equal, (numbers.get(equal) ?? 0) + 1);
    return `${ordinal(numbers.get(equal) ?? 1)} ${equal}`;
  });
}

function methodFor({ role, options, states }: SnapshotNode): string {
  if (options) return 'select';
  if (states.includes('droppable')) return 'hover';
  if (role === 'combobox' && states.includes('editable')) return 'fill';
  if (role === 'checkbox' || role === 'switch') return states.includes('checked') ? 'uncheck' : 'check';
  return METHOD_BY_ROLE[role] ?? 'click';
}

function describe(node: SnapshotNode, label: string): string {
  return `${kindOf(node)}${label === '' ? '' : ` ${JSON.stringify(label)}`}`;
}

function kindOf({ role, name, states }: SnapshotNode): string {
  if (states.includes('droppable')) return 'drop target';
  if (role === 'img') return saysWords(name) ? 'image' : 'icon';
  return KIND_BY_ROLE[role] ?? role;
}

/** The first text that describes the element: its name, placeholder, description or hint, else its content. */
function labelOf(node: SnapshotNode): string {
  const { name, placeholder = '', description = '' } = node;
  const texts = [name, placeholder, description.replace(/^hint: /, '')];
  return texts.find(saysWords) ?? (firstText(node) || name);
}

function saysWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Returns the first text inside an element. The content of a frame does not describe the frame. */
function firstText({ role, children }: SnapshotNode): string {
  if (role === 'iframe') return '';
  for (const child of children) {
    const text = saysWords(child.name) ? child.name : firstText(child);
    if (text !== '') return text;
  }
  return '';
}

const ordinalRule = new Intl.PluralRules('en', { type: 'ordinal' });
const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };

function ordinal(number: number): string {
  return `${number}${SUFFIXES[ordinalRule.select(number)] ?? 'th'}`;
}
