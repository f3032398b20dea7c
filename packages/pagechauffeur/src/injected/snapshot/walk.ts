import { addPlainText, addText, flowOf, isBlock, separate } from './text-flow.ts';
import { type GeneratedPart, generatedText } from '../aria/generated-text.ts';
import { rolesNamedByContent } from '../aria/role-names.ts';
import { labelsOf } from '../aria/references.ts';
import type { WireNode } from '../contract.ts';
import { markIncomplete, measured } from '../dependencies.ts';
import { isFrameElement } from '../tree/frames.ts';
import { flatParent, isInside } from '../tree/composed-tree.ts';
import { attributeOf, boundsOf, checkVisibility, localNameOf, queryCount } from '../native.ts';
import { refOf } from '../refs.ts';
import { isContentRendered } from '../element/visibility.ts';
import { roleOf } from '../aria/role.ts';
import { treeScopeOf } from '../native-document.ts';
import { isReplacedSelect } from '../element/replaced-select.ts';
import { type Actionability, actionabilityOf, isDraggable, isWhole } from './clickable/actionable.ts';
import { holdsItems } from './clickable/pointer-items.ts';
import { hasProxyControl, hiddenBoxOf } from './clickable/hidden-controls.ts';
import { collapse, type Line, wireNode } from './lines/collapse.ts';
import { BehindModal, contentOf, type EntryContext, type Level, type LineFacts, takeNext } from './level.ts';
import type { Occlusion } from './visibility/painting/occlusion.ts';
import type { DropArea } from './clickable/drop-area.ts';
import { fadingAway } from '../styles/fading.ts';
import { noteCustomElement } from '../exploration/custom-elements.ts';
import { isTextBlockRendered, noteHostOf } from '../exploration/host-candidates.ts';
import { type InlineLinks, LineList } from './lines/line-list.ts';
import { elementsOf, type LinePaths } from './lines/line-paths.ts';
import type { ListFacts } from './lines/list-facts.ts';
import { drawsGenerated, isFrameInView, isTextInView } from './visibility/css-visibility.ts';
import { indentedName, isNamedByPlainText, isPlainBox, isPlainInline, lineName } from './lines/line-name.ts';
import { isActionableLine, isKeptEmpty, isOmitted, makesLine } from './lines/line-rules.ts';
import type { RequestedKinds } from './clickable/requested-kinds.ts';
import { editorLines, editorStateOf, startsEditor } from './clickable/editor-lines.ts';
import { isListenedTo, itemsServedBy, reactsThroughContainer } from './clickable/listened.ts';
import { withOnlyControl } from './lines/only-control.ts';
import { fieldTags, propertiesOf } from './lines/properties.ts';
import { elementsWithHoverCursor, mayHoldParts } from './clickable/reacting-parts.ts';
import { scrolledState, withItemState, withState } from './lines/item-state.ts';
import { type KnownParts, NodeFacts, type Recording } from './reuse/known-parts.ts';
import { elementsInDocument } from '../tree/document-queries.ts';
import { notedRulesIn } from '../styles/noted-rules.ts';
import { StyleKeys } from './visibility/shared-style.ts';
import type { StyleRules } from '../styles/style-rules.ts';
import { layerOf } from './visibility/boxes/stacking.ts';
import { isBeforeItsClips, isCroppedFrame } from './visibility/boxes/clipped-content.ts';
import { tagFactsOf } from '../tree/tags.ts';
import { surroundingsAt, surroundingsInside, type Surroundings } from './surroundings.ts';
import { Visit, type VisitedTree } from './visit.ts';

function isUnusedSvg(element: Element): boolean {
  return element instanceof SVGElement && queryCount(document, 'use') === 0;
}

/** Deeper lines become siblings. The browser returns at most 300 levels of JSON, and a line takes two. */
const MAX_LINE_DEPTH = 120;

export interface WalkedPage {
  /** Elements to omit with their descendants. */
  readonly ignored: ReadonlySet<Element>;
  readonly modal: Element | null;
  /** Counts the lines outside an open modal dialog instead of returning them. */
  readonly countsBehindModal: boolean;
  readonly rules: StyleRules | null;
  readonly occlusion: Occlusion;
  readonly dropArea: DropArea;
  readonly requestedKinds: RequestedKinds;
}

