import { ariaAttributeOf } from '../exploration/element-internals.ts';
import { nameOf } from '../aria/name.ts';
import { localNameOf } from '../native.ts';
import { elementsWithRole } from '../aria/role.ts';
import { statesOf } from '../aria/states.ts';
import { isHiddenFromAccessibility } from '../element/visibility.ts';
import { engineMessage, invalidSelector, type QueryOutcome } from './outcome.ts';
import { scanTopLevel } from './scan.ts';
import { parseTextTest, type TextTest } from './text.ts';

const FORM =
  'Expected role=button[name="Save"]. Other attributes are name=/…/i, name="part" i, checked, selected, pressed, expanded, disabled, level and include-hidden.';

/** The snapshot state for each attribute value. `null`: the element has none of the other states. */
const STATE_WORDS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  checked: { true: 'checked', false: 'unchecked', mixed: 'mixed' },
  pressed: { true: 'pressed', false: null, mixed: 'mixed' },
  expanded: { true: 'expanded', false: 'collapsed' },
  selected: { true: 'selected', false: null },
  disabled: { true: 'disabled', false: null },
};

type Condition = (element: Element, states: readonly string[]) => boolean;

interface RoleQuery {
  readonly role: string;
  readonly name: TextTest | null;
  readonly conditions: readonly Condition[];
  readonly includesHidden: boolean;
}

/** Finds elements by ARIA role, name and states. Skips hidden elements unless `include-hidden` is set. */
export function queryRole(root: ParentNode, body: string): QueryOutcome {
  const query = tryToParse(body.trim());
  if (typeof query === 'string') return invalidSelector(`${query} ${FORM}`);
  const elements = elementsWithRole(root, query.role).filter((element) => answers(element, query));
  return { kind: 'elements', elements };
}

function answers(element: Element, { role, name, conditions, includesHidden }: RoleQuery): boolean {
  if (!includesHidden && isHiddenFromAccessibility(element)) return false;
  if (conditions.length > 0) {
    const states = statesOf(element, role);
    if (!conditions.every((condition) => condition(element, states))) return false;
  }
  return name === null || name(nameOf(element));
}

// `parseRoleQuery` throws only for an invalid regular expression.
function tryToParse(body: string): RoleQuery | string {
  try {
    return parseRoleQuery(body);
  } catch (error) {
    return `${engineMessage(error)}.`;
  }
}

function parseRoleQuery(body: string): RoleQuery | string {
  const role = /^[a-z]+/i.exec(body)?.[0];
  if (!role) return `role= needs a role. Received "${body}".`;
  const attributes = bracketed(body.slice(role.length));
  if (!attributes) return `"${body}" is not a role selector.`;
  let name: TextTest | null = null;
  let includesHidden = false;
  const conditions: Condition[] = [];
  for (const attribute of attributes) {
    const [, key = '', value = 'true'] = /^\s*([\w-]+)\s*(?:=\s*(.*?))?\s*$/s.exec(attribute) ?? [];
    if (key === 'name') name = parseTextTest(value);
    else if (key === 'include-hidden') includesHidden = value !== 'false';
    else {
      const condition = conditionOf(key, value.replace(/^["']|["']$/g, ''));
      if (!condition) return `[${attribute}] is not supported in a role selector.`;
      conditions.push(condition);
    }
  }
  return { role: role.toLowerCase(), name, conditions, includesHidden };
}

function conditionOf(key: string, value: string): Condition | null {
  if (key === 'level') return (element) => levelOf(element) === value;
  const words = STATE_WORDS[key];
  const word = words?.[value];
  if (!words || word === undefined) return null;
  if (word !== null) return (_element, states) => states.includes(word);
  return (_element, states) => !Object.values(words).some((other) => other !== null && states.includes(other));
}

function levelOf(element: Element): string | null {
  return ariaAttributeOf(element, 'aria-level') ?? /^h([1-6])$/.exec(localNameOf(element))?.[1] ?? null;
}

function bracketed(text: string): string[] | null {
  const contents: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const end = rest.startsWith('[') ? endOfBracket(rest) : -1;
    if (end < 0) return null;
    contents.push(rest.slice(1, end));
    rest = rest.slice(end + 1).trim();
  }
  return contents;
}

// A regular expression may contain brackets and quotes, so it is skipped first.
function endOfBracket(text: string): number {
  const expression = /^\[\s*[\w-]+\s*=\s*\/(?:\\.|[^/\\])+\//.exec(text)?.[0].length ?? 1;
  let end = -1;
  scanTopLevel(text.slice(expression), (index) => {
    if (text.charAt(expression + index) !== ']') return undefined;
    end = expression + index;
    return 'stop';
  });
  return end;
}
