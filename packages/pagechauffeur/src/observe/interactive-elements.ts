import type { ProposedAction } from '../model/model-client.ts';
import { linesOf } from '../model/page-view.ts';
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

/** Every actionable element of a page, top to bottom, with the method that a person would use. */
export function interactiveElements(snapshot: Snapshot): readonly ProposedAction[] {
  const found: ProposedAction[] = [];
  for (const node of linesOf(snapshot)) {
    if (node.ref === undefined || node.role === 'iframe' || node.states.includes('droppable')) continue;
    found.push({ ref: node.ref, method: methodFor(node), arguments: [], description: describe(node) });
  }
  return found;
}

function methodFor({ role, options, states }: SnapshotNode): string {
  if (options) return 'select';
  if (role === 'combobox' && states.includes('editable')) return 'fill';
  if (role === 'checkbox' || role === 'switch') return states.includes('checked') ? 'uncheck' : 'check';
  return METHOD_BY_ROLE[role] ?? 'click';
}

function describe({ role, name, placeholder, states }: SnapshotNode): string {
  const label = name || placeholder || '';
  const disabled = states.includes('disabled') ? ' (disabled)' : '';
  return `${role}${label === '' ? '' : ` ${JSON.stringify(label)}`}${disabled}`;
}
