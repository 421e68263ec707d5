/** The part of the log (pino) that the database writes to. */
export interface DatabaseLog {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}
