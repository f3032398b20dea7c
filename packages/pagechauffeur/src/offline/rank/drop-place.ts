import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { Phrase } from '../grammar/phrase.ts';
import type { Line } from '../page/line.ts';
import { isDropPlace } from '../page/roles.ts';
import { decide } from './decide.ts';
import type { Ranker, RankOptions } from './ranker.ts';

/** Of a place and its heading the place is meant. */
const NO_PLACE = 0.9;

const TO_DROP_ON: RankOptions = {
  intent: 'drag',
  roleFit: (node) => (isDropPlace(node) ? 1 : NO_PLACE),
  isKindKnown: true,
  isDroppedOn: true,
};

/** What holds things under a heading. */
const HOLDERS: ReadonlySet<string> = new Set(['grid', 'group', 'list', 'listbox', 'table', 'tree']);

/** The element that a phrase says to drop something on; null when there is none. */
export function dropPlaceMeant(ranker: Ranker, phrase: Phrase): Line | null {
  const { winner, equals } = decide(ranker, phrase, TO_DROP_ON);
  // A place to drop is as good as any in its region.
  const meant = winner ?? equals.find(({ line }) => equals.every((other) => other.line.heading === line.heading));
  if (!meant) return null;
  const { line } = meant;
  return (line.node.role === 'heading' && listUnder(ranker, line)) || line;
}

/** A heading takes nothing; the list under it does, also one that is empty. */
function listUnder({ page }: Ranker, heading: Line): Line | undefined {
  return [...page.dropPlaces, ...page.elements].find(
    ({ heading: over, node }) => over === heading && (isDropPlace(node) || HOLDERS.has(node.role) || isEmptyBox(node)),
  );
}

function isEmptyBox({ role, name, children }: SnapshotNode): boolean {
  return role === 'generic' && name === '' && children.length === 0;
}
