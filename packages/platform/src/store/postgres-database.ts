import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { PlatformError } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import { Reachability } from '../reachability.ts';
import { checkVersion, migrations } from './schema.ts';
import type { SqlDatabase, SqlInput, SqlRow } from './sql-database.ts';

/** Connections of one server. */
const MAX_CONNECTIONS = 10;
const CONNECT_MS = 5000;
const ANSWER_MS = 15_000;
/** A database that is restarted is back within this time, and nobody but the clock saw that it was away. */
const PATIENCE_MS = 10_000;
/** Nothing says when it is back. */
const PAUSE_MS = 200;
/** Any number, the same for all servers: who holds the lock of this number changes the tables. */
const MIGRATION_LOCK = 4_600_001;

/** What the system or the database says when a connection cannot be had, or was lost: it is away, starts, stops, or is full. */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  '08000',
  '08001',
  '08003',
  '08006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);
/** The client tells these by words alone. */
const PASSING_WORDS = /Connection terminated|timeout exceeded when trying to connect/;

/** A database that many servers share: PostgreSQL. What it is asked may be asked twice when a connection is lost in between. */
export class PostgresDatabase implements SqlDatabase {
  readonly clock = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';
  readonly isShared = true;
  readonly state: Reachability;
  readonly #pool: Pool;
  readonly #numberedBySql = new Map<string, NumberedStatement>();

  private constructor(url: string, log: PlatformLog) {
    this.#pool = new Pool({
      connectionString: url,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      application_name: 'pagechauffeur-platform',
    });
    this.state = new Reachability(log, 'postgres');
    // Of connections that nobody uses; the next query opens another, or tells that it cannot.
    this.#pool.on('error', () => undefined);
  }

  /** Connects, and brings the tables to this server's version. */
  static async open(url: string, log: PlatformLog): Promise<PostgresDatabase> {
    const database = new PostgresDatabase(url, log);
    try {
      await database.#patiently(() => database.#migrate());
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  textsOf(json: string): string {
    return `SELECT json_array_elements_text(CAST(${json} AS JSON))`;
  }

  async query(sql: string, values: Readonly<Record<string, SqlInput>> = {}): Promise<readonly SqlRow[]> {
    const { text, names } = this.#numbered(sql);
    const list = names.map((name) => storable(values[name] ?? null));
    const { rows } = await this.#patiently(() => this.#pool.query<SqlRow>(text, list));
    return rows;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #migrate(): Promise<void> {
    const client = await this.#pool.connect();
    let failure: unknown;
    try {
      await client.query('BEGIN');
      await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await takeMissingSteps(client);
      await client.query('COMMIT');
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // One in the middle of a transaction is of no more use.
      client.release(failure !== undefined);
    }
  }

  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        const answer = await ask();
        this.state.reached();
        return answer;
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.state.missed(error);
        if (performance.now() > end)
          throw new PlatformError('unavailable', 'The platform’s database is away. Try again in a moment.', {
            retryAfter: 1,
            cause: error,
          });
        await pause(PAUSE_MS);
      }
    }
  }

  #numbered(sql: string): NumberedStatement {
    const known = this.#numberedBySql.get(sql);
    if (known) return known;
    const numbered = numberValues(sql);
    this.#numberedBySql.set(sql, numbered);
    return numbered;
  }
}

interface NumberedStatement {
  readonly text: string;
  /** The values' names in the order of their numbers. */
  readonly names: readonly string[];
}

/** `:name` becomes `$1`, and each name keeps its number. */
function numberValues(sql: string): NumberedStatement {
  const names: string[] = [];
  const text = sql.replaceAll(/:([a-z]\w*)/gi, (_all, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

async function takeMissingSteps(client: PoolClient): Promise<void> {
  const steps = migrations({
    integer: 'BIGINT',
    numbered: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
    end: '',
  });
  await client.query('CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)');
  const { rows } = await client.query<SqlRow>('SELECT version FROM schema_version');
  const version = checkVersion(Number(rows[0]?.['version'] ?? 0), steps);
  for (const step of steps.slice(version)) await client.query(step);
  await client.query('DELETE FROM schema_version');
  await client.query('INSERT INTO schema_version (version) VALUES ($1)', [steps.length]);
}

/** The one character that PostgreSQL has no place for. */
function storable(value: SqlInput): SqlInput {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return PASSING_CODES.has('code' in error ? error.code : undefined) || PASSING_WORDS.test(error.message);
}
