import { shadowRootsBelow } from '../composed-walk.ts';
import { isFocusable } from '../focusable.ts';
import { boundsOf, childrenOf, isConnected, localNameOf, matches, queryAll, renderedTextOf } from '../native.ts';
import { readyState } from '../native-document.ts';
import { mayHostShadowRoot } from '../snapshot/host-candidates.ts';
import { isVisible } from '../visibility.ts';
import { insideViewport } from './geometry.ts';

/**
 * Selects elements that mark something as busy. A progress bar with a value is excluded, because it may stay visible.
 */
const BUSY = '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow]), progress:not([value])';
/** Selects elements whose text may say that something is loading. */
const NOTICES = '[role="status"], [role="alert"], [id*="loading" i], [class*="loading" i], [class*="spinner" i]';
/** Selects all candidates for loading indicators. */
export const LOADING = `${BUSY}, ${NOTICES}`;
/** The first words of loading texts, in common languages. */
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
/** Controls and media. If one of them is visible, the page has finished starting. */
const USABLE =
  'a[href], button, input, select, textarea, summary, iframe, canvas, svg, img, video, [tabindex], [contenteditable]';
/** Maximum number of elements to check. */
const LOOKED_AT = 200;
/** Maximum ms to wait while loading indicators that an action caused are visible. */
const LOADING_TIME = 10_000;
/** Maximum ms to wait for loading indicators in a document that is already usable. Some pages show one forever. */
const REMAINING_TIME = 3000;
/** Maximum ms from the start of a navigation until the scripts of a blank document render something. */
const BLANK_TIME = 3000;

/** Style values with which an element is exactly as high as its content. */
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

/** Loading indicators that were still visible when a wait for them timed out. */
const unheeded = new WeakSet<Element>();
/** True once this document has loaded. After that, only loading indicators that an action caused count. */
let isDocumentThere = false;

/** True if the element is visible in the viewport and says that something is loading. */
export function isLoadingSign(sign: Element): boolean {
  if (!isConnected(sign) || unheeded.has(sign) || !isInView(sign)) return false;
  return matches(sign, BUSY) || LOADING_TEXT.test(textOf(sign));
}

/**
 * Returns how many ms to wait for loading, counted from when the page became quiet; 0 if there is no sign of loading.
 */
export function loadingTime(signsOfAction: readonly Element[]): number {
  const isLoading = signsOfAction.some(isLoadingSign);
  if (isDocumentThere) return isLoading ? LOADING_TIME : 0;
  const isUsable = hasUsablePart(document);
  // A page of web components may have all its content in shadow roots.
  const roots = isUsable ? [] : shadowRootsBelow(document);
  const isBlank = !isUsable && !roots.some(hasUsablePart) && !mayShowClosedRoot([document, ...roots]);
  if (isLoading || loadingSigns(roots).length > 0) return isBlank ? Infinity : REMAINING_TIME;
  const text = isBlank ? shownText(roots) : '';
  if (LOADING_TEXT.test(text)) return Infinity;
  if (isBlank && text === '' && hasScripts() && performance.now() < BLANK_TIME) return BLANK_TIME;
  isDocumentThere = readyState() === 'complete';
  return 0;
}

/** Marks the document as loaded, because an action worked on one of its elements. */
export function noteActedOn(): void {
  isDocumentThere = true;
}

/** Ends the wait for loading. Loading indicators that are visible now are ignored from now on. */
export function endLoading(signsOfAction: readonly Element[]): void {
  for (const sign of [...signsOfAction, ...loadingSigns(shadowRootsBelow(document))]) unheeded.add(sign);
  isDocumentThere = true;
}

function loadingSigns(roots: readonly ShadowRoot[]): Element[] {
  const signs = [document, ...roots].flatMap((tree) => queryAll(tree, LOADING));
  return signs.slice(0, LOOKED_AT).filter(isLoadingSign);
}

function hasUsablePart(tree: ParentNode): boolean {
  const parts = queryAll(tree, USABLE).slice(0, LOOKED_AT);
  return parts.some(
    (part) => isVisible(part) && (isFocusable(part) || !matches(part, 'input, button, select, textarea')),
  );
}

/**
 * True if an empty element has a height that no style explains. It may host a closed shadow root that is not registered
 * yet.
 */
function mayShowClosedRoot(trees: readonly ParentNode[]): boolean {
  const empty = trees
    .flatMap((tree) => queryAll(tree, ':empty'))
    .filter((part) => mayHostShadowRoot(localNameOf(part)));
  return empty.slice(0, LOOKED_AT).some((part) => isVisible(part) && boundsOf(part).height > 0 && isFreeInHeight(part));
}

/** True if no style sets the height of the element, or adds padding or borders above or below its content. */
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
