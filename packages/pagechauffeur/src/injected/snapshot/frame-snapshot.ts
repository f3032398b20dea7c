import { PAGE_BOUNDS } from '../../page-bounds.ts';
import { noteGenerating } from '../aria/generated-text.ts';
import type {
  ElementTarget,
  FoldRequest,
  FrameSnapshot,
  FrameSnapshotOptions,
  Resolution,
  WireNode,
  WrongSelector,
} from '../contract.ts';
import { internalsToRead } from '../exploration/custom-elements.ts';
import { resolve } from '../selector/locate.ts';
import { withReadCache } from '../memo.ts';
import { topModal } from '../element/modal.ts';
import { documentElementOf, documentTitleOf, documentUrlOf, elementCountOf, getter } from '../native.ts';
import { elementOfRef, withoutNewRefs } from '../refs.ts';
import { querySelector } from '../selector/query.ts';
import { boundedText, boundLines } from './lines/bound-lines.ts';
import { Occlusion } from './visibility/painting/occlusion.ts';
import { DropArea } from './clickable/drop-area.ts';
import { hostCandidateCount } from '../exploration/host-candidates.ts';
import { fitLines } from './folding/fit-lines.ts';
import { WHOLE } from './folding/fold-plan.ts';
import type { FoldableLines } from './folding/fold-planning.ts';
import { LinePaths } from './lines/line-paths.ts';
import { RequestedKinds } from './clickable/requested-kinds.ts';
import { renderLines } from './lines/render-lines.ts';
import { forgetKnownParts, KnownParts, knownPartsFor, watchDocument } from './reuse/known-parts.ts';
import { layOutSkippedContent } from './visibility/skipped-content.ts';
import { readStyleRules, type StyleRules } from '../styles/style-rules.ts';
import { Wanted } from './folding/wanted.ts';
import { Walk, type WalkedPage } from './walk.ts';

export function takeFrameSnapshot(options: FrameSnapshotOptions): FrameSnapshot {
  isRead = true;
  return withReadCache(() => {
    const scope = scopeOf(options.scope);
    if (scope && !(scope instanceof Element)) return { ...emptySnapshot(), scopeResolution: scope };
    if (!scope) return emptySnapshot();
    const ignored = ignoredElements(options.ignoreSelectors ?? []);
    if (!(ignored instanceof Set)) return { ...emptySnapshot(), wrongIgnored: ignored };
    const { walk, nodes } = linesOf(scope, ignored, options);
    // Lines that lost text because of others must not be used again.
    if (!boundLines(nodes, options.mostText)) forgetKnownParts();
    const { roles, elementCount } = walk;
    return {
      ...emptySnapshot(),
      ...texts(
        {
          nodes,
          roles,
          facts: walk.facts,
          showsUrls: options.withUrls ?? true,
          // A caller that requests XPaths matches each text line with a node, so each link keeps its own line.
          ...(!options.withXPaths && { inlineLinks: walk.inlineLinks }),
        },
        options.fold,
      ),
      ...(options.withTree && {
        tree: { roles, nodes, ...(walk.places && { xpaths: walk.places.pathsOf(nodes, scope) }) },
      }),
      elementCount,
      ...(walk.linesBehindModal > 0 && { linesBehindModal: walk.linesBehindModal }),
      hostCandidates: hostCandidateCount(),
      ...internalsToRead(),
    };
  });
}

interface Walked {
  readonly walk: Walk;
  readonly nodes: readonly WireNode[];
}

/** Walks the page again if its draggable elements differ from the last snapshot, because drop targets depend on them. */
function linesOf(scope: Element, ignored: ReadonlySet<Element>, options: FrameSnapshotOptions): Walked {
  watchDocument();
  const rules = readStyleRules();
  layOutSkippedContent(rules?.skipping ?? []);
  const page = pageToWalk(rules, ignored, options.fold);
  const walkWith = (dropArea: DropArea): Walked => {
    const known = dropArea.isNone && page.modal === null ? knownPartsOf(options, page.requestedKinds, rules) : null;
    const walk = new Walk({ ...page, dropArea }, known);
    if (options.withXPaths) walk.places = new LinePaths();
    walk.readsUrls = options.withTree === true || options.withUrls !== false;
    walk.keepsLinkedImages = options.keepsLinkedImages ?? false;
    try {
      const nodes = walk.linesOf(scope);
      return { walk, nodes: nodes.length === 0 && contentTypeOf(document) === 'application/pdf' ? [PDF_NOTE] : nodes };
    } catch (error) {
      forgetKnownParts();
      throw error;
    } finally {
      known?.finish();
    }
  };
  const instruction = options.fold?.instruction ?? '';
  const dropArea = new DropArea(instruction);
  const walked = walkWith(dropArea);
  return dropArea.isOther(walked.walk.draggables) ? walkWith(new DropArea(instruction)) : walked;
}

function pageToWalk(
  rules: StyleRules | null,
  ignored: ReadonlySet<Element>,
  fold: FoldRequest | undefined,
): Omit<WalkedPage, 'dropArea'> {
  if (rules) noteGenerating(rules.generating);
  return {
    ignored,
    modal: topModal(),
    countsBehindModal: fold !== undefined,
    rules,
    occlusion: new Occlusion(rules, ignored),
    requestedKinds: new RequestedKinds(fold?.instruction ?? ''),
  };
}

