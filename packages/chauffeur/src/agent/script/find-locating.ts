import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { FrameNode } from '../../cdp/frame-node.ts';
import type { World } from '../../cdp/world.ts';
import type { Fingerprint } from '../../injected/contract.ts';
import type { Progress } from '../../util/progress.ts';
import { type Locating, selectorOf } from './locating.ts';

/** An element as a model named it. */
export interface NamedPlace {
  readonly frame: FrameNode;
  readonly world: World;
  readonly ref: number;
  readonly role: string;
  readonly name: string;
}

/** How a script finds an element that is in the page now; undefined when it is not any more. */
export async function findLocating(progress: Progress, place: NamedPlace): Promise<Locating | undefined> {
  const { world, ref, frame } = place;
  try {
    const [[fingerprint], frames, byRole] = await progress.race(
      Promise.all([world.call('fingerprints', [ref], 'alone'), framesAround(frame), matchesOf(world, byName(place))]),
    );
    if (!fingerprint) return undefined;
    const isAlone = byRole.length === 1 && byRole[0] === ref && !isTypedUnlike(fingerprint);
    const found = isAlone ? byName(place) : await progress.race(strongest(place, fingerprint));
    return { ...found, frames };
  } catch (error) {
    if (error instanceof DocumentGoneError) return undefined;
    throw error;
  }
}

type OwnLocating = Omit<Locating, 'frames'>;

/** Roles that pages give, and that other libraries know by the same name. */
const ROLES: ReadonlySet<string> = new Set(
  (
    'alert alertdialog article button cell checkbox columnheader combobox dialog figure form grid gridcell group heading img link list listbox listitem ' +
    'menu menubar menuitem menuitemcheckbox menuitemradio meter navigation option progressbar radio radiogroup region row rowheader scrollbar ' +
    'searchbox slider spinbutton switch tab table tablist tabpanel textbox toolbar tree treegrid treeitem'
  ).split(' '),
);

/** Fields to which not everybody gives the same role. */
const UNLIKE = /^(password|file|color|date|time|month|week|datetime-local)$/i;

function isTypedUnlike({ attributes }: Fingerprint): boolean {
  return UNLIKE.test(attributes['type'] ?? '');
}

function byName({ role, name }: Pick<NamedPlace, 'role' | 'name'>): OwnLocating {
  return ROLES.has(role) && name !== '' ? { by: 'role', value: role, name } : { by: 'text', value: name };
}

/** Ways to find an element that are tried at once: each goes through the whole document, and the first ones mostly do. */
const TRIED_AT_ONCE = 3;

/** The first of all ways to find it that finds it alone; else the first that finds it among others. */
async function strongest(place: NamedPlace, fingerprint: Fingerprint): Promise<OwnLocating> {
  const { world, ref } = place;
  const candidates = candidatesFor(place, fingerprint);
  let among: OwnLocating | undefined;
  for (let start = 0; start < candidates.length; start += TRIED_AT_ONCE) {
    const tried = candidates.slice(start, start + TRIED_AT_ONCE);
    const found = await Promise.all(
      tried.map(async (candidate) => ({ candidate, refs: await matchesOf(world, candidate) })),
    );
    const matching = found.filter(({ refs }) => refs.includes(ref));
    const alone = matching.find(({ refs }) => refs.length === 1);
    if (alone) return alone.candidate;
    const [first] = matching;
    if (first) among ??= { ...first.candidate, nth: first.refs.indexOf(ref) };
  }
  return among ?? byXPath(fingerprint);
}

/** Roles whose name is their own text; to look for a label of theirs is long in vain. */
const NAMED_BY_CONTENT: ReadonlySet<string> = new Set(
  'button cell columnheader gridcell heading link menuitem option row rowheader tab treeitem'.split(' '),
);
/** Rows and items that tell elements of one name apart. */
const HOLDERS = ['row', 'listitem', 'article', 'group', 'dialog'] as const;
/** Of a row's texts so many are tried. */
const MOST_TEXTS = 3;

