import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { PlatformError } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';
import { Reachability } from '../reachability.ts';
import { checkVersion, migrations } from './schema.ts';
import type { SqlDatabase, SqlInput, SqlRow } from './sql-database.ts';

const MAX_CONNECTIONS = 10;
const CONNECT_MS = 5000;
const ANSWER_MS = 15_000;
/** How long to retry. A restarted database is back within this time. */
const TIMEOUT_MS = 10_000;
const PAUSE_MS = 200;
/** Id of an advisory lock, arbitrary but the same for all servers. Only its holder migrates the tables. */
const MIGRATION_LOCK = 4_600_001;

/** Error codes of a database that is down, starting, stopping or out of connections. */
const TEMPORARY_CODES: ReadonlySet<unknown> = new Set([
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
/** Messages of temporary errors for which `pg` has no code. */
const TEMPORARY_MESSAGES = /Connection terminated|timeout exceeded when trying to connect/;

/** PostgreSQL, which several servers can share. A query may run twice if its connection is lost. */
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
    // Emitted for idle connections. The next query opens a new connection or fails.
    this.#pool.on('error', () => undefined);
  }

  /** Connects to the database and runs the missing migrations. */
  static async open(url: string, log: PlatformLog): Promise<PostgresDatabase> {
    const database = new PostgresDatabase(url, log);
    try {
      await database.#withRetries(() => database.#migrate());
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
    const { rows } = await this.#withRetries(() => this.#pool.query<SqlRow>(text, list));
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
      // After an error, the connection may still be in the transaction, so the pool must not reuse it.
      client.release(failure !== undefined);
    }
  }

  async #withRetries<T>(ask: () => Promise<T>): Promise<T> {
    const end = performance.now() + TIMEOUT_MS;
    for (;;) {
      try {
        const answer = await ask();
        this.state.reached();
        return answer;
      } catch (error) {
        if (!isTemporary(error)) throw error;
        this.state.missed(error);
        if (performance.now() > end)
          throw new PlatformError('unavailable', 'The platform’s database is unreachable. Try again in a moment.', {
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
  /** `names[0]` is the parameter for `$1`. */
  readonly names: readonly string[];
}

/** Replaces `:name` with `$1`, `$2` and so on. Repeated names share a number. */
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

/** PostgreSQL cannot store U+0000 in text. */
function storable(value: SqlInput): SqlInput {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return TEMPORARY_CODES.has('code' in error ? error.code : undefined) || TEMPORARY_MESSAGES.test(error.message);
}
