import { flatParent } from '../tree/composed-tree.ts';
import { shadowRootsBelow } from '../tree/composed-walk.ts';
import { MIN_OPACITY, styleOf } from './computed-style.ts';
import { isReading, memoised } from '../memo.ts';
import { isConnected, matchesIfValid } from '../native.ts';
import { readableRulesOf } from './readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn, type TreeScope, treeScopeOf } from '../native-document.ts';

/** In ms. During a longer fade, the current opacity counts. */
const LONGEST_FADING = 3000;

/** Elements that fade out or have faded out. Pages usually remove them next, so they already count as hidden. */
const faded = new Set<HTMLElement>();

/** Returns the elements that an opacity transition fades out or has faded out. */
export const fadingAway: (document: Document) => ReadonlySet<Element> = memoised((root: Document) => {
  for (const animation of animationsBelow(root)) {
    const element = fadingElement(animation);
    if (element) faded.add(element);
  }
  for (const element of faded) if (!isConnected(element) || !isTransparent(element)) faded.delete(element);
  return new Set(faded);
});

/** True if the element or an ancestor fades out or has faded out. */
export function fadesAway(element: Element): boolean {
  const fading = fadingAway(document);
  for (let node: Element | null = fading.size > 0 ? element : null; node; node = flatParent(node))
    if (fading.has(node)) return true;
  return false;
}

/** True if an opacity animation will make the element visible. Snapshots already include such an element. */
export const fadesIn: (element: Element) => boolean = memoised((element: Element) => {
  // The last animation overrides earlier ones.
  const last = animationsOf(element).findLast(isOfOpacity);
  if (last === undefined) return false;
  return isScrolled(last) ? isSeenMeanwhile(last) : endsSoon(last) && isSeenAfter(last, element);
});

/** True if scrolling drives the animation (`animation-timeline: view()` or `scroll()`). */
function isScrolled({ timeline }: Animation): boolean {
  return timeline !== null && !(timeline instanceof DocumentTimeline);
}

/** True if the animation makes the element visible at some scroll position. */
function isSeenMeanwhile({ effect }: Animation): boolean {
  if (!(effect instanceof KeyframeEffect)) return false;
  return effect.getKeyframes().some(({ opacity }) => Number(opacity ?? 0) >= MIN_OPACITY);
}

/** In a reading of many elements, asking each would compute the styles of all animated elements each time. */
function animationsOf(element: Element): readonly Animation[] {
  if (!isReading()) return Element.prototype.getAnimations.call(element);
  return animationsByTarget(document).get(element) ?? [];
}

const animationsByTarget = memoised((root: Document): ReadonlyMap<Element, readonly Animation[]> => {
  const animations = new Map<Element, Animation[]>();
  for (const animation of animationsBelow(root)) {
    const { effect } = animation;
    if (!(effect instanceof KeyframeEffect) || !effect.target || effect.pseudoElement !== null) continue;
    const known = animations.get(effect.target);
    if (known) known.push(animation);
    else animations.set(effect.target, [animation]);
  }
  return animations;
});

/** True if the element and each ancestor fades in or has an opacity above 0. */
export function appears(element: Element): boolean {
  const pending: Appearing[] = [];
  let doesAppear = true;
  for (let node: Element | null = element; node && doesAppear; node = flatParent(node)) {
    const known = appearing(node);
    if (known.doesAppear !== null) {
      doesAppear = known.doesAppear;
      break;
    }
    pending.push(known);
    doesAppear = styleOf(node).opacity !== '0' || fadesIn(node);
  }
  for (const known of pending) known.doesAppear = doesAppear;
  return doesAppear;
}

interface Appearing {
  doesAppear: boolean | null;
}

/** Caches `appears` for an element and its ancestors. */
const appearing = memoised((_element: Element): Appearing => ({ doesAppear: null }));

// `Document.getAnimations()` does not include shadow roots.
function animationsBelow(root: Document): Animation[] {
  const roots = shadowRootsBelow(root).map((shadow) => ShadowRoot.prototype.getAnimations.call(shadow));
  return [...animationsIn(root), ...roots.flat()];
}

/** Cached, because the browser sorts all animations of the document for each call. */
export const animationsIn: (root: Document) => readonly Animation[] = memoised((root: Document) =>
  Document.prototype.getAnimations.call(root),
);

