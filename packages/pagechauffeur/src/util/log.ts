import { createRequire } from 'node:module';
import { reasonOf } from './error-facts.ts';
import type { ValueMask } from './value-mask.ts';

/** How much a line matters: 0 always worth saying, 1 one line per step, 2 details for debugging. */
export type LogLevel = 0 | 1 | 2;

/** One event of the log. */
export interface LogLine {
  /** The part that speaks, such as `driver` or `act`; docs/logs.md lists them. */
  readonly category: string;
  readonly message: string;
  readonly level: LogLevel;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** Facts behind the message. */
  readonly auxiliary?: Readonly<Record<string, unknown>>;
}

/** Receives the log's lines. */
export type Logger = (line: LogLine) => void;

/** What decides where lines go and which. */
export interface LogSettings {
  readonly verbose: LogLevel;
  readonly logger: Logger | undefined;
  readonly disableLoggerBackend: boolean;
  /** Keeps values of variables out of every line. */
  readonly mask?: ValueMask;
}

/** One driver's log. Lines above the chosen verbosity are dropped; each other line goes to exactly one place. */
export class Log {
  readonly #verbose: LogLevel;
  readonly #sink: Logger | undefined;
  readonly #mask: ValueMask | undefined;
  #hasWarned = false;

  constructor({ verbose, logger, disableLoggerBackend, mask }: LogSettings) {
    this.#verbose = verbose;
    this.#mask = mask;
    this.#sink = logger ?? (disableLoggerBackend ? undefined : writeToStandardError());
  }

  /** Writes one line. */
  write(category: string, level: LogLevel, message: string, auxiliary?: Facts): void {
    if (level > this.#verbose || !this.#sink) return;
    const timestamp = new Date().toISOString();
    const masked = this.#mask?.mask(message) ?? message;
    try {
      this.#sink({
        category,
        message: masked,
        level,
        timestamp,
        ...(auxiliary ? { auxiliary: this.#masked(auxiliary) } : {}),
      });
    } catch (error) {
      this.#warnOnce(error);
    }
  }

  /** Numbers among the facts are the library's own counts and times. */
  #masked(facts: Facts): Facts {
    const mask = this.#mask;
    if (!mask || mask.isEmpty) return facts;
    return Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'number' ? fact : mask.maskData(fact)]),
    );
  }

  /** A logger that throws costs its line, not the call that wrote it. */
  #warnOnce(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`The logger of a Driver threw: ${reasonOf(error)}`, 'ChauffeurWarning');
  }
}

type Facts = Readonly<Record<string, unknown>>;

interface PinoLike {
  info(facts: object, message: string): void;
  debug(facts: object, message: string): void;
}

/** The default backend: pino on standard error, pretty on a terminal; loaded with the first line. */
function writeToStandardError(): Logger {
  let pino: PinoLike | undefined;
  return ({ category, message, level, auxiliary = {} }) => {
    pino ??= openPino();
    if (level === 2) pino.debug({ category, ...auxiliary }, message);
    else pino.info({ category, ...auxiliary }, message);
  };
}

function openPino(): PinoLike {
  const require = createRequire(import.meta.url);
  const pino = require('pino') as (options: object, stream: unknown) => PinoLike;
  return pino({ level: 'debug', base: undefined }, process.stderr.isTTY ? prettyStream(require) : process.stderr);
}

function prettyStream(require: NodeJS.Require): unknown {
  const pretty = require('pino-pretty') as (options: object) => unknown;
  return pretty({
    destination: 2,
    sync: true,
    ignore: 'category',
    messageFormat: '[{category}] {msg}',
    translateTime: 'SYS:HH:MM:ss.l',
  });
}
