/** One sentence of a user and what a person would do on the page. */
export interface InstructionCase {
  readonly say: string;
  /** Selector of the right element, `>>` into frames and shadow roots; null: the page does not offer it, or offers several alike. */
  readonly element: string | null;
  /** Other elements that do the same thing and count as right. */
  readonly orElse?: readonly string[];
  /** The method, where it matters; several when more than one is right. */
  readonly method?: string | readonly string[];
  readonly arguments?: readonly string[];
  readonly twoStep?: boolean;
  /** Names of variables that the sentence uses. */
  readonly variables?: readonly string[];
}

/** The sentences for one page. */
export interface PageInstructions {
  /** A file in `pages/`, or the name of an application in `apps/`. */
  readonly page: string;
  readonly cases: readonly InstructionCase[];
}
