import type { Page } from 'playwright-core';
import type { Leaf, ReachRecorder, Spot } from './recorder-types.ts';
import type { Trials } from './trials.ts';

declare const reachRecorder: ReachRecorder;

/** So many elements of a page are tried, and so many refs. */
const SAMPLE_SIZE = 40;
/** Of elements of one kind, such as days of a calendar, so many are tried. */
const MOST_OF_A_KIND = 2;

/** A box on the page that has a ref, and what it is called. */
export interface RefBox {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What reacts on a page as one: an element and all around it that does the same. */
export interface Unit {
  readonly leaf: Leaf;
  readonly reaction: string;
}

/** How much of what reacts has a ref, and how many refs react. */
export interface Reach {
  readonly units: number;
  readonly missed: readonly string[];
  readonly refs: number;
  readonly idle: readonly string[];
}

/** The reacting units among sampled elements of a page. */
export async function reactingUnits(trials: Trials): Promise<{ units: readonly Unit[]; neutral: string }> {
  const leaves = sample(await trials.leaves(), ({ kind }) => kind);
  const background = leaves.map(({ around }) => around.at(-1)).find((spot) => spot !== undefined);
  const neutral = background ? await trials.reaction(background) : '';
  const units = new Map<string, Unit>();
  for (const leaf of leaves) {
    const reaction = await trials.reaction(leaf);
    if (reaction === neutral || reaction === '') continue;
    let outermost: Spot = leaf;
    for (const spot of leaf.around) {
      if ((await trials.reaction(spot)) !== reaction) break;
      outermost = spot;
    }
    units.set(outermost.path, { leaf, reaction });
  }
  return { units: [...units.values()], neutral };
}

/** Compares the refs that a library gave with what reacts. */
export async function reachOf(
  trials: Trials,
  { units, neutral }: Awaited<ReturnType<typeof reactingUnits>>,
  boxes: readonly RefBox[],
): Promise<Reach> {
  const page = await trials.load();
  const spotOf = (box: RefBox): Promise<Spot | null> => hitOf(page, box);
  const missed: string[] = [];
  for (const { leaf, reaction } of units) {
    if (!(await isReached({ leaf, reaction }, boxes, { trials, spotOf }))) missed.push(`${leaf.kind} ${leaf.path}`);
  }
  const idle: string[] = [];
  let refs = 0;
  for (const box of sample(boxes, ({ label }) => label)) {
    const spot = await spotOf(box);
    if (!spot) continue;
    refs += 1;
    const reaction = await trials.reaction(spot);
    if (reaction === '' || reaction === neutral) idle.push(`${box.label} ${spot.path}`);
  }
  await page.close();
  return { units: units.length, missed, refs, idle };
}

interface Means {
  readonly trials: Trials;
  readonly spotOf: (box: RefBox) => Promise<Spot | null>;
}

/** Whether a ref leads to what reacts: a click on its centre does the same. */
async function isReached(
  { leaf, reaction }: Unit,
  boxes: readonly RefBox[],
  { trials, spotOf }: Means,
): Promise<boolean> {
  const around = boxes.filter((box) => holds(box, leaf)).toSorted((one, other) => areaOf(one) - areaOf(other));
  for (const box of around.slice(0, 3)) {
    const spot = await spotOf(box);
    if (spot && (spot.path === leaf.path || (await trials.reaction(spot)) === reaction)) return true;
  }
  return false;
}

function hitOf(page: Page, { x, y, width, height }: RefBox): Promise<Spot | null> {
  const centre = { x: x + width / 2, y: y + height / 2 };
  return page.evaluate((point) => reachRecorder.spotAt(point.x, point.y), centre);
}

function holds({ x, y, width, height }: RefBox, point: Spot): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
}

function areaOf({ width, height }: RefBox): number {
  return width * height;
}

/** Some of all, not too many of one kind, evenly spread. */
function sample<T>(all: readonly T[], kindOf: (one: T) => string): T[] {
  const countByKind = new Map<string, number>();
  const varied = all.filter((one) => {
    const kind = kindOf(one).replace(/\d+/g, '#');
    const count = (countByKind.get(kind) ?? 0) + 1;
    countByKind.set(kind, count);
    return count <= MOST_OF_A_KIND;
  });
  const step = Math.max(1, varied.length / SAMPLE_SIZE);
  return Array.from(
    { length: Math.min(varied.length, SAMPLE_SIZE) },
    (_, index) => varied[Math.floor(index * step)],
  ).filter((one) => one !== undefined);
}
