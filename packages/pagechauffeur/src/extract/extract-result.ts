import type { CacheStatus } from '../verb/verb-context.ts';

/**
 * The extracted data. With `env: 'REMOTE'` and `serverCache`, objects also have a `cacheStatus`, unless the schema has
 * a field of that name. Arrays, scalars and dates have none.
 */
export type ExtractResult<Data> = unknown extends Data
  ? Data
  : Data extends Closed
    ? Data
    : 'cacheStatus' extends keyof Data
      ? Data
      : Flat<Data> extends Data
        ? Flat<Data & { readonly cacheStatus?: CacheStatus }>
        : // Flattening would lose the private fields of class instances.
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
