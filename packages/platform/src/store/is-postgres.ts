export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:/.test(database);
}
