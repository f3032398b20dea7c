import type { Protocol } from 'devtools-protocol';

/** A position in a script. Line and column count from 0. */
export interface ConsoleLocation {
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface ConsoleFacts {
  readonly type: string;
  readonly location: ConsoleLocation;
  readonly args: readonly unknown[];
}

/**
 * A console message of a page, or of the browser about the page.
 *
 * @example
 * page.on('console', (message) => console.log(message.type(), message.text(), message.location().url));
 */
export class ConsoleMessage {
  readonly #facts: ConsoleFacts;

  /** @internal */
  constructor(facts: ConsoleFacts) {
    this.#facts = facts;
  }

  /** The method of `console`, such as `log`, `warning`, `error`, `debug`, `info`, `dir`, `table`, `trace`, `assert`. */
  type(): string {
    return this.#facts.type;
  }

  /** The arguments as text, separated by spaces. */
  text(): string {
    return this.#facts.args.map(asText).join(' ');
  }

  /** Position of the call. Line and column count from 0. */
  location(): ConsoleLocation {
    return this.#facts.location;
  }

  /** The arguments as plain data. Functions, elements and similar values are represented by their description. */
  args(): readonly unknown[] {
    return this.#facts.args;
  }
}

function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Innermost position of a stack trace. */
export function topOfStack(stack: Protocol.Runtime.StackTrace | undefined): ConsoleLocation {
  const { url = '', lineNumber = 0, columnNumber = 0 } = stack?.callFrames[0] ?? {};
  return { url, lineNumber, columnNumber };
}
