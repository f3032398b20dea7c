import { shadowRootsBelow } from '../../tree/composed-walk.ts';
import { isFocusable } from '../../element/controls.ts';
import {
  boundsOf,
  childrenOf,
  isConnected,
  localNameOf,
  matches,
  queryAll,
  queryFirst,
  renderedTextOf,
} from '../../native.ts';
import { readyState } from '../../native-document.ts';
import { mayHostShadowRoot } from '../../tree/tags.ts';
import { isVisible } from '../../element/visibility.ts';
import { insideViewport } from '../point/geometry.ts';

/** A progress bar with a value is excluded, because it may stay visible. */
const BUSY = '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow]), progress:not([value])';
/** These elements count only if their text matches `LOADING_TEXT`. */
const NOTICES = '[role="status"], [role="alert"], [id*="loading" i], [class*="loading" i], [class*="spinner" i]';
export const LOADING = `${BUSY}, ${NOTICES}`;
/** How loading messages start, in common languages. Each string is part of a regular expression. */
const LOADING_WORDS = [
  ...['loading', 'please wait', 'wird geladen', 'lädt', 'bitte warten', 'einen moment'],
  ...['chargement', 'veuillez patienter', 'cargando', 'espere', 'caricamento', 'attendere'],
  ...[
    'carregando',
    'a carregar',
    'aguarde',
    'laden(?=[.… ]*$)',
    'bezig met laden',
    'even geduld',
    'laddar',
    'läser in',

    'indlæser',
  ],
  ...['ładowanie', 'wczytywanie', 'proszę czekać', 'načítání', 'betöltés', 'yükleniyor', 'lütfen bekleyin'],
  ...['загрузка', 'загружается', 'подождите', 'завантаження', 'φόρτωση', 'جار(?:ي|ٍ)? التحميل', 'טוען'],
  ...[
    '読み込み中',
    '読み込んでいます',
    'ロード中',
    '(?:正在)?加载',
    '(?:正在)?載入',
    '(?:正在)?载入',
    '请稍候',
    '請稍候',
    '로딩',
    '불러오는 중',
  ],
];
const LOADING_TEXT = new RegExp(
  String.raw`^(?:${LOADING_WORDS.join('|')})(?!\p{Script=Latin}|\p{Script=Cyrillic})[^\n]{0,40}$`,
  'iu',
);
/** A document with one of these visible counts as usable. */
const USABLE =
  'a[href], button, input, select, textarea, summary, iframe, canvas, svg, img, video, [tabindex], [contenteditable]';
const MAX_CHECKED = 200;
/** Maximum ms to wait for loading that an action caused. */
const LOADING_TIME = 10_000;
/** Maximum ms to wait in a document that is already usable. Some pages show a loading indicator forever. */
const REMAINING_TIME = 3000;
/** Maximum ms to wait, from the start of a navigation, for the scripts of a blank document to render something. */
const BLANK_TIME = 3000;

/** With these style values, an element is exactly as high as its content. */
const FREE_HEIGHT: readonly (readonly [property: string, values: ReadonlySet<string>])[] = [
  ['height', new Set(['auto'])],
  ['min-height', new Set(['auto', '0px'])],
  ['padding-top', new Set(['0px'])],
  ['padding-bottom', new Set(['0px'])],
  ['border-top-style', new Set(['none'])],
  ['border-bottom-style', new Set(['none'])],
  ['aspect-ratio', new Set(['auto'])],
  ['position', new Set(['static', 'relative'])],
  ['flex-grow', new Set(['0'])],
];

/** Loading indicators that were still visible when a wait timed out. They are ignored from then on. */
const ignored = new WeakSet<Element>();
/** Once true, only loading indicators that an action caused count. */
let hasDocumentLoaded = false;

/** True if the element is in view and says that something is loading. */
export function isLoadingIndicator(indicator: Element): boolean {
  if (!isConnected(indicator) || ignored.has(indicator) || !isInView(indicator)) return false;
  return matches(indicator, BUSY) || LOADING_TEXT.test(textOf(indicator));
}

/** Returns how many ms to wait, counted from when the page became quiet; 0 if nothing seems to load. */
export function loadingTime(fromAction: readonly Element[]): number {
  const isLoading = fromAction.some(isLoadingIndicator);
  if (hasDocumentLoaded) return isLoading ? LOADING_TIME : 0;
  const isUsable = hasUsablePart(document);
  // A page of web components may have all its content in shadow roots.
  const roots = isUsable ? [] : shadowRootsBelow(document);
  const isBlank = !isUsable && !roots.some(hasUsablePart) && !mayShowClosedRoot([document, ...roots]);
  if (isLoading || loadingIndicators(roots).length > 0) return isBlank ? Infinity : REMAINING_TIME;
  const text = isBlank ? shownText(roots) : '';
  if (LOADING_TEXT.test(text)) return Infinity;
  if (isBlank && text === '' && hasScripts() && performance.now() < BLANK_TIME) return BLANK_TIME;
  hasDocumentLoaded = readyState() === 'complete';
  return 0;
}

/** An action worked on an element, so the document counts as loaded. */
export function noteActedOn(): void {
  hasDocumentLoaded = true;
}

/** Call after a wait that timed out. Loading indicators that are visible now are ignored from now on. */
export function endLoading(fromAction: readonly Element[]): void {
  for (const indicator of [...fromAction, ...loadingIndicators(shadowRootsBelow(document))]) ignored.add(indicator);
  hasDocumentLoaded = true;
}

function loadingIndicators(roots: readonly ShadowRoot[]): Element[] {
  const indicators = [document, ...roots].flatMap((tree) => queryAll(tree, LOADING));
  return indicators.slice(0, MAX_CHECKED).filter(isLoadingIndicator);
}

function isUsablePart(part: Element): boolean {
  return isVisible(part) && (isFocusable(part) || !matches(part, 'input, button, select, textarea'));
}

function hasUsablePart(tree: ParentNode): boolean {
  const first = queryFirst(tree, USABLE);
  // Most pages begin with a usable element, so the rest is not searched.
  return first !== null && (isUsablePart(first) || queryAll(tree, USABLE).slice(1, MAX_CHECKED).some(isUsablePart));
}

/** An empty element with a height that no style explains may host a closed shadow root that is not registered yet. */
function mayShowClosedRoot(trees: readonly ParentNode[]): boolean {
  const empty = trees
    .flatMap((tree) => queryAll(tree, ':empty'))
    .filter((part) => mayHostShadowRoot(localNameOf(part)));
  return empty
    .slice(0, MAX_CHECKED)
    .some((part) => isVisible(part) && boundsOf(part).height > 0 && isFreeInHeight(part));
}

function isFreeInHeight(part: Element): boolean {
  const style = part.computedStyleMap();
  return FREE_HEIGHT.every(([property, free]) => free.has(String(style.get(property))));
}

function hasScripts(): boolean {
  return queryAll(document, 'script[src], script:not([type]), script[type="module"]').length > 0;
}

function shownText(roots: readonly ShadowRoot[]): string {
  const parts = [...queryAll(document, 'body'), ...roots.flatMap(childrenOf).filter(isVisible)];
  return parts.map(textOf).join('').trim();
}

function textOf(element: Element): string {
  return renderedTextOf(element).trim();
}

function isInView(element: Element): boolean {
  return isVisible(element) && insideViewport(boundsOf(element)) !== null;
}
