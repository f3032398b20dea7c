import type { AriaAttributes } from '../injected/contract.ts';
import type { Result } from './protocol.ts';

export type AccessibleNode = Result<'Accessibility.getPartialAXTree'>['nodes'][number];

/** States by the name of their property in the accessibility tree. `false` is listed only where it says something. */
const ATTRIBUTE_BY_PROPERTY: Readonly<Record<string, { readonly name: string; readonly isKeptIfFalse?: true }>> = {
  busy: { name: 'aria-busy' },
  checked: { name: 'aria-checked', isKeptIfFalse: true },
  disabled: { name: 'aria-disabled' },
  expanded: { name: 'aria-expanded', isKeptIfFalse: true },
  invalid: { name: 'aria-invalid' },
  multiline: { name: 'aria-multiline' },
  multiselectable: { name: 'aria-multiselectable' },
  pressed: { name: 'aria-pressed' },
  readonly: { name: 'aria-readonly' },
  required: { name: 'aria-required' },
  selected: { name: 'aria-selected' },
  valuetext: { name: 'aria-valuetext' },
};
/** Roles of elements whose author said nothing. */
const PLAIN_ROLES: ReadonlySet<unknown> = new Set(['generic', 'none']);

/** Why the accessibility tree leaves out an element that is not hidden. */
const PLAIN_REASONS: ReadonlySet<string> = new Set(['presentationalRole', 'uninteresting']);

/**
 * Returns the ARIA attributes that describe a custom element as the accessibility tree does; none if the element has no
 * role there. `null` if the element is hidden, because the tree then says nothing about it.
 */
export function attributesOf(node: AccessibleNode): AriaAttributes | null {
  const { ignored, ignoredReasons = [], role, name, value, properties = [] } = node;
  if (ignored) return ignoredReasons.some((reason) => PLAIN_REASONS.has(reason.name)) ? {} : null;
  if (role?.type !== 'role' || PLAIN_ROLES.has(role.value)) return {};
  const attributes: Record<string, string> = { role: String(role.value) };
  const label = authorName(name);
  if (label !== '') attributes['aria-label'] = label;
  if (typeof value?.value === 'number') attributes['aria-valuenow'] = String(value.value);
  for (const property of properties) {
    const attribute = ATTRIBUTE_BY_PROPERTY[property.name];
    const text = String(property.value.value ?? '');
    if (attribute && text !== '' && (text !== 'false' || attribute.isKeptIfFalse)) attributes[attribute.name] = text;
  }
  return attributes;
}

/** Returns the name if it comes from a label. The injected script itself reads names from content and from `title`. */
function authorName(name: AccessibleNode['name']): string {
  const source = name?.sources?.find(
    ({ superseded, value, attributeValue }) => !superseded && (value ?? attributeValue),
  );
  const isLabel = source?.type === 'relatedElement' || source?.attribute === 'aria-label';
  return isLabel ? String(name?.value ?? '') : '';
}
