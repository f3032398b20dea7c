import { DriverLocatorError } from '../errors.ts';
import { settlePage } from '../actions/settle-page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SnapshotNode } from '../snapshot/snapshot-node.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { mergeOutcomes } from './act-on-element.ts';
import type { NamedElement, ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';

/** A list built without `<select>`. `ref` is the list itself, or the button or field that opens it. */
interface List {
  readonly ref: string;
  readonly element: NamedElement;
}

/** `one` includes the snapshot that shows the option. */
type Found =
  | { readonly kind: 'one'; readonly node: SnapshotNode; readonly snapshot: Snapshot }
  | { readonly kind: 'several' }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly outcome: ToolOutcome };

/**
 * Chooses options in a custom list: opens it, types the label if it is a field, and clicks the option. Each click is
 * recorded as a step.
 */
export async function chooseInList(context: ToolContext, list: List, options: readonly string[]): Promise<ToolOutcome> {
  let outcome: ToolOutcome | undefined;
  for (const option of options) {
    const chosen = await choose(context, list, option);
    outcome = outcome ? mergeOutcomes(outcome, chosen) : chosen;
    if (chosen.isError) return outcome;
  }
  return { ...(outcome ?? failed('options is empty: name the labels of the options to choose.')), isRecorded: true };
}

async function choose(context: ToolContext, list: List, option: string): Promise<ToolOutcome> {
  const found = await findOption(context, list, option);
  const label = JSON.stringify(option);
  if (found.kind === 'several')
    return failed(`The list of ${list.ref} has several options ${label}. Click the right one.`);
  if (found.kind === 'none')
    return failed(`The list of ${list.ref} has no option ${label}. Look at its options and click one.`);
  if (found.kind === 'failed') return found.outcome;
  const clicked = await clickOption(context, found, label);
  return clicked.isError ? clicked : { ...clicked, text: `${clicked.text} It is the option ${label} of ${list.ref}.` };
}

async function clickOption(
  context: ToolContext,
  { node, snapshot }: Pick<Extract<Found, { kind: 'one' }>, 'node' | 'snapshot'>,
  label: string,
): Promise<ToolOutcome> {
  const { ref, name, role } = node;
  const shown = { ...context, shown: snapshot };
  if (ref !== undefined) {
    context.noteShown(snapshot);
    return context.runTool('click', shown, { ref });
  }
  const target = await targetAt(context, snapshot.xpaths.get(node) ?? '');
  if (!target) return failed(`The option ${label} is no longer on the page. Look at the current options of the list.`);
  return context.runTool('click', { ...shown, element: () => ({ target, role, name }) }, { ref: label });
}

/** Resolves the XPath of a snapshot line that has no ref. */
async function targetAt({ progress, page }: ToolContext, path: string): Promise<NamedElement['target'] | undefined> {
  const frame = page.target.frames.main;
  const world = await progress.race(frame.worlds.isolated);
  const answer = await progress.race(world.call('resolve', { selector: `xpath=${path}` }));
  return answer.kind === 'element' ? { frame, world, element: { ref: answer.ref }, label: path } : undefined;
}

/** True if an element may be a list or open one. A button counts only if it has `aria-expanded`. */
function isList({ role, states }: SnapshotNode): boolean {
  return LISTS.has(role) || !COMMANDS.has(role) || states.includes('collapsed') || states.includes('expanded');
}

/** Opens the list, if necessary, and waits for the option. */
async function findOption(context: ToolContext, { ref, element }: List, option: string): Promise<Found> {
  const before = await read(context);
  const wanted = context.variables.expand(option, 'document');
  const list = nodesIn(before.nodes).find((node) => node.ref === ref);
  if (!list || !isList(list)) return { kind: 'failed', outcome: failed(`${ref} is not a list. ${CLICK_INSTEAD}`) };
  const offered = LISTS.has(list.role)
    ? pick({ snapshot: before, nodes: nodesIn(list.children) }, wanted, before)
    : NONE;
  if (offered.kind !== 'none') return offered;
  const search = { context, ref, wanted, before };
  // The first click on an open list closes it.
  const mostClicks = list.states.includes('expanded') ? 2 : 1;
  for (let clicks = 0; clicks < mostClicks; clicks += 1) {
    const clicked = await context.runTool('click', context, { ref });
    if (clicked.isError) return { kind: 'failed', outcome: clicked };
    const shown = await awaitOption(search);
    if (shown.kind !== 'none') return shown;
  }
  return FIELDS.has(element.role) && (await typeOption(context, ref, option)) ? awaitOption(search) : NONE;
}

