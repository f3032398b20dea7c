import type { Progress } from '../../util/progress.ts';
import type { InputPlace } from './pointer-route.ts';

/** Tells a process that what was dragged out of it is dropped; the browser tells the process where it was dropped alone. */
export async function endDragOf(progress: Progress, { session, point }: InputPlace): Promise<void> {
  const data = { items: [], dragOperationsMask: 0 };
  await progress.race(session.send('Input.dispatchDragEvent', { type: 'dragCancel', ...point, data }));
}
