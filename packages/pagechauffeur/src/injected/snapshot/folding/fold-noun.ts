import type { WireNode } from '../../contract.ts';
import type { Item } from './repetition.ts';

const nounByRole: Readonly<Record<string, string>> = { text: 'texts', img: 'images', listitem: 'list items' };

/** Returns a plural such as `rows` or `links`; `groups` if an item has several lines. */
export function foldNoun(item: Item, lines: readonly WireNode[], roles: readonly string[]): string {
  const [part] = item;
  if (!part || item.length > 1 || part.group) return 'groups';
  const line = lines[part.start];
  const role = line === undefined || typeof line === 'string' ? 'text' : (roles[line[0]] ?? '');
  return nounByRole[role] ?? plural(role);
}

function plural(role: string): string {
  return /(x|s|ch|sh)$/.test(role) ? `${role}es` : `${role}s`;
}