/** Reasons why an element cannot be typed into. */
const NOT_FIELDS: ReadonlySet<string> = new Set(['not-editable', 'custom-slider']);

const CLICK_INSTEAD = 'If it opens one, click it, then click the option.';

/** Types the option. Returns false if that fails, for example for a combobox that is a button. */
async function typeOption(context: ToolContext, ref: string, option: string): Promise<boolean> {
  try {
    const typed = await context.runTool('fill', context, { ref, text: option });
    return !typed.isError;
  } catch (error) {
    if (error instanceof DriverLocatorError && NOT_FIELDS.has(error.reason ?? '')) return false;
    throw error;
  }
}

interface OptionSearch {
  readonly context: ToolContext;
  /** The element that opens the list. */
  readonly ref: string;
  /** Label of the option, with variables expanded. */
  readonly wanted: string;
  /** Snapshot from before the list was opened. */
  readonly before: Snapshot;
}

/** Takes snapshots until the option appears. Many lists load their options after the click. */
async function awaitOption({ context, ref, wanted, before }: OptionSearch): Promise<Found> {
  const { progress, page, verbs } = context;
  const deadline = performance.now() + OPENING_TIMEOUT_MS;
  for (;;) {
    const snapshot = await read(context);
    const others = nodesIn(snapshot.nodes).filter((node) => node.ref !== ref);
    const found = pick({ snapshot, nodes: others }, wanted, before);
    if (found.kind !== 'none' || performance.now() > deadline) return found;
    await settlePage(progress, page.target, verbs.domSettleTimeout);
  }
}

/** Maximum time in ms for the options to appear. */
const OPENING_TIMEOUT_MS = 1000;

function read({ progress, page, shown }: ToolContext): Promise<Snapshot> {
  return takeSnapshot(progress, page.target, {
    tokenBudget: Infinity,
    withTree: true,
    withXPaths: true,
    ...(shown && { earlier: shown }),
  });
}

interface Candidates {
  readonly snapshot: Snapshot;
  readonly nodes: readonly SnapshotNode[];
}

/**
 * Prefers elements that appeared after the click. Options in custom lists often have no role, so any new element with
 * the label counts. An option that was there before is the last choice.
 */
function pick({ snapshot, nodes }: Candidates, wanted: string, before: Snapshot): Found {
  const hasWantedName = ({ name }: SnapshotNode): boolean => normalized(name) === normalized(wanted);
  const called = nodes.filter(hasWantedName);
  const named = called.filter(({ ref }) => ref !== undefined);
  const fresh = named.filter(({ ref = '' }) => before.refs.get(ref)?.world !== snapshot.refs.get(ref)?.world);
  const plain = nodesIn(before.nodes).some(hasWantedName) ? [] : called.filter(({ ref }) => ref === undefined);
  const ranked = [fresh.filter(isOption), fresh, plain, named.filter(isOption)];
  const [first, second] = ranked.find((ones) => ones.length > 0) ?? [];
  if (!first) return NONE;
  return second ? { kind: 'several' } : { kind: 'one', node: first, snapshot };
}

function isOption({ role }: SnapshotNode): boolean {
  return OPTIONS.has(role);
}

/** Flattens the trees in document order. */
function nodesIn(roots: readonly SnapshotNode[]): readonly SnapshotNode[] {
  const nodes: SnapshotNode[] = [];
  const left = roots.toReversed();
  for (let node = left.pop(); node; node = left.pop()) {
    nodes.push(node);
    left.push(...node.children.toReversed());
  }
  return nodes;
}

function normalized(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

const NONE = { kind: 'none' } as const;
const LISTS: ReadonlySet<string> = new Set(['grid', 'listbox', 'menu', 'radiogroup', 'tree']);
const OPTIONS: ReadonlySet<string> = new Set([
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'treeitem',
]);
/** Roles of fields that may filter a list. */
const FIELDS: ReadonlySet<string> = new Set(['combobox', 'searchbox', 'textbox']);
/** Roles that can do something else than open a list. */
const COMMANDS: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'link',
  'menuitem',
  'option',
  'radio',
  'switch',
  'tab',
]);
