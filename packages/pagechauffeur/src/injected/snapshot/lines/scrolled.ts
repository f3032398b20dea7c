import type { WireProperties } from '../../contract.ts';
import { clientHeightOf, scrollHeightOf, scrollTopOf } from '../../native.ts';
import { scrollingElement } from '../../native-document.ts';
import type { Visit } from '../visit.ts';

/** Tags whose line has the whole text as its value, whatever the scroll position. */
const VALUE_TAGS: ReadonlySet<string> = new Set(['input', 'select', 'textarea']);

/** Returns the vertical scroll position, such as `scrolled 40%`; `null` at the top. */
export function scrolledState(visit: Visit): string | null {
  const { element, tag } = visit;
  if (visit.isInPlace() || VALUE_TAGS.has(tag)) return null;
  const top = scrollTopOf(element);
  if (top <= 0 || element === scrollingElement()) return null;
  const distance = scrollHeightOf(element) - clientHeightOf(element);
  if (distance <= 0 || !/auto|scroll/.test(visit.style.overflowY)) return null;
  return `scrolled ${Math.min(100, Math.max(1, Math.round((100 * top) / distance)))}%`;
}

export function withState(properties: WireProperties | 0, state: string | null): WireProperties | 0 {
  if (state === null) return properties;
  if (properties === 0) return { states: [state] };
  return { ...properties, states: [...(properties.states ?? []), state] };
}
