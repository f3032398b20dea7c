/** An element as a reader of the page knows it. */
export interface Wanted {
  readonly role: string;
  /** Whole, or a part of it when no name is this whole. */
  readonly name: string;
  /** It is the first such element from the first line on that has these words, or fits this pattern. */
  readonly after?: string | RegExp;
}

/** One thing that is decided on: a tool and its input, in which elements are told by role and name. */
export interface Decision {
  readonly tool: string;
  readonly elements: Readonly<Record<string, Wanted>>;
  readonly input: Readonly<Record<string, unknown>>;
  /** What is read off the page for the last message, in place of `$1`. */
  readonly reads?: RegExp;
}

type Options = Pick<Wanted, 'after'>;

const of =
  (role: string) =>
  (name: string, options: Options = {}): Wanted => ({ role, name, ...options });

export const button = of('button');
export const link = of('link');
export const textbox = of('textbox');
export const combobox = of('combobox');
export const option = of('option');
export const tab = of('tab');

/** An element of any other role. */
export function element(role: string, name: string, options: Options = {}): Wanted {
  return { role, name, ...options };
}

/** Clicks an element. */
export function click(wanted: Wanted, input: { readonly twice?: true } = {}): Decision {
  return { tool: 'click', elements: { ref: wanted }, input };
}

/** Replaces the text of a field; `submit` presses Enter afterwards. */
export function fill(wanted: Wanted, text: string, input: { readonly submit?: true } = {}): Decision {
  return { tool: 'fill', elements: { ref: wanted }, input: { text, ...input } };
}

/** Chooses an option of a list. */
export function select(wanted: Wanted, label: string): Decision {
  return { tool: 'select', elements: { ref: wanted }, input: { options: [label] } };
}

/** Ticks a box. */
export function check(wanted: Wanted): Decision {
  return { tool: 'check', elements: { ref: wanted }, input: {} };
}

/** Presses keys where the focus is. */
export function press(keys: string): Decision {
  return { tool: 'press', elements: {}, input: { keys } };
}

/** Waits until a text is in the page. */
export function waitFor(text: string): Decision {
  return { tool: 'wait', elements: {}, input: { text } };
}

/** Waits for the file that was just asked for. */
export function download(): Decision {
  return { tool: 'download', elements: {}, input: {} };
}

/** Says that the next question of the browser is answered with yes. */
export function acceptDialog(): Decision {
  return { tool: 'dialog', elements: {}, input: { accept: true } };
}

/** Goes back to the page before. */
export function back(): Decision {
  return { tool: 'back', elements: {}, input: {} };
}

/** Ends the task; `$1` in the message is what the pattern finds in the page. */
export function done(message: string, reads?: RegExp): Decision {
  return { tool: 'done', elements: {}, input: { success: true, message }, ...(reads && { reads }) };
}
