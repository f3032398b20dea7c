import { createRequire } from 'node:module';
import { reasonOf } from './error-facts.ts';
import type { ValueMask } from './value-mask.ts';

/** Log level: 0 is always important, 1 is one line per step, 2 is debug detail. */
export type LogLevel = 0 | 1 | 2;

/** One log line. */
export interface LogLine {
  /** The component that logs, such as `driver` or `act`. docs/logs.md lists them. */
  readonly category: string;
  readonly message: string;
  readonly level: LogLevel;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** Structured data that belongs to the message. */
  readonly auxiliary?: Readonly<Record<string, unknown>>;
}

/** Receives log lines. */
export type Logger = (line: LogLine) => void;

/** Destination and level of log lines. */
export interface LogSettings {
  readonly verbose: LogLevel;
  readonly logger: Logger | undefined;
  readonly disableLoggerBackend: boolean;
  /** Masks variable values in every line. */
  readonly mask?: ValueMask;
}

/** The log of one driver. Drops lines above the verbosity; sends every other line to exactly one backend. */
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

  /** Numbers are the library's own counts and durations, so only strings are masked. */
  #masked(facts: Facts): Facts {
    const mask = this.#mask;
    if (!mask || mask.isEmpty) return facts;
    return Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'number' ? fact : mask.maskData(fact)]),
    );
  }

  /** If a logger throws, only its line is lost. */
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

/** The default backend: pino on standard error, pretty-printed on a terminal. Loaded with the first line. */
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