// Counts a transition only if the inline style has the final opacity. A fade in a style sheet may be a hover effect
// that ends again.
function fadingElement(animation: Animation): HTMLElement | null {
  if (!(animation instanceof CSSTransition) || animation.transitionProperty !== 'opacity') return null;
  const { effect, playState } = animation;
  if (playState !== 'running' || !(effect instanceof KeyframeEffect) || effect.pseudoElement !== null) return null;
  const { target } = effect;
  if (!(target instanceof HTMLElement) || Number(effect.getComputedTiming().endTime) > LONGEST_FADING) return null;
  return isTransparent(target) ? target : null;
}

function isTransparent({ style: { opacity } }: HTMLElement): boolean {
  return opacity !== '' && Number(opacity) < MIN_OPACITY;
}

function isOfOpacity({ effect }: Animation): boolean {
  return effect instanceof KeyframeEffect && effect.getKeyframes().some((keyframe) => 'opacity' in keyframe);
}

function endsSoon({ effect, playState, playbackRate, currentTime, timeline }: Animation): boolean {
  const { endTime } = effect?.getComputedTiming() ?? {};
  if (playState !== 'running' || !(timeline instanceof DocumentTimeline) || typeof endTime !== 'number') return false;
  return Number(currentTime) >= 0 && playbackRate > 0 && endTime / playbackRate <= LONGEST_FADING;
}

/** True if the element is certainly visible after its opacity animation. */
function isSeenAfter(animation: Animation, element: Element): boolean {
  const { effect } = animation;
  if (!(effect instanceof KeyframeEffect) || effect.composite !== 'replace') return false;
  const { iterations, iterationStart, direction, fill } = effect.getComputedTiming();
  if (iterations !== 1 || iterationStart !== 0 || direction !== 'normal') return false;
  const end = effect.getKeyframes().findLast((keyframe) => keyframe.computedOffset === 1 && 'opacity' in keyframe);
  if (end && !(Number(end['opacity']) >= MIN_OPACITY && /auto|replace/.test(end.composite))) return false;
  const isKept = end !== undefined && (animation instanceof CSSTransition || fill === 'forwards' || fill === 'both');
  return !isMadeTransparent(element, isKept ? 'over animations' : 'at all');
}

interface TransparencyRule {
  readonly selector: string;
  readonly isImportant: boolean;
}

/**
 * True if a style may make the element transparent. Counts overridden rules too; with `over animations` only
 * `!important` rules, which override animations. Skips style sheets that cannot be read.
 */
function isMadeTransparent(element: Element, how: 'at all' | 'over animations'): boolean {
  const isApplicable = (isImportant: boolean): boolean => isImportant || how === 'at all';
  const { style } = element as Partial<ElementCSSInlineStyle>;
  if (style && setsTransparent(style) && isApplicable(isImportantIn(style))) return true;
  const scope = treeScopeOf(element);
  const rules = scope ? transparencyRulesIn(scope) : [];
  return rules.some(
    ({ selector, isImportant }) => isApplicable(isImportant) && matchesIfValid(element, selector) === true,
  );
}

const transparencyRulesIn = memoised((scope: TreeScope): readonly TransparencyRule[] => {
  const found: TransparencyRule[] = [];
  for (const sheet of [...styleSheetsIn(scope), ...adoptedSheetsIn(scope)]) addTransparencyRules(sheet, '', found);
  return found;
});

function addTransparencyRules(
  group: CSSStyleSheet | CSSGroupingRule | CSSStyleRule,
  outer: string,
  found: TransparencyRule[],
): void {
  for (const rule of (group instanceof CSSStyleSheet ? readableRulesOf(group) : group.cssRules) ?? []) {
    const selector =
      rule instanceof CSSStyleRule ? rule.selectorText.replaceAll('&', `:is(${outer || ':root'})`) : outer;
    if (rule instanceof CSSStyleRule || rule instanceof CSSNestedDeclarations) {
      const { style } = rule;
      if (setsTransparent(style)) found.push({ selector, isImportant: isImportantIn(style) });
    }
    if (rule instanceof CSSStyleRule || rule instanceof CSSGroupingRule) addTransparencyRules(rule, selector, found);
    if (rule instanceof CSSImportRule && rule.styleSheet) addTransparencyRules(rule.styleSheet, '', found);
  }
}

// The value of `calc()` or `var()` is unknown here, so it counts as transparent.
function setsTransparent({ opacity }: CSSStyleDeclaration): boolean {
  return opacity !== '' && !(Number.parseFloat(opacity) / (opacity.endsWith('%') ? 100 : 1) >= MIN_OPACITY);
}

function isImportantIn(style: CSSStyleDeclaration): boolean {
  return style.getPropertyPriority('opacity') !== '';
}
