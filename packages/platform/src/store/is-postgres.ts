/** True for a database that several servers share. */
export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:/.test(database);
}
