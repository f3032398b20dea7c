import { DocumentGoneError } from '../../cdp/protocol-error.ts';
import type { NamedElement, ToolContext } from '../../tools/tool-context.ts';
import { fingerprintDetail } from '../../verb/perform-step.ts';
import { refFingerprints } from '../../replay/ref-fingerprints.ts';
import { pageText } from '../../util/placeholders.ts';
import { normalizedFrameUrl, maskedFingerprint, type StoredElement } from '../../replay/stored-step.ts';
import { refXPaths } from '../../snapshot/xpaths.ts';
import { findLocating, type LocatableElement } from '../script/find-locating.ts';
import type { Locating } from '../script/locating.ts';

/** Locators and fingerprints that are read before the action, because it can change or remove the elements. */
export interface StepNotes {
  readonly locating?: Locating;
  /** The drop target of a drag. */
  readonly goal?: GoalNotes;
}

interface GoalNotes {
  readonly selector: string;
  readonly locating: Locating | undefined;
  readonly element: StoredElement;
}

export async function readElements(
  context: ToolContext,
  { ref, to }: Readonly<Record<string, unknown>>,
): Promise<StepNotes> {
  const [place, goalElement] = [locatableByRef(context, ref), locatableByRef(context, to)];
  const [locating, goal] = await Promise.all([
    place && findLocating(context.progress, place),
    goalElement && readGoal(context, goalElement),
  ]);
  const { mask } = context.verbs;
  return { ...(locating && { locating: masked(locating, mask) }), ...(goal && { goal }) };
}

function locatableByRef(context: ToolContext, ref: unknown): LocatableElement | undefined {
  const named = typeof ref === 'string' ? context.element(ref) : undefined;
  return named && toLocatable(named);
}

function toLocatable({ target: { frame, world, element }, role, name }: NamedElement): LocatableElement | undefined {
  return world && 'ref' in element ? { frame, world, ref: element.ref, role, name } : undefined;
}

async function readGoal({ progress, verbs }: ToolContext, place: LocatableElement): Promise<GoalNotes | undefined> {
  try {
    const [fingerprints, xpaths, locating] = await Promise.all([
      refFingerprints(progress, [place], fingerprintDetail(verbs)),
      refXPaths(progress, [place]),
      findLocating(progress, place),
    ]);
    const [fingerprint, xpath] = [fingerprints.get(place), xpaths.get(place)];
    if (!fingerprint || xpath === undefined) return undefined;
    const frame = place.frame.parent ? normalizedFrameUrl(place.frame.url) : '';
    const element = { frame, fingerprint: maskedFingerprint(fingerprint, verbs.mask) };
    return { selector: `xpath=${xpath}`, locating: locating && masked(locating, verbs.mask), element };
  } catch (error) {
    if (error instanceof DocumentGoneError) return undefined;
    throw error;
  }
}

function masked({ within, value, name, frames, ...rest }: Locating, mask: (text: string) => string): Locating {
  const kept = (text: string): string => mask(pageText(text));
  return {
    ...rest,
    frames: frames.map(kept),
    value: kept(value),
    ...(name !== undefined && { name: kept(name) }),
    ...(within && { within: { ...within, hasText: kept(within.hasText) } }),
  };
}
