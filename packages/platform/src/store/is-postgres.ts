/** Whether a database is one that many servers share. */
export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:/.test(database);
}
