/** The server's log: facts and a message. Never contains secrets. */
export interface PlatformLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
