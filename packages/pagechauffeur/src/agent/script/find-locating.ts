import { isDeepStrictEqual } from 'node:util';
import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { FrameNode } from '../../cdp/frame-node.ts';
import type { World } from '../../cdp/world.ts';
import type { ElementDescription, Finding, Fingerprint } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import { type Locating, selectorOf } from './locating.ts';

export interface LocatableElement {
  readonly frame: FrameNode;
  readonly world: World;
  readonly ref: number;
  readonly role: string;
  readonly name: string;
}

/** Finds a locator for a script. Returns `undefined` if the element has left the page. */
export async function findLocating(progress: Progress, target: LocatableElement): Promise<Locating | undefined> {
  const { world, ref, frame } = target;
  try {
    const [[fingerprint], frames, byRole] = await progress.race(
      Promise.all([
        world.call('fingerprints', [ref], 'alone'),
        framesAround(frame),
        firstFinding(target, byOwnName(target)),
      ]),
    );
    if (!fingerprint) return undefined;
    const isAlone = byRole?.count === 1 && !isTypedUnlike(fingerprint);
    const found = isAlone ? byName(target) : await progress.race(strongest(target, { fingerprint, byRole }));
    return { ...found, frames };
  } catch (error) {
    if (error instanceof DocumentGoneError) return undefined;
    throw error;
  }
}

type OwnLocating = Omit<Locating, 'frames'>;

/** Roles that Playwright also has. */
const ROLES: ReadonlySet<string> = new Set(
  (
    'alert alertdialog article button cell checkbox columnheader combobox dialog figure form grid gridcell group heading img link list listbox listitem ' +
    'menu menubar menuitem menuitemcheckbox menuitemradio meter navigation option progressbar radio radiogroup region row rowheader scrollbar ' +
    'searchbox slider spinbutton switch tab table tablist tabpanel textbox toolbar tree treegrid treeitem'
  ).split(' '),
);

/** Input types for which Playwright computes another role. */
const OTHER_ROLE_TYPES = /^(password|file|color|date|time|month|week|datetime-local)$/i;

function isTypedUnlike({ attributes }: Fingerprint): boolean {
  return OTHER_ROLE_TYPES.test(attributes['type'] ?? '');
}

function byName({ role, name }: Pick<LocatableElement, 'role' | 'name'>): OwnLocating {
  return ROLES.has(role) && name !== '' ? { by: 'role', value: role, name } : { by: 'text', value: name };
}

function byOwnName(target: LocatableElement): readonly OwnLocating[] {
  return target.name === '' ? [] : [byName(target)];
}

interface KnownFacts {
  readonly fingerprint: Fingerprint;
  readonly byRole: Finding | null;
}

/**
 * Returns the first locator that matches only this element, or else the first that matches it at some index. `byRole`
 * is the known result for role and name.
 */
async function strongest(target: LocatableElement, { fingerprint, byRole }: KnownFacts): Promise<OwnLocating> {
  const candidates = candidatesFor(target, fingerprint).filter(({ value }) => value !== '');
  const known =
    byRole && byRole.count > 1 ? candidates.findIndex((locator) => isDeepStrictEqual(locator, byName(target))) : -1;
  const asked = candidates.filter((_locator, index) => index !== known);
  const found = await firstFinding(target, asked);
  const candidate = found && asked[found.index];
  if (candidate && found.count === 1) return candidate;
  const isKnownFirst = byRole !== null && known >= 0 && (!found || known <= found.index);
  if (isKnownFirst) return { ...byName(target), nth: byRole.nth };
  return candidate ? { ...candidate, nth: found.nth } : byXPath(fingerprint);
}

/** Prefers a locator that matches only the element to one that also matches others. */
function firstFinding({ world, ref }: LocatableElement, locators: readonly OwnLocating[]): Promise<Finding | null> {
  const selectors = locators.map((locating) => selectorOf({ ...locating, frames: [] }));
  return world.call('firstFinding', ref, selectors);
}

/** Roles that are named by their content. A search by label would be slow and find nothing. */
const NAMED_BY_CONTENT: ReadonlySet<string> = new Set(
  'button cell columnheader gridcell heading link menuitem option row rowheader tab treeitem'.split(' '),
);
/** Containers that can tell elements with the same name apart. */
const CONTAINERS = ['row', 'listitem', 'article', 'group', 'dialog'] as const;
/** Maximum number of `hasText` values to try. */
const MAX_TEXTS = 3;

/**
 * Returns the locators to try, best first. If the name has changed since the snapshot, such as from "Cart" to "Cart 1",
 * it may change again, so attributes come first.
 */