/** Walks the flat tree of a document once and collects its lines. */
export class Walk {
  elementCount = 0;
  readonly facts: ListFacts;
  readonly inlineLinks: InlineLinks;
  /** Draggable elements in document order. */
  readonly draggables: Element[] = [];
  /** Set to record the element of each line. */
  places: LinePaths | null = null;
  readsUrls = true;
  /** Keeps lines with a URL even if they repeat their parent's name. */
  keepsLinkedImages = false;
  /** Stops reading after this many elements. */
  mostElements = Infinity;
  readonly #known: KnownParts | null;
  readonly #numberByRole: Map<string, number>;
  readonly #roles: string[];
  #lineDepth = 0;
  readonly #ignored: ReadonlySet<Element>;
  readonly #fading: ReadonlySet<Element>;
  readonly #modal: Element | null;
  readonly #behindModal: BehindModal | null;
  readonly #occlusion: Occlusion;
  readonly #documentTree: VisitedTree;
  readonly #shadowTree: VisitedTree;

  /** `known`: lines of the last snapshot, to use again where nothing changed. */
  constructor(page: WalkedPage, known: KnownParts | null) {
    const { ignored, modal, countsBehindModal, rules, occlusion, dropArea, requestedKinds } = page;
    const { facts, inlineLinks, roles, numberByRole } = known?.nodes ?? new NodeFacts();
    this.#known = known;
    this.facts = facts;
    this.inlineLinks = inlineLinks;
    this.#roles = roles;
    this.#numberByRole = numberByRole;
    this.#ignored = ignored;
    this.#fading = fadingAway(document);
    this.#modal = modal;
    this.#behindModal = modal && countsBehindModal ? new BehindModal(modal) : null;
    this.#occlusion = occlusion;
    const hasFirstLineRules = notedRulesIn(document).firstLines.length > 0;
    const hoverCursors = elementsWithHoverCursor(document);
    const marked = notedRulesIn(document).marked.flatMap(elementsInDocument);
    const markers = marked.length > 0 ? new Set(marked) : null;
    const keys = new StyleKeys(rules);
    this.#documentTree = {
      modal,
      rules,
      hasFirstLineRules,
      hoverCursors,
      markers,
      keys,
      occlusion,
      dropArea,
      requestedKinds,
    };
    this.#shadowTree = { ...this.#documentTree, rules: null, keys: new StyleKeys(null) };
  }

  /** Lines refer to roles by index. */
  get roles(): readonly string[] {
    return this.#roles;
  }

  /** 0 unless lines outside an open modal dialog are counted. */
  get linesBehindModal(): number {
    return this.#behindModal?.lineCount ?? 0;
  }

  linesOf(element: Element): readonly WireNode[] {
    const list = new LineList(this.places !== null, this.inlineLinks);
    const isInert = this.#modal !== null && !isInside(element, this.#modal);
    const initial: Surroundings = {
      isTextShown: true,
      clipping: 'none',
      isDoubtful: isCroppedFrame(),
      isInert,
      isAriaHidden: false,
      isClear: false,
      layer: this.#occlusion.isNone ? undefined : layerOf(flatParent(element)),
      isPointer: false,
      isInActionable: false,
      isInLine: false,
      served: null,
      item: null,
      popups: null,
    };
    this.#walk(this.#enter(element, { list, inside: initial, parent: null, isStale: false }));
    list.breakText();
    this.facts.note(list.lines, list, element);
    this.places?.note(list.lines, list);
    return list.lines;
  }

  #walk(top: Level | null): void {
    const levels = top ? [top] : [];
    for (let level = top; level; level = levels.at(-1) ?? null) {
      const node = this.elementCount < this.mostElements ? takeNext(level) : null;
      if (node instanceof Element) {
        const deeper = this.#enter(node, level);
        if (deeper) levels.push(deeper);
      } else if (node === null) {
        this.#leave(level);
        levels.pop();
      } else if (node instanceof Text) this.#addText(level, node);
    }
  }

  #addText(level: Level, text: Text): void {
    if (level.isTextShown && (!level.inside.isDoubtful || isTextInView(text)))
      addText(this.#behindModal?.textPlace(level) ?? level, text);
    else level.list.written = null;
  }

  /** Returns `null` if the element is omitted. */
  #enter(element: Element, context: EntryContext): Level | null {
    const { list, inside: inherited, parent } = context;
    const tag = localNameOf(element);
    const facts = tagFactsOf(tag);
    if (facts.isUnread || (facts.isUnusedSvg && isUnusedSvg(element)) || this.#isLeftOut(element)) return leftOut(list);
    const isInShadow = parent === null && this.elementCount > 0;
    const isStale = context.isStale || isInShadow || (this.#known?.hasParts === true && this.#known.isStale(element));
    if (this.#known?.hasParts) {
      if (!isStale && this.#addKnown(element, context)) return null;
      this.#known.forget(element);
    }
    this.elementCount += 1;
    const visit = new Visit(element, facts, parent?.tree ?? this.#treeOf(element), parent);
    if (this.#known) this.#watch(visit, this.#known);
    if (!visit.isSeen && !isRendered(visit, parent)) return leftOut(list);
    if (visit.isMarked && isHiddenUntilFound(visit)) return leftOut(list);
    if (tag === 'select' && visit.isMarked && isReplacedSelect(element)) return leftOut(list);
    if (facts.isCustom) noteCustomElement(element);
    if (parent !== null && this.#isPlainText(visit, inherited)) return plainLevel(visit, context, isStale);
    const recording = this.#known && mayBeKept(visit) ? this.#record(this.#known, element, inherited) : null;
    const outer = this.#behindModal?.listFor(element) ?? list;
    return this.#level(visit, surroundingsAt(visit, inherited), { list: outer, isStale, recording });
  }

  #record(known: KnownParts, element: Element, inherited: Surroundings): Recording | null {
    return known.record(element, inherited, this.#lineDepth, this.elementCount - 1);
  }

  #isLeftOut(element: Element): boolean {
    return (
      (this.#ignored.size > 0 && this.#ignored.has(element)) || (this.#fading.size > 0 && this.#fading.has(element))
    );
  }

  #watch({ element, facts, isMarked }: Visit, known: KnownParts): void {
    if (facts.isWatched) known.watchState(element);
    if (isMarked && isDraggable(element)) markIncomplete();
  }

  /** Adds the lines of the last snapshot if nothing changed that they depend on. */
  #addKnown(element: Element, { list, inside }: EntryContext): boolean {
    const part = this.#known?.partOf(element, inside, this.#lineDepth);
    if (!part) return false;
    this.elementCount += part.elementCount;
    list.isPlainText = false;
    if (part.groups === null) {
      addLines(list, part.nodes, { elements: NONE, holder: element, isInline: false });
      // An empty box may still separate the text before it from that after it.
      if (part.nodes.length === 0) list.noteEdge(part);
    } else {
      list.breakText();
      list.addBlock(part.nodes, part.groups);
    }
    return true;
  }

  /**
   * True if the element adds its content to the text around it and nothing else. On documentation pages, this is half
   * of all elements, so they skip the steps of `#level` that would change nothing.
   */
  #isPlainText({ element, facts, tree, shared, isMarked, hasTitle, isHost }: Visit, around: Surroundings): boolean {
    return (
      facts.isPlain &&
      shared.isPlainInline &&
      !isMarked &&
      !hasTitle &&
      !shared.isCaret &&
      (around.isInActionable || (!shared.isPointer && !around.isPointer)) &&
      around.clipping === 'none' &&
      around.served === null &&
      around.item === null &&
      !around.isDoubtful &&
      !around.isAriaHidden &&
      (around.isClear || tree.occlusion.isNone) &&
      tree.dropArea.isNone &&
      this.#behindModal === null &&
      !isListenedTo(element) &&
      !isHost
    );
  }

  #treeOf(element: Element): VisitedTree {
    return treeScopeOf(element) === document ? this.#documentTree : this.#shadowTree;
  }

  #level(
    visit: Visit,
    surroundings: Surroundings,
    { list: outer, isStale, recording }: Pick<Level, 'list' | 'isStale' | 'recording'>,
  ): Level {
    const { element, tag } = visit;
    visit.isTextRendered ||= isTextBlockRendered(element, tag);
    const role = roleOf(element);
    const isVisible = visit.isVisible();
    const actionability = isVisible ? reachableActionability(visit, role, surroundings) : 'none';
    const isActionable = actionability !== 'none';
    const isOne = isWhole(role, actionability);
    const isItem = isItemOf(visit, actionability, surroundings);
    const isPointer =
      surroundings.isInActionable || isOne ? surroundings.isPointer : visit.isPointer() && !holdsItems(element);
    const inside = surroundingsInside(surroundings, {
      isPointer,
      isInActionable: surroundings.isInActionable || isOne,
      served: isOne ? null : (linesServedBy(visit) ?? itemsServedBy(element) ?? surroundings.served),
      item: isActionable && mayHoldParts(role, isItem) ? { element, role } : isOne ? null : surroundings.item,
    });
    const scrolled = scrolledState(visit);
    const hasLine = isVisible && (isActionable || scrolled !== null || makesLine(element, role, visit.isMarked));
    const display = hasLine ? '' : flowOf(visit, inside);
    const list = hasLine ? new LineList(this.places !== null, this.inlineLinks) : outer;
    if (hasLine) outer.isPlainText = false;
    else if (isPlainBox(visit, role)) outer.hasBlocks = true;
    else if (!isPlainInline(visit)) outer.isPlainText = false;
    if (hasLine) this.#lineDepth += 1;
    else separate(list, visit, display, '(');
    if (hasLine && this.#behindModal === null && isNamedByPlainText(visit, role)) list.written = '';
    if (tag === 'br') list.breakLine();
    const isTextShown = inside.isTextShown && inside.clipping === 'none' && visit.isVisible();
    // The document in a frame does not know whether the frame is hidden, so this is checked here.
    const isHiddenFrame = isFrameElement(element, tag) && !(isTextShown && isFrameInView(element));
    visit.isCovered = isHiddenFrame || (isActionable && this.#occlusion.covers(element, surroundings));
    const line = hasLine ? lineFactsOf(element, role, { actionability, scrolled }) : null;
    const hasTextToCheck = isTextShown && (inside.isDoubtful || !(inside.isClear || this.#occlusion.isNone));
    const { parent, nodes, sibling, text } = contentOf(visit, hasTextToCheck, inside.served);
    const start = list.lines.length;
    if (display === 'list-item' || hasLine) this.#addMarker(list, visit, inside);
    if (visit.shared.generatesText && !surroundings.isInActionable && !isActionable)
      this.#addGenerated(list, visit, inside, '::before');
    if (text !== '') addPlainText(list, visit, text, isTextShown);
    return {
      visit,
      outer,
      list,
      start,
      line,
      display,
      inside,
      isTextShown,
      isStale,
      recording,
      parent,
      nodes,
      index: 0,
      sibling,
    };
  }

  #leave(level: Level): void {
    const { visit, recording, outer, list } = level;
    const nodes = this.#finish(level);
    if (!this.#known || !recording || !this.#known.end(recording)) return;
    const { start } = level;
    const contribution =
      nodes === null ? { nodes: outer.lines.slice(start), groups: list.groupsSince(start) } : { nodes, groups: null };
    this.#known.keep(visit.element, recording, this.elementCount, contribution);
  }

  /** Completes the lines of an element. Returns them; `null` if it has no line of its own. */
  #finish({ visit, outer, list, start, line, display, inside }: Level): readonly WireNode[] | null {
    if (visit.shared.generatesText && !inside.isInActionable) this.#addGenerated(list, visit, inside, '::after');
    if (line === null) {
      separate(list, visit, display, ')');
      if (isBlock(display)) list.endGroup(start);
      return null;
    }
    this.#lineDepth -= 1;
    list.breakText();
    if (this.#known) list.trim();
    const nodes = this.#line(visit, line, list);
    const elements = this.places === null ? NONE : nodes === list.lines ? list.elements : sideElements(nodes, list);
    const isInline = line.role === 'link' && nodes.length === 1 && visit.display() === 'inline';
    addLines(outer, nodes, { elements, holder: visit.element, isInline });
    if (nodes.length === 0) outer.noteEdge(visit.shared);
    return nodes;
  }

  /** Returns the element's line, or its children if the line would add nothing. */
  #line(visit: Visit, facts: LineFacts, list: LineList): readonly WireNode[] {
    const { role, actionability, ref, scrolled } = facts;
    const children: readonly WireNode[] = list.lines;
    const isActionable = actionability !== 'none';
    const name = lineName(visit, facts, list) || (isActionable ? indentedName(visit, children) : '');
    if (!isActionable && name === '' && children.length === 0 && !isKeptEmpty(role)) return [];
    if (!isActionable && scrolled === null && name === '' && isNothingButItsContent(role, children)) return children;
    if (actionability === 'nameable' && name === '' && children.length === 1 && isActionableLine(children[0]))
      return children;
    if (role === 'generic' && scrolled === null && isOmitted({ visit, name, actionability, lines: children }))
      return children;
    const known =
      isActionable || visit.isMarked || visit.hasTitle || rolesWithFacts.has(role)
        ? propertiesOf({ visit, role, name, actionability }, this.readsUrls)
        : 0;
    const properties = withState(withItemState(visit, role, known), scrolled);
    if (properties !== 0 && properties.states?.includes('draggable')) this.draggables.push(visit.element);
    const isNamedByContent = rolesNamedByContent.has(role);
    const { keepsLinkedImages } = this;
    const line = { role: this.#roleNumber(role), name, ref, properties, children, isNamedByContent, keepsLinkedImages };
    const collapsed = collapse(line, this.#noteShortened);
    const reported = typeof collapsed === 'string' ? collapsed : withOnlyControl(collapsed, this.#roles);
    if (typeof reported !== 'string' && reported[4]) {
      this.facts.note(reported[4], list, visit.element);
      this.places?.note(reported[4], list);
    }
    return this.#lineDepth < MAX_LINE_DEPTH || typeof reported === 'string' ? [reported] : sideBySide(reported, line);
  }

  /** Adds generated text, but no glyphs of icon fonts. It may be visible in an element with `visibility: hidden`. */
  #addGenerated(list: LineList, visit: Visit, inside: Surroundings, position: GeneratedPart): void {
    const { element } = visit;
    if (!inside.isTextShown || inside.clipping !== 'none') return;
    const generated = generatedText(element, position, 'text');
    if (generated && generated.text.trim() === '') list.addText(' ');
    if (!generated || !NON_SPACE.test(generated.text) || !drawsGenerated(element, position, inside.isDoubtful)) return;
    if (this.#occlusion.covers(element, inside)) return;
    if (generated.isApart) list.addText(' ');
    list.addText(generated.text, element);
    if (generated.isApart) list.addText(' ');
  }

  /** Adds the text of a marker, but not bullets and numbers. */
  #addMarker(list: LineList, visit: Visit, inside: Surroundings): void {
    if (visit.display() !== 'list-item') return;
    if (visit.tree.markers?.has(visit.element) !== true && !visit.shared.hasTextMarker) return;
    this.#addGenerated(list, visit, inside, '::marker');
    list.addText(' ');
  }

  readonly #noteShortened = (kept: readonly WireNode[], all: readonly WireNode[]): void => {
    this.facts.shorten(kept, all);
    this.places?.shorten(kept, all);
  };

  #roleNumber(role: string): number {
    const known = this.#numberByRole.get(role);
    if (known !== undefined) return known;
    const number = this.#numberByRole.size;
    this.#numberByRole.set(role, number);
    this.#roles.push(role);
    return number;
  }
}

/** Adds the text of an element without child elements. Otherwise, returns the level of its content. */
function plainLevel(visit: Visit, { list, inside }: EntryContext, isStale: boolean): Level | null {
  const { isTextShown } = inside;
  const { parent, nodes, sibling, text } = contentOf(visit, false, null);
  if (visit.shared.mayBeSpaced) list.noteEdge(visit.shared);
  if (text !== '') addPlainText(list, visit, text, isTextShown);
  if (visit.shared.mayBeSpaced) list.noteEdge(visit.shared);
  if (sibling === null) return null;
  const start = list.lines.length;
  return {
    visit,
    outer: list,
    list,
    start,
    line: null,
    display: 'inline',
    inside,
    isTextShown,
    isStale,
    recording: null,
    parent,
    nodes,
    index: 0,
    sibling,
  };
}

function lineFactsOf(element: Element, role: string, known: Pick<LineFacts, 'actionability' | 'scrolled'>): LineFacts {
  const { actionability } = known;
  const box = actionability === 'clickable' ? hiddenBoxOf(element) : null;
  const shownRole = box ? roleOf(box) : role;
  const ref = actionability === 'none' ? 0 : refOf(element);
  return { ...known, role: shownRole === 'none' ? 'generic' : shownRole, ref };
}

/** True if the element adds only whole lines, so that they do not depend on the text before and after it. */
function mayBeKept(visit: Visit): boolean {
  return visit.tree.rules !== null && !visit.facts.isMath && isBlock(visit.display()) && visit.display() !== 'none';
}

interface Origin {
  /** The element of each line, if known. */
  readonly elements: readonly (Element | null)[];
  /** The element of the other lines. */
  readonly holder: Element;
  readonly isInline: boolean;
}

function addLines(list: LineList, lines: readonly WireNode[], { elements, holder, isInline }: Origin): void {
  if (lines.length > 1) list.breakText();
  const before = list.lines.length;
  for (let index = 0; index < lines.length; index += 1)
    list.addLine(lines[index] ?? '', elements[index] ?? holder, isInline);
  list.endGroup(before);
}

function sideBySide([, name = '', , , children = []]: Exclude<WireNode, string>, line: Line): readonly WireNode[] {
  return [wireNode(line, name, []), ...children];
}

/** The first line is the element's own; the others were its children. */
function sideElements(nodes: readonly WireNode[], list: LineList): readonly (Element | null)[] {
  return nodes.length > 1 ? [null, ...elementsOf(nodes.slice(1), list)] : NONE;
}

const NONE: readonly never[] = [];

const NO_LINES: ReadonlySet<Element> = new Set();

/** In an empty editor, other listeners are for no part of it. */
function linesServedBy(visit: Visit): ReadonlySet<Element> | null {
  if (!startsEditor(visit)) return null;
  return editorLines(visit.element) ?? (editorStateOf(visit) === null ? null : NO_LINES);
}

function leftOut(list: LineList): null {
  list.isPlainText = false;
  return null;
}

// For an element that users do not see. It may still be rendered: without a box, transparent, or in a canvas or image
// map.
function isRendered(visit: Visit, parent: EntryContext['parent']): boolean {
  const { element, tag } = visit;
  const display = visit.display();
  if (display === '') noteHostOf(element);
  if (display === 'none') return tag === 'area';
  if (display === '') return false;
  // The walk enters only rendered parents.
  if (display === 'contents') return parent !== null || isContentRendered(element);
  return checkVisibility(element) || Element.prototype.closest.call(element, 'canvas') !== null;
}

/** True if a listener around the element is for it, or if it can be dragged. */
function isItemOf({ element, shared }: Visit, actionability: Actionability, { served }: Surroundings): boolean {
  if (actionability === 'draggable') return true;
  // Brackets in a line of code are text, not icons.
  if (served?.has(element) === true) return !shared.isCaret;
  return actionability === 'clickable' && reactsThroughContainer(element);
}

function isHiddenUntilFound({ element, style }: Visit): boolean {
  return attributeOf(element, 'hidden') === 'until-found' && style.contentVisibility === 'hidden';
}

/**
 * True if the pointer cannot reach an element whose text is hidden, such as an entry of a menu that is faded out or scaled
 * to nothing. The label of a form control may still be clicked.
 */
function isOutOfReach({ element, tag, style }: Visit, { isTextShown }: Surroundings): boolean {
  if (isTextShown || fieldTags.has(tag) || (tag === 'button' && hasClickableLabel(element))) return false;
  return style.pointerEvents === 'none' || (style.display !== 'contents' && measured(element, hasNoArea));
}

/** True for a button that is a control of a form, such as the checkbox of a component library, if its label takes clicks. */
function hasClickableLabel(button: Element): boolean {
  return labelsOf(button).some((label) => getComputedStyle(label).pointerEvents !== 'none');
}

function hasNoArea(element: Element): boolean {
  const { width, height } = boundsOf(element);
  return width === 0 || height === 0;
}

/** Returns `none` for an element that the pointer cannot reach. */
function reachableActionability(visit: Visit, role: string, surroundings: Surroundings): Actionability {
  if (isOutOfReach(visit, surroundings)) return 'none';
  const isField = fieldTags.has(visit.tag);
  if (isField && measured(visit.element, hasNoArea) && !hasProxyControl(visit.element)) return 'none';
  const actionability = actionabilityOf(visit, role, surroundings);
  const mayBeClipped = actionability !== 'none' && surroundings.isDoubtful && !isField;
  return mayBeClipped && measured(visit.element, isBeforeItsClips) ? 'none' : actionability;
}

/** Matches a letter, a digit, a currency symbol, `%` or `*`. */
const NON_SPACE = /[\p{L}\p{N}\p{Sc}%*]/u;

/** Roles with properties besides the name, even without attributes. */
const rolesWithFacts: ReadonlySet<string> = new Set(['heading', 'img', 'meter', 'progressbar']);

const ITEMS: ReadonlySet<string> = new Set(['listitem', 'term']);

// The content replaces an image without a name. A single line replaces the list item that contains it.
function isNothingButItsContent(role: string, lines: readonly WireNode[]): boolean {
  return role === 'img' || (ITEMS.has(role) && lines.length === 1 && typeof lines[0] !== 'string');
}