/** True after the first snapshot. */
let isRead = false;

/** Pages with fewer elements are read fast without a warm-up, which reads at most twice as many. */
const LEAST_WARM_UP = 100;
/** In ms. A snapshot directly after the load event then does not have to wait for the warm-up. */
const WARM_UP_DELAY = 100;
/** Applications often show their content some time after the load event. In ms. */
const WARM_UP_RETRY = { interval: 500, attempts: 10 };

/**
 * Reads the style rules and the beginning of a page in idle time after it has loaded, unless a snapshot was taken before.
 * The lines are discarded, and nothing else is kept but the style rules. In a new document, all code of this script is
 * slow until the browser has optimized it, so the first snapshot of a documentation page with 1,000 to 4,000 elements is
 * about a fifth faster after this. Only for the top document.
 */
export function warmUpWhenIdle(): void {
  if (window.top !== window) return;
  if (document.readyState === 'complete') warmUpIn(WARM_UP_DELAY, WARM_UP_RETRY.attempts);
  else addEventListener('load', () => warmUpIn(WARM_UP_DELAY, WARM_UP_RETRY.attempts), { once: true });
}

function warmUpIn(delay: number, attemptsLeft: number): void {
  const start = (): void => {
    if (!isRead && !warmUp() && attemptsLeft > 1) warmUpIn(WARM_UP_RETRY.interval, attemptsLeft - 1);
  };
  setTimeout(() => requestIdleCallback(start), delay);
}

/** Returns false if there is not enough to read yet, or reading failed. Throwing would cause an `error` event in the page. */
function warmUp(): boolean {
  const root = documentElementOf(document);
  if (!root || elementCountOf(document) < LEAST_WARM_UP) return false;
  try {
    withReadCache(() => withoutNewRefs(() => readBeginning(root)));
    return true;
  } catch {
    return false;
  }
}

function readBeginning(root: Element): void {
  const fold: FoldRequest = { tokens: 1000, share: 1000 };
  const rules = readStyleRules();
  const known = new KnownParts();
  try {
    if (rules) known.start('', rules);
    const walk = new Walk({ ...pageToWalk(rules, new Set(), fold), dropArea: new DropArea('') }, known);
    walk.mostElements = 2 * LEAST_WARM_UP;
    const nodes = walk.linesOf(root);
    known.finish();
    const { roles, facts, inlineLinks } = walk;
    texts({ nodes, roles, facts, showsUrls: true, inlineLinks }, fold);
  } finally {
    known.close();
  }
}

const contentTypeOf = getter<Document, string>(Document.prototype, 'contentType');
const PDF_NOTE = 'This page is a PDF document. Snapshots cannot read its text. Download the file to read it.';

/**
 * Snapshots with other options have other lines. Those with XPaths need the element of each line, which is not kept. A
 * part of the page must not clear what changed elsewhere.
 */
function knownPartsOf(
  { scope, withXPaths, ignoreSelectors, withTree, withUrls, keepsLinkedImages }: FrameSnapshotOptions,
  { roles }: RequestedKinds,
  rules: StyleRules | null,
): KnownParts | null {
  if (scope || withXPaths || ignoreSelectors?.length) return null;
  return knownPartsFor([withTree === true || withUrls !== false, keepsLinkedImages, ...roles].join(), rules);
}

function texts(
  lines: Pick<FoldableLines, 'nodes' | 'roles' | 'facts' | 'showsUrls' | 'inlineLinks'>,
  request: FoldRequest | undefined,
): Partial<FrameSnapshot> {
  if (!request) {
    const { text, urls } = renderLines(lines, WHOLE);
    return { text, urls };
  }
  const { instruction, expand = 0, foldsNavigation = false } = request;
  const wanted = instruction === undefined ? null : new Wanted(instruction);
  const [longest, ...shorter] = fitLines({ ...lines, wanted, expand, foldsNavigation }, request);
  return { ...longest, ...(shorter.length > 0 && { shorter }) };
}

function emptySnapshot(): FrameSnapshot {
  return {
    url: boundedText(documentUrlOf(document), PAGE_BOUNDS.url),
    title: boundedText(documentTitleOf(document), PAGE_BOUNDS.title),
    text: '',
    urls: '',
    tokens: 0,
    isFolded: false,
    elementCount: 0,
    hostCandidates: 0,
    customElements: 0,
  };
}

function scopeOf(target: ElementTarget | undefined): Element | null | Exclude<Resolution, { kind: 'element' }> {
  if (!target) return documentElementOf(document);
  const resolution = resolve(target);
  return resolution.kind === 'element' ? elementOfRef(resolution.ref) : resolution;
}

// A selector that continues in a child frame ignores nothing in this frame.
function ignoredElements(selectors: readonly string[]): Set<Element> | WrongSelector {
  const elements = new Set<Element>();
  for (const selector of selectors) {
    const outcome = querySelector(selector);
    if (outcome.kind === 'invalid' && !outcome.isProvisional) {
      const { message, isXPath } = outcome;
      return { selector, message, ...(isXPath && { isXPath }) };
    }
    if (outcome.kind === 'elements') for (const element of outcome.elements) elements.add(element);
  }
  return elements;
}
