import { flatParent } from '../tree/composed-tree.ts';
import { dependOn, measured } from '../dependencies.ts';
import {
  attributeOf,
  checkVisibility,
  childrenOf,
  localNameOf,
  matches,
  nextElementOf,
  offsetHeightOf,
  offsetWidthOf,
  previousElementOf,
  queryAll,
  queryCount,
} from '../native.ts';

const WIDGET =
  '[role="combobox"], [role="listbox"], [aria-haspopup="listbox"], [aria-haspopup="true"], [role="button"], button[type="button"]';
const LIST_WIDGET = '[role="combobox"], [role="listbox"]';
/** In CSS pixels. A select that is cut off to 1 px may still have a border. */
const FEW_PIXELS = 4;
/** Maximum ancestors between a select and a widget that contains it. */
const MAX_LEVELS = 3;

/** True for a native select that users cannot see or reach with keys, because a widget beside or around it replaces it. */
export function isReplacedSelect(select: Element): boolean {
  return isOutOfTabOrder(select) && measured(select, isHiddenFromView) && replacementOf(select) !== null;
}

/** Returns the select that a combobox or list replaces; `null` for other elements. */
export function selectReplacedBy(widget: Element): Element | null {
  const candidates = [...queryAll(widget, 'select'), ...selectsBeside(widget)];
  return candidates.find((select) => isReplacedSelect(select) && replacementOf(select) === widget) ?? null;
}

function selectsBeside(widget: Element): Element[] {
  const parent = flatParent(widget);
  const besides = [widget, ...(parent ? [parent] : [])].flatMap((one) => [previousElementOf(one), nextElementOf(one)]);
  return besides
    .flatMap((one) => (one ? [one, ...childrenOf(one)] : []))
    .filter((one) => localNameOf(one) === 'select');
}

function isOutOfTabOrder(select: Element): boolean {
  return Number(attributeOf(select, 'tabindex') ?? 0) < 0 || attributeOf(select, 'aria-hidden') === 'true';
}

function isHiddenFromView(select: Element): boolean {
  if (!(select instanceof HTMLElement)) return false;
  const isTiny = Math.min(offsetWidthOf(select), offsetHeightOf(select)) <= FEW_PIXELS;
  return isTiny || Number(getComputedStyle(select).opacity) === 0;
}

function replacementOf(select: Element): Element | null {
  let around = flatParent(select);
  for (let level = 0; around && level < MAX_LEVELS; level += 1) {
    if (matches(around, LIST_WIDGET)) return measured(around, isShown) ? around : null;
    around = flatParent(around);
  }
  const parent = flatParent(select);
  // A label and a select are often in an element of their own.
  const sides = [nextElementOf, previousElementOf].map(
    (side) => side(select) ?? (parent && queryCount(parent, FIELDS) === 1 ? side(parent) : null),
  );
  for (const beside of sides) {
    if (!beside) continue;
    dependOn(beside);
    const widget = [beside, ...queryAll(beside, WIDGET)].find((one) => matches(one, WIDGET) && measured(one, isShown));
    if (widget) return widget;
  }
  return null;
}

const FIELDS = 'input, select, textarea, button';

function isShown(widget: Element): boolean {
  if (!(widget instanceof HTMLElement) || !checkVisibility(widget, { visibilityProperty: true })) return false;
  return offsetWidthOf(widget) > 1 && offsetHeightOf(widget) > 1;
}
