import { shadowRootsBelow } from '../composed-walk.ts';
import { isFocusable } from '../focusable.ts';
import { boundsOf, childrenOf, isConnected, localNameOf, matches, queryAll, renderedTextOf } from '../native.ts';
import { readyState } from '../native-document.ts';
import { mayHostShadowRoot } from '../snapshot/host-candidates.ts';
import { isVisible } from '../visibility.ts';
import { insideViewport } from './geometry.ts';

/** Says that something is on its way; a bar that tells how far it has come may stand there long. */
const BUSY = '[aria-busy="true"], [role="progressbar"]:not([aria-valuenow]), progress:not([value])';
/** What may say the same by its text. */
const NOTICES = '[role="status"], [role="alert"], [id*="loading" i], [class*="loading" i], [class*="spinner" i]';
/** Everything that may say that something is loading. */
export const LOADING = `${BUSY}, ${NOTICES}`;
/** What such a text begins with, in the languages of most pages. */
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
/** Controls and pictures; a page that shows one of them has begun to work. */
const USABLE =
  'a[href], button, input, select, textarea, summary, iframe, canvas, svg, img, video, [tabindex], [contenteditable]';
/** Elements that are looked at. */
const LOOKED_AT = 200;
/** Milliseconds that what an action brought may say that it loads. */
const LOADING_TIME = 10_000;
/** The same for a document that can be used already: some show such a sign for good. */
const REMAINING_TIME = 3000;
/** A document is given so many ms from the beginning of its navigation until its scripts show something. */
const BLANK_TIME = 3000;

/** The values with which an element is as high as what is in it. */
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

/** Signs that outlasted the wait for them. */
const unheeded = new WeakSet<Element>();
/** Whether this document has been seen to be there. Later only what an action brings says that something loads. */
let isDocumentThere = false;

/** Whether a sign says now, where a person sees it, that something is loading. */
export function isLoadingSign(sign: Element): boolean {
  if (!isConnected(sign) || unheeded.has(sign) || !isInSight(sign)) return false;
  return matches(sign, BUSY) || LOADING_TEXT.test(textOf(sign));
}

/** Milliseconds that the page is given to load, from when it was quiet: 0 when nothing says that it loads. */
export function loadingTime(signsOfAction: readonly Element[]): number {
  const isLoading = signsOfAction.some(isLoadingSign);
  if (isDocumentThere) return isLoading ? LOADING_TIME : 0;
  const isUsable = hasUsablePart(document);
  // A page of components may show everything in shadow roots.
  const roots = isUsable ? [] : shadowRootsBelow(document);
  const isBlank = !isUsable && !roots.some(hasUsablePart) && !mayShowClosedRoot([document, ...roots]);
  if (isLoading || loadingSigns(roots).length > 0) return isBlank ? Infinity : REMAINING_TIME;
  const text = isBlank ? shownText(roots) : '';
  if (LOADING_TEXT.test(text)) return Infinity;
  if (isBlank && text === '' && hasScripts() && performance.now() < BLANK_TIME) return BLANK_TIME;
  isDocumentThere = readyState() === 'complete';
  return 0;
}

/** An element of the document was acted on: it is there. */
export function noteActedOn(): void {
  isDocumentThere = true;
}

/** The time to load is over: whatever says still that something loads says so for good. */
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

/** Whether an element holds nothing and is still as high as something in it: a closed root that nobody has opened yet. */
function mayShowClosedRoot(trees: readonly ParentNode[]): boolean {
  const empty = trees
    .flatMap((tree) => queryAll(tree, ':empty'))
    .filter((part) => mayHostShadowRoot(localNameOf(part)));
  return empty.slice(0, LOOKED_AT).some((part) => isVisible(part) && boundsOf(part).height > 0 && isFreeInHeight(part));
}

/** Whether no rule says how high an element is, or that something is painted around its content. */
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

function isInSight(element: Element): boolean {
  return isVisible(element) && insideViewport(boundsOf(element)) !== null;
}
