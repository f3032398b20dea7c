import { DriverElementNotFoundError, DriverInvalidArgumentError } from '../errors.ts';
import type { ProposedAction } from '../model/model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';
import type { Step } from '../verb/perform-step.ts';
import { refXPaths } from '../verb/ref-xpaths.ts';
import type { ActCall } from './act-call.ts';

/** The step that a model's proposal means on the page that it was shown. */
export async function proposedStep(
  { progress, context }: ActCall,
  proposed: ProposedAction,
  snapshot: Snapshot,
): Promise<Step> {
  const { ref, method, description } = proposed;
  const place = snapshot.refs.get(ref);
  if (!place) throw new DriverInvalidArgumentError(`The ref ${ref} does not stand in the page.`, { argument: 'ref' });
  const { frame, world } = place;
  const args = method === 'dragAndDrop' ? await dropTargetPath(progress, proposed, snapshot) : proposed.arguments;
  return {
    target: {
      frame,
      world,
      element: { ref: place.ref },
      label: `${ref} (${place.role} ${JSON.stringify(place.name)})`,
    },
    method,
    arguments: args,
    description,
    isIdentified: context.cache !== undefined,
  };
}

async function dropTargetPath(
  progress: Progress,
  proposed: ProposedAction,
  snapshot: Snapshot,
): Promise<readonly string[]> {
  const goal = snapshot.refs.get(proposed.arguments[0] ?? '');
  if (!goal) return proposed.arguments;
  const xpath = (await refXPaths(progress, [goal])).get(goal);
  if (xpath === undefined)
    throw new DriverElementNotFoundError(
      `The element to drop on (${goal.role} ${JSON.stringify(goal.name)}) has left the page.`,
      { selectors: [] },
    );
  return [`xpath=${xpath}`];
}
