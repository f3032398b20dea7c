/** The server's log. Entries never contain secrets. */
export interface PlatformLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
