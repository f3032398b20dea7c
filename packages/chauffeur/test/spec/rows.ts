import { callParts } from './rows/calls.ts';
import { optionParts } from './rows/options.ts';
import type { SpecPart } from './rows/part.ts';
import { resultParts } from './rows/results.ts';
import { ruleParts } from './rows/rules.ts';

/** The interface row by row. A row's id is the part's name, a dot and the row's name: `act-options.timeout`. */
export const SPEC_PARTS: Readonly<Record<string, SpecPart>> = {
  ...callParts,
  ...optionParts,
  ...resultParts,
  ...ruleParts,
};

const CACHE = 'the platform keeps no answers yet';

/** Rows that are not built, with the reason; the tests that name them show what a user gets instead. */
export const NOT_IN_THIS_VERSION: Readonly<Record<string, string>> = {
  'driver-options.serverCache': `${CACHE}; for LOCAL the option has no effect, as it should`,
  'act-options.serverCache': `${CACHE}; for LOCAL the option has no effect, as it should`,
  'observe-options.serverCache': `${CACHE}; for LOCAL the option has no effect, as it should`,
  'extract-options.serverCache': `${CACHE}; for LOCAL the option has no effect, as it should`,
  'act-result.cacheStatus': `${CACHE}; a result for LOCAL does not have it, as it should`,
  'extract-result.cacheStatus': `${CACHE}; a result for LOCAL does not have it, as it should`,
};
