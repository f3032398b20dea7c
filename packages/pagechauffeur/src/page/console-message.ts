import type { Protocol } from 'devtools-protocol';

/** Source position of a console message. `lineNumber` and `columnNumber` are zero-based; `url` is `''` if unknown. */
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
 * A message in a page's console: a `console` call by a script, or a message from the browser, such as that a script
 * failed to load.
 * @example
 * page.on('console', (message) => console.log(message.type(), message.text(), message.location().url));
 */
export class ConsoleMessage {
  readonly #facts: ConsoleFacts;

  /** @internal */
  constructor(facts: ConsoleFacts) {
    this.#facts = facts;
  }

  /** Type of the message: `log`, `debug`, `info`, `warning`, `error`, `dir`, `table`, `trace`, `assert` and so on. */
  type(): string {
    return this.#facts.type;
  }

  /** The arguments joined with spaces. Objects and arrays are JSON. */
  text(): string {
    return this.#facts.args.map(asText).join(' ');
  }

  /** Position of the `console` call, or the source that a browser message names. Lines and columns are zero-based. */
  location(): ConsoleLocation {
    return this.#facts.location;
  }

  /**
   * The arguments by value, unlike the `JSHandle`s in Playwright. Functions, elements, special objects such as dates,
   * and oversized values become their description, such as `div#cart`.
   */
  args(): readonly unknown[] {
    return this.#facts.args;
  }
}

function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

export function topOfStack(stack: Protocol.Runtime.StackTrace | undefined): ConsoleLocation {
  const { url = '', lineNumber = 0, columnNumber = 0 } = stack?.callFrames[0] ?? {};
  return { url, lineNumber, columnNumber };
}
