import type { CacheStatus } from '../verb/verb-context.ts';

/**
 * Extracted data. With `env: 'REMOTE'` and `serverCache`, an object also has a `cacheStatus`. Arrays, scalars and dates
 * have none. If the schema itself has a field of that name, the field keeps the value from the page.
 */
export type ExtractResult<Data> = unknown extends Data
  ? Data
  : Data extends Closed
    ? Data
    : 'cacheStatus' extends keyof Data
      ? Data
      : Flat<Data> extends Data
        ? Flat<Data & { readonly cacheStatus?: CacheStatus }>
        : // Leaves class instances with private fields unchanged.
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
