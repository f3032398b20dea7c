import { DriverInvalidArgumentError } from '../errors.ts';
import { checkSnapshotOptions } from '../snapshot/check-snapshot-options.ts';
import type { SnapshotOptions } from '../snapshot/snapshot.ts';
import { checkFlag, checkOptions, describeValue } from '../util/check-argument.ts';
import { checkLimits } from '../util/progress.ts';
import type { InstructionOptions } from './verb-context.ts';

/** All options that verbs have in common. */
type AnyVerbOptions = InstructionOptions & SnapshotOptions & { readonly screenshot?: boolean };

/** Throws if an option of a verb is invalid. Runs before the call does anything. */
export function checkVerbOptions(options: AnyVerbOptions): void {
  checkOptions(options);
  checkSnapshotOptions(options);
  checkLimits({ timeout: options.timeout, signals: [options.signal] });
  checkFlag('serverCache', options.serverCache);
  checkFlag('screenshot', options.screenshot);
  checkOptions(options.variables, 'variables');
  const { model } = options;
  if (model === undefined || typeof model === 'string' || (typeof model === 'object' && model !== null)) return;
  throw new DriverInvalidArgumentError(
    `model must be "provider/model" or an object. Received ${describeValue(model)}.`,
    {
      argument: 'model',
    },
  );
}
