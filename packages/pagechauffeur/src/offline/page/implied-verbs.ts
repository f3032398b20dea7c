import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';

const FILE = /\.(?:pdf|zip|csv|xlsx?|docx?|pptx?|txt|json|png|jpe?g|gif|mp[34]|dmg|exe|tar|gz)$/i;

/** Verbs that apply to an element although its name does not contain them. */
export function* impliedVerbs(node: SnapshotNode, parent: SnapshotNode | undefined): Generator<string> {
  if (node.states.includes('collapsed')) yield 'expand';
  if (node.states.includes('expanded')) yield 'collapse close';
  if (node.role === 'link') yield 'read';
  if (node.role === 'link' && FILE.test(node.url?.replace(/[?#].*$/, '') ?? '')) yield 'download';
  if (parent?.role === 'columnheader' || node.role === 'columnheader') yield 'sort';
}
