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

/** Rows that are not built, with the reason; the tests that name them show what a user gets instead. */
export const NOT_IN_THIS_VERSION: Readonly<Record<string, string>> = {};
