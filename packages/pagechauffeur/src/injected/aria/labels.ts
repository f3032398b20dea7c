import { dependOn, measured } from '../dependencies.ts';
import { fieldState } from '../field-state.ts';
import { memoised } from '../memo.ts';
import { queryAll } from '../native.ts';
import { type TreeScope, treeScopeOf } from '../tree-scope.ts';

type LabelIndex = ReadonlyMap<Element, readonly HTMLLabelElement[]>;

export function labelsOf(element: Element): readonly HTMLLabelElement[] {
  const scope = treeScopeOf(element);
  const labels = (scope && labelIndexOf(scope).get(element)) ?? [];
  for (const label of labels) dependOn(label);
  return labels;
}

/** Returns the control that the label is for; `null` for other elements. */
export function controlOf(label: Element): HTMLElement | null {
  const control = label instanceof HTMLLabelElement ? label.control : null;
  if (control) dependOn(control);
  // The field may be hidden, so that it is not visited itself.
  if (control) measured(control, fieldState);
  return control;
}

// `control.labels` searches the whole document on each call, so this indexes all labels once.
const labelIndexOf = memoised((scope: TreeScope): LabelIndex => {
  const index = new Map<Element, HTMLLabelElement[]>();
  for (const label of queryAll(scope, 'label')) {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    if (!control || !(label instanceof HTMLLabelElement)) continue;
    const known = index.get(control);
    if (known) known.push(label);
    else index.set(control, [label]);
  }
  return index;
});