function candidatesFor(target: LocatableElement, fingerprint: Fingerprint): readonly OwnLocating[] {
  const name = fingerprint.name || target.name;
  const named = { ...target, name };
  const attributeLocators = byAttributes(fingerprint);
  const usual = byWords(named, fingerprint);
  return [
    ...(name === target.name ? usual : [...attributeLocators, ...usual]),
    ...byContainer(named, fingerprint),
    ...(name === target.name ? attributeLocators : []),
    ...(ROLES.has(target.role) || name === '' ? [] : [byName(named)]),
    ...(ROLES.has(target.role) && name === '' ? [{ by: 'role', value: target.role } as const] : []),
    ...(fingerprint.xpath.includes('//') ? [{ by: 'selector', value: tagOf(fingerprint) } as const] : []),
  ];
}

function byWords(target: LocatableElement, fingerprint: Fingerprint): readonly OwnLocating[] {
  const named = byName(target);
  const ofRole = named.by === 'role' ? [named] : [];
  const hasLabel = target.name !== '' && !NAMED_BY_CONTENT.has(target.role);
  const label: OwnLocating[] = hasLabel ? [{ by: 'label', value: target.name }] : [];
  return [
    ...(isTypedUnlike(fingerprint) ? [...label, ...ofRole] : [...ofRole, ...label]),
    ...attribute(fingerprint.attributes['data-testid'], (value) => ({ by: 'testid', value })),
  ];
}

/** Returns locators by role and name within a row, item or section. */
function byContainer(target: LocatableElement, { row, sections, isTitled }: Fingerprint): readonly OwnLocating[] {
  const named = byName(target);
  if (named.by !== 'role') return [];
  const nearbyTexts = [...(isTitled ? sections.slice(0, 1) : []), ...row, ...sections].slice(0, MAX_TEXTS);
  return nearbyTexts.flatMap((hasText) => CONTAINERS.map((role) => ({ ...named, within: { role, hasText } })));
}

function byAttributes(fingerprint: Fingerprint): readonly OwnLocating[] {
  const { attributes } = fingerprint;
  const selectors = ['id', 'name', 'href'].flatMap((name) =>
    attribute(attributes[name], (value) => ({
      by: 'selector',
      value: `${name === 'href' ? tagOf(fingerprint) : ''}${attributeSelector(name, value)}`,
    })),
  );
  return [
    ...attribute(attributes['placeholder'], (value) => ({ by: 'placeholder', value })),
    ...attribute(attributes['title'], (value) => ({ by: 'title', value })),
    ...selectors,
  ];
}

function attribute(value: string | undefined, locating: (value: string) => OwnLocating): OwnLocating[] {
  return value === undefined || value === '' ? [] : [locating(value)];
}

function attributeSelector(name: string, value: string): string {
  return `[${name}=${JSON.stringify(value)}]`;
}

/**
 * Returns the tag at the end of the XPath. Scripts find elements in shadow roots by tag, because XPath does not enter
 * them.
 */
function tagOf({ xpath }: Fingerprint): string {
  return /([a-z][\w-]*)(?:\[\d+\])?$/.exec(xpath)?.[1] ?? '*';
}

function byXPath({ xpath }: Fingerprint): OwnLocating {
  return { by: 'selector', value: `xpath=${xpath}` };
}

/** Returns the selectors of all frame elements on the way to this frame, outermost first. */
export async function framesAround(frame: FrameNode): Promise<readonly string[]> {
  const inner = [...frame.lineage()].filter((one) => one.parent).toReversed();
  return Promise.all(inner.map(frameSelector));
}

async function frameSelector(frame: FrameNode): Promise<string> {
  const world = await frame.parent?.worlds.isolated;
  await frame.adopted;
  const owner = await world?.call('describeOwner', frame.id);
  if (!world || !owner) return 'iframe';
  const tag = /^<([a-z]+)/.exec(owner.tag)?.[1] ?? 'iframe';
  const selectors = [...(await namedFrame(world, { frame, owner, tag })), tag];
  const { index, nth, count } = (await world.call('firstFinding', owner.ref, selectors)) ?? NOT_FOUND;
  const selector = selectors.at(index) ?? tag;
  return count === 1 ? selector : `${selector} >> nth=${nth}`;
}

/** The frame element has left the page. */
const NOT_FOUND: Finding = { index: -1, nth: 0, count: 0 };

interface OwnedFrame {
  readonly frame: FrameNode;
  readonly owner: ElementDescription;
  readonly tag: string;
}

/** Returns selectors by name, title and ID, best first. */
async function namedFrame(world: World, { frame, owner, tag }: OwnedFrame): Promise<readonly string[]> {
  const [fingerprint] = await world.call('fingerprints', [owner.ref], 'alone');
  const { name = frame.name, title = owner.name, id = '' } = fingerprint?.attributes ?? {};
  const known = [
    ['name', name],
    ['title', title],
    ['id', id],
  ] as const;
  return known.filter(([, value]) => value !== '').map(([by, value]) => tag + attributeSelector(by, value));
}
