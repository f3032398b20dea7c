import { flatParent } from '../tree/composed-tree.ts';
import { dependOn } from '../dependencies.ts';
import { ariaAttributeOf } from '../exploration/element-internals.ts';
import { attributeOf } from '../native.ts';

type CheckedState = 'checked' | 'unchecked' | 'mixed';

const ITEM = '[role="treeitem"], [role="option"], [role="row"], [role="listitem"], li, tr';
/** In other trees, `aria-selected` marks the current item. */
const TREE_WITHOUT_BOXES = '[role="tree"]:not([aria-multiselectable="true"])';
/** Maximum ancestors between a box and its item. */
const MAX_WRAPPERS = 6;

const ON_CLASS = classEndingIn('checked|selected');
const MIXED_CLASS = classEndingIn('partsel|partial|half|indeterminate|mixed');

/** Matches a class such as `is-checked`, but not `not-checked`. */
function classEndingIn(words: string): RegExp {
  return new RegExp(String.raw`(?:^|\s)(?!\S*\b(?:not|no|non|un)[-_])(?:\S*[-_])?(?:${words})(?=\s|$)`, 'i');
}

/**
 * Returns the state of a custom box without `aria-checked`: by its class, by the item that contains it, or by a wrapper
 * in that item. `null` if they do not show it.
 */
export function checkedStateByItem(box: Element): CheckedState | null {
  const own = stateByClass(box);
  const item = own === null ? Element.prototype.closest.call(box, ITEM) : null;
  if (item === null) return own;
  let node = flatParent(box);
  for (let count = 0; node && count < MAX_WRAPPERS; count += 1) {
    dependOn(node);
    const state = stateByClass(node);
    if (state !== null) return state;
    if (node === item) return stateBySelection(item);
    node = flatParent(node);
  }
  return null;
}

// Some trees keep the class of a mixed box while it is on.
function stateByClass(element: Element): CheckedState | null {
  const classes = attributeOf(element, 'class') ?? '';
  if (ON_CLASS.test(classes)) return 'checked';
  return MIXED_CLASS.test(classes) ? 'mixed' : null;
}

function stateBySelection(item: Element): CheckedState | null {
  const checked = ariaAttributeOf(item, 'aria-checked');
  if (checked === 'mixed') return 'mixed';
  const isTreeWithoutBoxes = Element.prototype.closest.call(item, TREE_WITHOUT_BOXES) !== null;
  const value = checked ?? (isTreeWithoutBoxes ? null : ariaAttributeOf(item, 'aria-selected'));
  if (value === 'true') return 'checked';
  return value === 'false' ? 'unchecked' : null;
}
