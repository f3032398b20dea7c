import type { Dialect } from './dialect.ts';

export function recordTables({ integer, numbered, end }: Dialect): string {
  return `CREATE TABLE session_events (
      number ${numbered},
      session_id TEXT NOT NULL,
      time ${integer} NOT NULL,
      body TEXT NOT NULL
    ) ${end};
    CREATE INDEX session_events_by_session ON session_events (session_id, number);
    CREATE TABLE session_files (
      session_id TEXT NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      size ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (session_id, name)
    ) ${end}`;
}
