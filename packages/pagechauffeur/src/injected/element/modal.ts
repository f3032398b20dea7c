import { isInside } from '../tree/composed-tree.ts';
import { shadowRootsBelow } from '../tree/composed-walk.ts';
import { elementAtPoint } from '../acting/point/hit-target.ts';
import { focusedElement } from '../acting/input/text-entry.ts';
import { boundsOf, matches, queryAll } from '../native.ts';
import { elementsInDocument } from '../tree/document-queries.ts';

/** Returns the modal dialog that makes everything outside of it inert; `null` if none is open. */
export function topModal(): Element | null {
  const dialogs = [
    ...elementsInDocument('dialog'),
    ...shadowRootsBelow(document).flatMap((root) => queryAll(root, 'dialog')),
  ];
  const modals = dialogs.filter((dialog) => matches(dialog, ':modal'));
  return modals.length > 1 ? lastOpened(modals) : (modals[0] ?? null);
}

/**
 * Returns the topmost of several modal dialogs. The order in which they were opened is not readable, but only the topmost
 * one and its backdrop can be hit. If nothing is hit, the focus decides, and then the order in the document.
 */
function lastOpened(modals: readonly Element[]): Element | null {
  const middles = modals.map((modal) => {
    const { left, top, width, height } = boundsOf(modal);
    return { x: left + width / 2, y: top + height / 2 };
  });
  const hits = [...middles, { x: innerWidth / 2, y: innerHeight / 2 }].map(elementAtPoint);
  for (const hit of [...hits, focusedElement()]) {
    const around = hit ? modals.filter((modal) => isInside(hit, modal)) : [];
    const innermost = around.find((modal) => !around.some((other) => other !== modal && isInside(other, modal)));
    if (innermost) return innermost;
  }
  return modals.at(-1) ?? null;
}
