import { frameXPath } from '../page/action/frame-xpath.ts';
import type { RefTarget } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';

/** The absolute XPath of an element of a snapshot, from the main frame on; `''` when it has left the page. */
export async function refXPath(progress: Progress, { frame, world, ref }: RefTarget): Promise<string> {
  const [prefix, element] = await Promise.all([frameXPath(progress, frame), progress.race(world.call('describe', { ref }))]);
  return element ? prefix + element.xpath : '';
}
