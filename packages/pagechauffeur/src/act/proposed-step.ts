import { DriverElementNotFoundError, DriverInvalidArgumentError } from '../errors.ts';
import type { ProposedAction } from '../model/model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { fingerprintDetail, type Step } from '../verb/perform-step.ts';
import { refFingerprints } from '../replay/ref-fingerprints.ts';
import { normalizedFrameUrl, type StoredElement } from '../replay/stored-step.ts';
import { refXPaths } from '../snapshot/xpaths.ts';
import type { ActCall } from './act-call.ts';

/** Converts a proposal to a step. `snapshot` must contain its ref. */
export async function proposedStep(call: ActCall, proposed: ProposedAction, snapshot: Snapshot): Promise<Step> {
  const { ref, method, description } = proposed;
  const place = snapshot.refs.get(ref);
  if (!place) throw new DriverInvalidArgumentError(`The ref ${ref} is not on the page.`, { argument: 'ref' });
  const { frame, world } = place;
  const drop = method === 'dragAndDrop' ? await dropOf(call, proposed, snapshot) : undefined;
  return {
    target: {
      frame,
      world,
      element: { ref: place.ref },
      label: `${ref} (${place.role} ${JSON.stringify(place.name)})`,
    },
    method,
    arguments: drop ? [drop.selector] : proposed.arguments,
    description,
    goal: drop?.goal,
  };
}

interface Drop {
  readonly selector: string;
  /** For the cache. */
  readonly goal: StoredElement | undefined;
}

async function dropOf(
  { progress, context }: ActCall,
  proposed: ProposedAction,
  snapshot: Snapshot,
): Promise<Drop | undefined> {
  const goal = snapshot.refs.get(proposed.arguments[0] ?? '');
  if (!goal) return undefined;
  const [xpaths, fingerprints] = await Promise.all([
    refXPaths(progress, [goal]),
    refFingerprints(progress, [goal], fingerprintDetail(context)),
  ]);
  const [xpath, fingerprint] = [xpaths.get(goal), fingerprints.get(goal)];
  if (xpath === undefined)
    throw new DriverElementNotFoundError(
      `The drop target (${goal.role} ${JSON.stringify(goal.name)}) is no longer on the page.`,
      { selectors: [] },
    );
  const frame = goal.frame.parent ? normalizedFrameUrl(goal.frame.url) : '';
  return { selector: `xpath=${xpath}`, goal: fingerprint && { frame, fingerprint } };
}
