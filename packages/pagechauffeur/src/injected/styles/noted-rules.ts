import { memoised } from '../memo.ts';
import { documentElementOf, matchesIfValid } from '../native.ts';
import { findRule, readableRulesOf } from './readable-rules.ts';
import { adoptedSheetsIn, styleSheetsIn, type TreeScope } from '../native-document.ts';

/** Cursors that suggest a click or a drag. */
const HANDS: ReadonlySet<string> = new Set(
  (
    'pointer zoom-in zoom-out grab grabbing move col-resize row-resize ew-resize ns-resize nesw-resize nwse-resize ' +
    'n-resize e-resize s-resize w-resize ne-resize nw-resize se-resize sw-resize'
  ).split(' '),
);

const CLICKING_HANDS: ReadonlySet<string> = new Set(['pointer', 'zoom-in', 'zoom-out']);

export function isHand(cursor: string): boolean {
  return HANDS.has(cursor);
}

/** True for a cursor that suggests a drag. */
export function isDragHand(cursor: string): boolean {
  return isHand(cursor) && !CLICKING_HANDS.has(cursor);
}

interface NotedRules {
  /** Selectors of rules that show elements on hover. `:hover` is removed. */
  readonly revealed: string[];
  /**
   * Selectors of rules that draw a positioned `::before` or `::after` box with a background. The
   * pseudo-element is removed.
   */
  readonly boxed: string[];
  /** Selectors of rules that set the cursor of a control on hover. `:hover` is removed. */
  readonly pointed: string[];
  /** Like `pointed`, but only of rules whose cursor suggests a drag. */
  readonly dragged: string[];
  /** Selectors of rules for `::first-line`, without the pseudo-element. */
  readonly firstLines: string[];
  /** Selectors of rules that set the content of `::marker`, without the pseudo-element. */
  readonly marked: string[];
}

/** Maximum rules to read per style sheet. Reading one takes about 2 µs. */
const MAX_RULES = 20_000;

/** Valid until rules are added or removed. Later changes inside a rule are missed. */
const knownSheets = new WeakMap<CSSStyleSheet, { readonly ruleCount: number; readonly noted: NotedRules }>();

/** Skips cross-origin style sheets, which cannot be read. */
export const notedRulesIn: (scope: TreeScope) => NotedRules = memoised((scope: TreeScope) => {
  const all = newNotes();
  for (const sheet of [...styleSheetsIn(scope), ...adoptedSheetsIn(scope)]) {
    const noted = notedRulesOf(sheet);
    for (const kind of KINDS) all[kind].push(...noted[kind]);
  }
  return all;
});

function newNotes(): NotedRules {
  return { revealed: [], boxed: [], pointed: [], dragged: [], firstLines: [], marked: [] };
}

const KINDS = Object.keys(newNotes()) as readonly (keyof NotedRules)[];

function notedRulesOf(sheet: CSSStyleSheet): NotedRules {
  const noted = newNotes();
  const rules = readableRulesOf(sheet);
  if (!rules) return noted;
  const known = knownSheets.get(sheet);
  if (known && known.ruleCount === rules.length) return known.noted;
  let rulesLeft = MAX_RULES;
  let isLoaded = true;
  findRule(rules, {
    isFound: (selector, style) => {
      rulesLeft -= 1;
      noteRule(selector, style, noted);
      return rulesLeft <= 0;
    },
    isFoundInUnreadable: () => {
      isLoaded = false;
      return false;
    },
  });
  if (isLoaded) knownSheets.set(sheet, { ruleCount: rules.length, noted });
  return noted;
}

interface Noting {
  /** What the selector must contain. It is removed, so that the rest matches the elements. */
  readonly part: RegExp;
  readonly kind: keyof NotedRules;
  readonly applies: (style: CSSStyleDeclaration) => boolean;
}

const NOTINGS: readonly Noting[] = [
  { part: /::?(?:before|after)\b/g, kind: 'boxed', applies: drawsPlacedBox },
  { part: /::?first-line\b/g, kind: 'firstLines', applies: () => true },
  { part: /::marker\b/g, kind: 'marked', applies: ({ content }) => content !== '' },
  { part: /:hover\b/g, kind: 'pointed', applies: ({ cursor }) => isHand(cursor) },
  { part: /:hover\b/g, kind: 'dragged', applies: ({ cursor }) => isDragHand(cursor) },
  {
    part: /:hover\b/g,
    kind: 'revealed',
    applies: ({ opacity, visibility }) => Number(opacity) > 0 || visibility === 'visible',
  },
];

function drawsPlacedBox({ position, backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean {
  return (position === 'absolute' || position === 'fixed') && backgroundColor + backgroundImage !== '';
}

/** Matches any of the parts. Most selectors have none. */
const ANY_PART = /:(?:before|after|first-line|hover)\b|::marker\b/;

function noteRule(selector: string, style: CSSStyleDeclaration, noted: NotedRules): void {
  if (!ANY_PART.test(selector)) return;
  for (const { part, kind, applies } of NOTINGS) {
    const matched = selector.replace(part, '');
    if (matched !== selector && applies(style)) addSelector(noted[kind], matched);
  }
}

// Without `:hover`, a selector may be invalid: `.tool:not(:hover)` becomes `.tool:not()`.
function addSelector(selectors: string[], selector: string): void {
  const root = documentElementOf(document);
  if (root && matchesIfValid(root, selector) !== null) selectors.push(selector);
}
