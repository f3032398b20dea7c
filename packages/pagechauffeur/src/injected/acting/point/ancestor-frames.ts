import type { AncestorMapping, FrameStep, OwnerPoint, OwnerQuestion, Point } from '../../contract.ts';
import { locate } from '../../selector/locate.ts';
import { elementOfRef } from '../../refs.ts';
import { localParent, scrollAndMapThroughFrame } from './owner-frames.ts';
import { askParent } from './ancestor-messages.ts';

type ReadyPoint = Extract<OwnerPoint, { kind: 'ready' }>;

/**
 * Extends the trail beyond the last document that this program can access. Stops at the first ancestor that does not
 * respond.
 */
export async function mapTrailToAncestors(found: ReadyPoint, request: AncestorMapping): Promise<ReadyPoint | Blocked> {
  const last = found.trail.at(-1);
  const beyond = last ? await mapToAncestors(last, request) : null;
  if (beyond?.kind === 'blocked') return beyond;
  return beyond?.kind === 'ready' ? { ...found, trail: [...found.trail, ...beyond.trail] } : found;
}

type Blocked = Extract<OwnerPoint, { kind: 'blocked' }>;

/**
 * `point` is in the viewport of the topmost accessible parent. Returns the points in the viewports above it, or null if
 * the next document does not respond.
 */
export async function mapToAncestors(
  point: Point,
  { mustReceive, nonces }: AncestorMapping,
): Promise<OwnerPoint | null> {
  const [nonce = '', ...further] = nonces;
  const above = localParent();
  if (above) return above.program.mapToAncestors(point, { mustReceive, nonces: further });
  if (parent === window) return { kind: 'ready', trail: [] };
  if (nonce === '') return null;
  // The parent runs `answerFrame`, which returns this type for `carry`.
  return (await askParent(nonce, {
    kind: 'carry',
    point,
    mustReceive,
    nonces: further,
  })) as OwnerPoint | null;
}

/** True if the frame path still leads to this frame. Each ancestor document checks its own step. */
export async function verifyFramePath(steps: readonly FrameStep[], nonces: readonly string[]): Promise<boolean> {
  if (steps.length === 0) return true;
  const [nonce = '', ...further] = nonces;
  const above = localParent();
  if (above) return above.program.leadsInto(above.frameElement, steps, further);
  if (nonce === '') return false;
  return (await askParent(nonce, { kind: 'lead', steps, nonces: further })) === true;
}

/** True if the last step matches `frameElement` in this document, and the steps before it lead to this document. */
export async function leadsInto(
  frameElement: object,
  steps: readonly FrameStep[],
  nonces: readonly string[],
): Promise<boolean> {
  const step = steps.at(-1);
  return step !== undefined && leads(step, frameElement) && verifyFramePath(steps.slice(0, -1), nonces);
}

function leads({ rest, ...target }: FrameStep, frameElement: object): boolean {
  const located = locate(target);
  if (located.kind !== 'missing' || located.answer.kind !== 'frame') return false;
  return located.answer.rest === rest && elementOfRef(located.answer.ref) === frameElement;
}

/** Runs in the parent when a child frame that cannot access it, such as a cross-origin one, sends a request. */
export async function answerFrame(frameElement: Element, question: OwnerQuestion): Promise<OwnerPoint | boolean> {
  const { nonces } = question;
  if (question.kind === 'lead') return leadsInto(frameElement, question.steps, nonces);
  const { point, mustReceive } = question;
  const mapped = scrollAndMapThroughFrame(frameElement, point, mustReceive);
  return mapped.kind === 'ready' ? mapTrailToAncestors(mapped, { mustReceive, nonces }) : mapped;
}
