import { createRequire } from 'node:module';
import { reasonOf } from './error-facts.ts';
import type { ValueMask } from './value-mask.ts';

/** Log level: 0 for problems and important events, 1 for one line per step, 2 for debug details. */
export type LogLevel = 0 | 1 | 2;

/** One log line, as passed to a {@link Logger}. */
export interface LogLine {
  /** The component that logs, such as `driver` or `act`. docs/logs.md lists all categories. */
  readonly category: string;
  readonly message: string;
  readonly level: LogLevel;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  /** Structured details of the event. Variable values are masked. */
  readonly auxiliary?: Readonly<Record<string, unknown>>;
}

/** Receives log lines instead of the default output on standard error. An error that it throws is reported once. */
export type Logger = (line: LogLine) => void;

export interface LogSettings {
  readonly verbose: LogLevel;
  readonly logger: Logger | undefined;
  readonly disableLoggerBackend: boolean;
  /** Applied to every message and to `auxiliary`. */
  readonly mask?: ValueMask;
}

/**
 * The log of one driver. Drops lines above `verbose` and passes the others to the user's logger. Without a logger,
 * writes them to standard error unless `disableLoggerBackend` is set.
 */
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

  /** Numbers at the top level are counts and durations from the library, so they are not masked. */
  #masked(facts: Facts): Facts {
    const mask = this.#mask;
    if (!mask || mask.isEmpty) return facts;
    return Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'number' ? fact : mask.maskData(fact)]),
    );
  }

  /** Logger errors must not fail the call that logs. */
  #warnOnce(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`The driver's logger threw: ${reasonOf(error)}`, 'ChauffeurWarning');
  }
}

type Facts = Readonly<Record<string, unknown>>;

interface PinoLike {
  info(facts: object, message: string): void;
  debug(facts: object, message: string): void;
}

/**
 * Writes to standard error with pino, pretty-printed on a terminal. Loads pino on the first write to keep imports
 * fast.
 */
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