function candidatesFor(place: NamedPlace, fingerprint: Fingerprint): readonly OwnLocating[] {
  const { attributes, row, sections, isTitled } = fingerprint;
  const { name, role: ownRole } = place;
  const named = byName(place);
  const isRole = named.by === 'role';
  const label: OwnLocating[] = name === '' || NAMED_BY_CONTENT.has(ownRole) ? [] : [{ by: 'label', value: name }];
  const around = [...(isTitled ? sections.slice(0, 1) : []), ...row, ...sections].slice(0, MOST_TEXTS);
  const inside = around.flatMap((hasText) => HOLDERS.map((role) => ({ ...named, within: { role, hasText } })));
  const usual = isTypedUnlike(fingerprint)
    ? [...label, ...(isRole ? [named] : [])]
    : [...(isRole ? [named] : []), ...label];
  return [
    ...usual,
    ...attribute(attributes['data-testid'], (value) => ({ by: 'testid', value })),
    ...(isRole ? inside : []),
    ...attribute(attributes['placeholder'], (value) => ({ by: 'placeholder', value })),
    ...attribute(attributes['title'], (value) => ({ by: 'title', value })),
    ...attribute(attributes['id'], (value) => ({ by: 'selector', value: attributeSelector('id', value) })),
    ...attribute(attributes['name'], (value) => ({ by: 'selector', value: attributeSelector('name', value) })),
    ...(isRole || name === '' ? [] : [named]),
    ...(ROLES.has(ownRole) && name === '' ? [{ by: 'role', value: ownRole } as const] : []),
    ...(fingerprint.xpath.includes('//') ? [{ by: 'selector', value: tagOf(fingerprint) } as const] : []),
  ];
}

function attribute(value: string | undefined, locating: (value: string) => OwnLocating): OwnLocating[] {
  return value === undefined || value === '' ? [] : [locating(value)];
}

function attributeSelector(name: string, value: string): string {
  return `[${name}=${JSON.stringify(value)}]`;
}

/** Tags find elements in shadow roots too, where paths do not lead. */
function tagOf({ xpath }: Fingerprint): string {
  return /([a-z][\w-]*)(?:\[\d+\])?$/.exec(xpath)?.[1] ?? '*';
}

function byXPath({ xpath }: Fingerprint): OwnLocating {
  return { by: 'selector', value: `xpath=${xpath}` };
}

/** All that a way to find it finds in a document. */
async function matchesOf(world: World, locating: OwnLocating): Promise<readonly number[]> {
  if (locating.value === '') return [];
  const found = await world.call('resolveAll', selectorOf({ ...locating, frames: [] }));
  return 'kind' in found ? [] : found;
}

/** Selectors of the frame elements around a document, the outermost first. */
async function framesAround(frame: FrameNode): Promise<readonly string[]> {
  const inner = [...frame.lineage()].filter((one) => one.parent).toReversed();
  return Promise.all(inner.map(frameSelector));
}

async function frameSelector(frame: FrameNode): Promise<string> {
  const world = await frame.parent?.worlds.isolated;
  await frame.adopted;
  const owner = await world?.call('describeOwner', frame.id);
  if (!world || !owner) return 'iframe';
  const named = [
    ...(frame.name === '' ? [] : [frameBy('name', frame.name)]),
    ...(owner.name === '' ? [] : [frameBy('title', owner.name)]),
  ];
  const found = await Promise.all(
    [...named, FRAMES].map((selector) => matchesOf(world, { by: 'selector', value: selector })),
  );
  const alone = named.find((_selector, index) => found[index]?.length === 1 && found[index]?.[0] === owner.ref);
  return alone ?? `${FRAMES} >> nth=${found.at(-1)?.indexOf(owner.ref) ?? 0}`;
}

const FRAMES = 'iframe, frame';

function frameBy(name: string, value: string): string {
  return `iframe[${name}=${JSON.stringify(value)}]`;
}
