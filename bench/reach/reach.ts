import type { Page } from 'playwright-core';
import type { Box, Leaf, ReachRecorder, Spot } from './recorder-types.ts';
import type { Trials } from './trials.ts';

declare const reachRecorder: ReachRecorder;

/** Maximum number of elements and of refs to try per page. */
const SAMPLE_SIZE = 40;
/** Maximum number of elements of one kind to try, such as days of a calendar. */
const MAX_OF_A_KIND = 2;

/** The box of an element with a ref, and a text that describes it. */
export interface RefBox extends Box {
  readonly label: string;
}

/**
 * Two clicks with at least this share of common changes count as the same reaction. Ripples, carets and thumbs differ
 * with the position of the click inside one control.
 */
const SAME_SHARE = 0.5;

/** An element that reacts, together with elements around it that react in the same way. */
export interface Unit {
  readonly leaf: Leaf;
  readonly reaction: string;
}

export interface Reach {
  readonly units: number;
  readonly missed: readonly string[];
  readonly refs: number;
  readonly idle: readonly string[];
}

/** Clicks a sample of the page's elements and returns those that react. */
export async function reactingUnits(trials: Trials): Promise<{ units: readonly Unit[]; neutral: string }> {
  const leaves = sample(await trials.leaves(), ({ kind }) => kind);
  const background = await trials.background();
  const neutral = background ? await trials.reaction(background) : '';
  const units = new Map<string, Unit>();
  const addUnit = async (leaf: Leaf): Promise<void> => {
    const reaction = await trials.reaction(leaf);
    if (reaction === '' || isSame(reaction, neutral)) return;
    let outermost: Spot = leaf;
    for (const spot of leaf.around) {
      if (!isSame(await trials.reaction(spot), reaction)) break;
      outermost = spot;
    }
    units.set(outermost.path, { leaf, reaction });
  };
  await Promise.all(leaves.map(addUnit));
  return { units: [...units.values()], neutral };
}

/** Compares a library's refs with the elements that react. */
export async function reachOf(
  trials: Trials,
  { units, neutral }: Awaited<ReturnType<typeof reactingUnits>>,
  boxes: readonly RefBox[],
): Promise<Reach> {
  const spots = await trials.onLoadedPage((page) =>
    Promise.all(boxes.map(async (box) => [box, await hitOf(page, box)] as const)),
  );
  const refs = spots.flatMap(([box, spot]) => (spot ? [{ box, spot }] : []));
  const missed = await Promise.all(
    units.map(async (unit) =>
      (await isReached(unit, refs, trials)) ? [] : [`${unit.leaf.kind} ${unit.leaf.path}\n${unit.reaction}`],
    ),
  );
  const tried = sample(
    refs.filter(({ box }) => !DISABLED.test(box.label)),
    ({ box }) => box.label,
  );
  const idle = await Promise.all(
    tried.map(async ({ box, spot }) => {
      const reaction = await trials.reaction(spot);
      return reaction === '' || isSame(reaction, neutral) ? [`${box.label} ${spot.path}`] : [];
    }),
  );
  return { units: units.length, missed: missed.flat(), refs: tried.length, idle: idle.flat() };
}

/** A ref, and the element that a click on its center reaches. */
interface RefSpot {
  readonly box: RefBox;
  readonly spot: Spot;
}

/** Snapshots mark these refs as disabled, so they need not react. */
const DISABLED = /[([]disabled[)\]]/;

/** Ignores details that depend on the position of the click. */
function isSame(one: string, other: string): boolean {
  if (one === '' || other === '') return one === other;
  const [changes, others] = [one.split('\n'), new Set(other.split('\n'))];
  const common = changes.filter((change) => others.has(change)).length;
  return common >= SAME_SHARE * (changes.length + others.size - common);
}

/** How many refs around an element, and how many next to it, are clicked to find one with the same reaction. */
const CLICKED_REFS = 3;

/**
 * True if a click on a ref has the same reaction as a click on the unit. The ref may be next to it: a field can have an
 * arrow that opens its list. A label counts as reached by the ref of its control.
 */
async function isReached({ leaf, reaction }: Unit, refs: readonly RefSpot[], trials: Trials): Promise<boolean> {
  const { control } = leaf;
  if (control !== null && refs.some(({ box }) => isAt(box, control))) return true;
  const around = refs
    .filter(({ box }) => holds(box, leaf))
    .toSorted((one, other) => areaOf(one.box) - areaOf(other.box));
  const beside = refs
    .filter(({ box }) => !holds(box, leaf))
    .toSorted((one, other) => distance(one.box, leaf) - distance(other.box, leaf));
  const spots = [...around.slice(0, CLICKED_REFS), ...beside.slice(0, CLICKED_REFS)].map(({ spot }) => spot);
  for (const spot of spots) if (spot.path === leaf.path || isSame(await trials.reaction(spot), reaction)) return true;
  return isReachedByRepetition(leaf, spots, trials);
}

/** Clicks again, because transitions of other elements may have differed between the clicks. */
async function isReachedByRepetition(leaf: Leaf, spots: readonly Spot[], trials: Trials): Promise<boolean> {
  const reaction = await trials.repeatedReaction(leaf);
  if (reaction === '') return true;
  const reactions = await Promise.all(spots.map((spot) => trials.repeatedReaction(spot)));
  return reactions.some((other) => isSame(other, reaction));
}

function distance({ x, y, width, height }: Box, point: Spot): number {
  const across = Math.max(x - point.x, 0, point.x - x - width);
  const down = Math.max(y - point.y, 0, point.y - y - height);
  return Math.hypot(across, down);
}

function hitOf(page: Page, { x, y, width, height }: RefBox): Promise<Spot | null> {
  const centre = { x: x + width / 2, y: y + height / 2 };
  return page.evaluate((point) => reachRecorder.spotAt(point.x, point.y), centre);
}

function holds({ x, y, width, height }: RefBox, point: Spot): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
}

// The layouts of two loads may differ by fractions of a pixel.
function isAt(box: Box, other: Box): boolean {
  return (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(box[side] - other[side]) < 1);
}

function areaOf({ width, height }: Box): number {
  return width * height;
}

/** Limits elements of one kind, then picks evenly. */
function sample<T>(all: readonly T[], kindOf: (one: T) => string): T[] {
  const countByKind = new Map<string, number>();
  const varied = all.filter((one) => {
    const kind = kindOf(one).replace(/\d+/g, '#');
    const count = (countByKind.get(kind) ?? 0) + 1;
    countByKind.set(kind, count);
    return count <= MAX_OF_A_KIND;
  });
  const step = Math.max(1, varied.length / SAMPLE_SIZE);
  return Array.from(
    { length: Math.min(varied.length, SAMPLE_SIZE) },
    (_, index) => varied[Math.floor(index * step)],
  ).filter((one) => one !== undefined);
}
