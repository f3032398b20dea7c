import type { Keyboard, KeySequenceKind } from '../contract.ts';
import { matches } from '../native.ts';

/** More keys would take too long, and users would not press them. */
const MAX_KEYS = 50;
/** Number of options that PageDown skips in a closed `select`. */
const PAGE = 3;

/** Returns the keys that select exactly these options; `null` if no keys can or there are too many. */
export function keysToOptions(
  select: HTMLSelectElement,
  chosen: ReadonlySet<HTMLOptionElement>,
  keyboard: Keyboard,
): KeySequenceKind | null {
  if (keyboard === 'none' || opensOnKeys(select, keyboard)) return null;
  const options = [...select.options].filter(isReachable);
  const keys = select.multiple ? keysToSeveral(options, chosen, keyboard) : keysToOne(select, options, chosen);
  return keys && keys.length <= MAX_KEYS ? { text: '', keys } : null;
}

// The popup of an open list receives the keys without firing events. On macOS, keys open a system menu.
function opensOnKeys(select: HTMLSelectElement, keyboard: Keyboard): boolean {
  if (isListBox(select)) return false;
  return (
    keyboard === 'mac' ||
    getComputedStyle(select).appearance === 'base-select' ||
    (CSS.supports('selector(:open)') && matches(select, ':open'))
  );
}

function isListBox(select: HTMLSelectElement): boolean {
  return select.multiple || select.size > 1;
}

function isReachable(option: HTMLOptionElement): boolean {
  if (matches(option, ':disabled') || getComputedStyle(option).display === 'none') return false;
  const group = option.parentElement;
  return !(group instanceof HTMLOptGroupElement) || getComputedStyle(group).display !== 'none';
}

/** Returns the shortest sequence that starts at the first, the last or the current option. */
function keysToOne(
  select: HTMLSelectElement,
  options: readonly HTMLOptionElement[],
  chosen: ReadonlySet<HTMLOptionElement>,
): string[] | null {
  const goal = options.findIndex((option) => chosen.has(option));
  if (goal === -1) return null;
  const page = isListBox(select) || hasOtherItems(select, options) ? Number.POSITIVE_INFINITY : PAGE;
  const sequences = [
    ['Home', ...steps(goal, page)],
    ['End', ...steps(goal - options.length + 1, page)],
  ];
  // In a list box, the current option may not be the focused one, for example after a click.
  const current = options.findIndex((option) => option.selected);
  if (current !== -1 && !isListBox(select)) sequences.push(steps(goal - current, page));
  return sequences.reduce((best, sequence) => (sequence.length < best.length ? sequence : best));
}

// PageDown also counts groups and separators.
function hasOtherItems(select: HTMLSelectElement, options: readonly HTMLOptionElement[]): boolean {
  return select.childElementCount !== options.length;
}

function steps(distance: number, page: number): string[] {
  const far = Math.abs(distance);
  const pages = page === Number.POSITIVE_INFINITY ? 0 : Math.floor(far / page);
  const single = pages === 0 ? far : far % page;
  const [pageKey, key] = distance < 0 ? ['PageUp', 'ArrowUp'] : ['PageDown', 'ArrowDown'];
  return [...Array<string>(pages).fill(pageKey), ...Array<string>(single).fill(key)];
}

/** Control+ArrowDown moves down the list without selecting; Space toggles an option. */
function keysToSeveral(
  options: readonly HTMLOptionElement[],
  chosen: ReadonlySet<HTMLOptionElement>,
  keyboard: Keyboard,
): string[] | null {
  if (keyboard === 'mac' || [...chosen].some((option) => !options.includes(option))) return null;
  const keys = ['Control+Home'];
  let at = 0;
  for (const [index, option] of options.entries()) {
    if (option.selected === chosen.has(option)) continue;
    keys.push(...Array<string>(index - at).fill('Control+ArrowDown'), 'Control+Space');
    at = index;
  }
  return keys;
}
