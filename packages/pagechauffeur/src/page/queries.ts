import { DriverInvalidArgumentError } from '../errors.ts';
import {
  checkFlag,
  checkOneOf,
  checkOptions,
  checkString,
  checkWholeNumber,
  describeValue,
} from '../util/check-argument.ts';
import {
  callText,
  type FilterOptions,
  type RoleOptions,
  roleSelector,
  type TextMatchOptions,
  textPattern,
} from './selector-text.ts';

/** Strictness of a locator, and `filter()` conditions for its matches. */
export interface LocatorOptions<Found = unknown> extends FilterOptions<Found> {
  /** More than one match is an error that describes the first ones; default false: uses the first match. */
  strict?: boolean;
}

/** Methods that find elements: in a page, a frame, or a locator's element. `Found` is the class of locators. */
export abstract class Queries<Found> {
  /**
   * A lazy locator: CSS, XPath, `text=…`, `role=button[name="Save"]`, and `a >> b` to search inside.
   * @throws DriverInvalidArgumentError when `selector` is empty. A selector with wrong syntax fails when the locator is
   * used.
   */
  abstract locator(selector: string, options?: LocatorOptions<Found>): Found;

  /**
   * Creates the locator for a call. Messages name the locator by that call.
   *
   * @internal
   */
  abstract findBy(selector: string, call: string): Found;

  /**
   * Elements with an ARIA role, by accessible name and states. A string matches a part of the name in any case, or the
   * whole name with `exact`.
   * @throws DriverInvalidArgumentError when `role` is not the name of a role, or an option is unknown or invalid.
   * @example
   * await page.getByRole('button', { name: /^add/i, disabled: false }).click();
   * await page.getByRole('heading', { name: 'Cart', level: 2 }).waitFor();
   */
  getByRole(role: string, options: RoleOptions = {}): Found {
    checkRole(role, options);
    return this.findBy(roleSelector(role, options), callText('getByRole', role, options));
  }

  /**
   * Innermost elements with a text. A string matches a part in any case, or the whole text with `exact`.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByText(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('text', 'getByText', text, options);
  }

  /**
   * Controls by their label: `<label>`, `aria-label` or `aria-labelledby`. A string matches a part in any case, or the
   * whole text with `exact`.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByLabel(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('label', 'getByLabel', text, options);
  }

  /**
   * Fields by their placeholder. A string matches a part in any case, or the whole text with `exact`.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByPlaceholder(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('placeholder', 'getByPlaceholder', text, options);
  }

  /**
   * Images by their alternative text. A string matches a part in any case, or the whole text with `exact`.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByAltText(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('alt', 'getByAltText', text, options);
  }

  /**
   * Elements by their `title` attribute. A string matches a part in any case, or the whole text with `exact`.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByTitle(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('title', 'getByTitle', text, options);
  }

  /**
   * Elements by their `data-testid` attribute. A string must match the whole value.
   * @throws DriverInvalidArgumentError when `testId` is empty, or neither a string nor a regular expression.
   */
  getByTestId(testId: string | RegExp): Found {
    checkText('testId', testId);
    return this.findBy(`testid=${textPattern(testId, true)}`, callText('getByTestId', testId));
  }

  #getBy(engine: string, method: string, text: string | RegExp, options: TextMatchOptions = {}): Found {
    checkText('text', text);
    checkOptions(options);
    checkFlag('exact', options.exact);
    return this.findBy(`${engine}=${textPattern(text, options.exact)}`, callText(method, text, options));
  }
}

/** Throws if an argument is neither a non-empty string nor a RegExp. */
export function checkText(argument: string, value: unknown): asserts value is string | RegExp {
  if (value instanceof RegExp || (typeof value === 'string' && value.trim() !== '')) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be a non-empty string or a RegExp. Received ${describeValue(value)}.`,
    { argument },
  );
}

const FLAGS = ['exact', 'disabled', 'expanded', 'selected', 'includeHidden'] as const;
const THREE_STATES = ['checked', 'pressed'] as const;
const KNOWN: readonly string[] = [...FLAGS, ...THREE_STATES, 'name', 'level'];

function checkRole(role: string, options: RoleOptions): void {
  checkString('role', role);
  checkOptions(options);
  for (const option of Object.keys(options)) checkOneOf('options', option, KNOWN);
  for (const flag of FLAGS) checkFlag(flag, options[flag]);
  for (const state of THREE_STATES) if (options[state] !== 'mixed') checkFlag(state, options[state]);
  if (options.level !== undefined) checkWholeNumber('level', options.level, { least: 1 });
  if (options.name !== undefined && options.name !== '') checkText('name', options.name);
  if (!/^[a-z]+$/i.test(role))
    throw new DriverInvalidArgumentError(
      `role must be the name of an ARIA role, such as button. Received ${describeValue(role)}.`,
      {
        argument: 'role',
      },
    );
}
