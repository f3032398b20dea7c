import type { FrameNode } from '../cdp/frame-node.ts';
import type { Progress } from '../util/progress.ts';

/** Joins the XPaths of all frame elements from the main frame to this one. Returns `''` for the main frame. */
export async function frameXPath(progress: Progress, frame: FrameNode): Promise<string> {
  const chain: FrameNode[] = [];
  for (let current: FrameNode | null = frame; current?.parent; current = current.parent) chain.unshift(current);
  const steps = await progress.race(Promise.all(chain.map(ownerXPath)));
  return steps.join('');
}

async function ownerXPath(frame: FrameNode): Promise<string> {
  const [world] = await Promise.all([frame.parent?.worlds.isolated, frame.adopted]);
  const owner = await world?.call('describeOwner', frame.id);
  return owner?.xpath ?? '';
}
