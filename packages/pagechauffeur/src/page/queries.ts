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

/** Options of `locator()`: `strict`, and the conditions of `filter()`. */
export interface LocatorOptions<Found = unknown> extends FilterOptions<Found> {
  /** Throws if more than one element matches. Default false: uses the first match. */
  strict?: boolean;
}

/** The methods that create locators. Pages, frames, frame locators and locators share them. */
export abstract class Queries<Found> {
  /**
   * Returns a locator for a selector: CSS, XPath, `text=…`, `role=button[name="Save"]`, or several that narrow the
   * search step by step: `form >> text=Pay`.
   * @throws DriverInvalidArgumentError when `selector` is empty. Syntax errors in it are thrown when the locator is
   * used.
   */
  abstract locator(selector: string, options?: LocatorOptions<Found>): Found;

  /**
   * Creates a locator. Messages show it as `call`, such as `getByText('Save')`.
   * @internal
   */
  abstract findBy(selector: string, call: string): Found;

  /**
   * Finds elements by ARIA role, accessible name and state. A string in `name` matches a substring and ignores case,
   * unless `exact` is true.
   * @throws DriverInvalidArgumentError when `role` is not a single word, or an option is unknown or invalid.
   * @example
   * await page.getByRole('button', { name: /^add/i, disabled: false }).click();
   * await page.getByRole('heading', { name: 'Cart', level: 2 }).waitFor();
   */
  getByRole(role: string, options: RoleOptions = {}): Found {
    checkRole(role, options);
    return this.findBy(roleSelector(role, options), callText('getByRole', role, options));
  }

  /**
   * Finds the innermost elements that contain the text. A string matches a substring in any case or, with `exact`, the
   * whole text.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByText(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('text', 'getByText', text, options);
  }

  /**
   * Finds form controls by `<label>`, `aria-label` or `aria-labelledby`. A string matches a substring in any case or,
   * with `exact`, the whole text.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByLabel(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('label', 'getByLabel', text, options);
  }

  /**
   * Finds fields by their placeholder. A string matches a substring in any case or, with `exact`, the whole text.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByPlaceholder(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('placeholder', 'getByPlaceholder', text, options);
  }

  /**
   * Finds images by their alternative text. A string matches a substring in any case or, with `exact`, the whole text.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByAltText(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('alt', 'getByAltText', text, options);
  }

  /**
   * Finds elements by their `title` attribute. A string matches a substring in any case or, with `exact`, the whole
   * text.
   * @throws DriverInvalidArgumentError when `text` is empty, or neither a string nor a regular expression.
   */
  getByTitle(text: string | RegExp, options?: TextMatchOptions): Found {
    return this.#getBy('title', 'getByTitle', text, options);
  }

  /**
   * Finds elements by their `data-testid` attribute. A string must equal the whole value.
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
