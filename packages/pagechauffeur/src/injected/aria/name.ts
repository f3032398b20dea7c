import { ariaLabelOf } from './references.ts';
import { lastResortName, nativeNameOf } from './native-name.ts';
import { rolesNamedByContent } from './role-names.ts';
import { foldSpace, hasVisibleText } from './text-builder.ts';
import { contentText, labelText, textByReference } from './text-alternative.ts';
import { composedParent } from '../tree/composed-tree.ts';
import { isRecording } from '../dependencies.ts';
import { isEditingHost } from '../element/controls.ts';
import { memoised } from '../memo.ts';
import { attributeOf, hasAttribute } from '../native.ts';
import { selectReplacedBy } from '../element/replaced-select.ts';
import { roleOf } from './role.ts';

/** Returns the accessible name with collapsed white space; `''` if there is none. */
export function nameOf(element: Element): string {
  // The cached name has no dependencies to record.
  return isRecording() ? foldSpace(findName(element)) : knownName(element);
}

const knownName: (element: Element) => string = memoised((element: Element) => foldSpace(findName(element)));

function findName(element: Element): string {
  const referenced = hasAttribute(element, 'aria-labelledby') ? textByReference(element, 'aria-labelledby') : '';
  if (hasVisibleText(referenced)) return referenced;
  const label = ariaLabelOf(element);
  if (label !== '') return label;
  const native = nativeNameOf(element, (other) => labelText(other, element));
  if (native === '' || (native !== null && hasVisibleText(native))) return native;
  if (isNamedByContent(element)) {
    const content = contentText(element);
    if (hasVisibleText(content)) return content;
  }
  for (const attribute of LAST_ATTRIBUTES) {
    const text = attributeOf(element, attribute) ?? '';
    if (hasVisibleText(text)) return text;
  }
  return lastResortName(element) || replacedName(element);
}

const LIST_ROLES: ReadonlySet<string> = new Set(['combobox', 'listbox']);

/** Returns the label of the native select that a widget replaces. */
function replacedName(element: Element): string {
  if (!hasAttribute(element, 'role') || !LIST_ROLES.has(roleOf(element))) return '';
  const select = selectReplacedBy(element);
  return select === null ? '' : nameOf(select);
}

/** Attributes that name an element if nothing else does, in this order. */
const LAST_ATTRIBUTES = ['aria-placeholder', 'title', 'placeholder'] as const;

function isNamedByContent(element: Element): boolean {
  const role = roleOf(element);
  if (role === 'row') return isInGrid(element);
  return rolesNamedByContent.has(role) && !isEditingHost(element);
}

function isInGrid(row: Element): boolean {
  for (let parent = composedParent(row); parent; parent = composedParent(parent)) {
    const role = roleOf(parent);
    if (role === 'grid' || role === 'treegrid') return true;
    if (role !== 'rowgroup' && role !== 'generic' && role !== 'none') return false;
  }
  return false;
}
