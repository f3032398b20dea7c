import type { CacheStatus } from '../verb/verb-context.ts';

/**
 * Extracted data. An object may say besides where it came from, as `cacheStatus`: only with `env: 'REMOTE'` and `serverCache`. Arrays,
 * scalars, dates and the like have no room for it, and a field of that name in the schema stays the page's.
 */
export type ExtractResult<Data> = unknown extends Data
  ? Data
  : Data extends Closed
    ? Data
    : 'cacheStatus' extends keyof Data
      ? Data
      : Flat<Data> extends Data
        ? Flat<Data & { readonly cacheStatus?: CacheStatus }>
        : // An instance of a class with private fields stays what it is.
          Data;

type Closed =
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | readonly unknown[]
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | Date
  | ((...args: never[]) => unknown);

type Flat<Data> = { [Name in keyof Data]: Data[Name] };
