/** Where the server writes what happens: facts and a sentence. Secrets are never among them. */
export interface PlatformLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
