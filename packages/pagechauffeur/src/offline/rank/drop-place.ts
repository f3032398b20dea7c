import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import type { Phrase } from '../grammar/phrase.ts';
import type { Line } from '../page/line.ts';
import { isDropPlace } from '../page/roles.ts';
import { decide } from './decide.ts';
import type { Ranker, RankOptions } from './ranker.ts';

/** Role fit of other elements, so that a drop target wins over its heading. */
const NO_PLACE = 0.9;

const TO_DROP_ON: RankOptions = {
  intent: 'drag',
  roleFit: (node) => (isDropPlace(node) ? 1 : NO_PLACE),
  isKindKnown: true,
  isDroppedOn: true,
};

/** Roles of containers for items under a heading. */
const HOLDERS: ReadonlySet<string> = new Set(['grid', 'group', 'list', 'listbox', 'table', 'tree']);

/** The drop target for a phrase. Null if there is none. */
export function dropPlaceMeant(ranker: Ranker, phrase: Phrase): Line | null {
  const { winner, equals } = decide(ranker, phrase, TO_DROP_ON);
  // Any drop target in the same section will do.
  const meant = winner ?? equals.find(({ line }) => equals.every((other) => other.line.heading === line.heading));
  if (!meant) return null;
  const { line } = meant;
  return (line.node.role === 'heading' && listUnder(ranker, line)) || line;
}

/** The drop target or list under a heading, even an empty one. The heading itself takes no drop. */
function listUnder({ page }: Ranker, heading: Line): Line | undefined {
  return [...page.dropPlaces, ...page.elements].find(
    ({ heading: over, node }) => over === heading && (isDropPlace(node) || HOLDERS.has(node.role) || isEmptyBox(node)),
  );
}

function isEmptyBox({ role, name, children }: SnapshotNode): boolean {
  return role === 'generic' && name === '' && children.length === 0;
}
