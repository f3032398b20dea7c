import type { Point } from '../../injected/contract.ts';
import type { ModelCallResult } from '../../model/model-client.ts';
import type { ComputerAction } from './computer-action.ts';
import { InputFields } from './input-fields.ts';
import { combinationOf, combinationsIn, keyName } from './key-names.ts';
import type { ComputerResult, Protocol, ShownScreen } from './protocol.ts';
import type { SafetyCheck } from './safety-check.ts';
import { gridDistanceOnPage, gridPointOnPage, type Screen } from './screen.ts';

/**
 * The `computer_use` tool of Google's Interactions API. A call is one action, on a grid of 1000 by 1000. Each result
 * contains the URL and a screenshot. Models up to Gemini 3 have other action names than later ones.
 */
export const GOOGLE: Protocol = {
  has: ['navigate', 'back'],
  limits: () => ({ edge: Number.POSITIVE_INFINITY }),
  tool: (_model, _screen, excluded) => {
    const excludedPredefinedFunctions = [...excluded].flatMap((tool) => FUNCTIONS[tool] ?? []);
    const without = excludedPredefinedFunctions.length > 0 && { excludedPredefinedFunctions };
    return { id: 'google.computer_use', args: { environment: 'browser', ...without } };
  },
  actionsOf: (input, screen) => [toAction(new InputFields(input), screen)],
  checksOf,
  formatResults: (results, shown) => ({
    results: results.map((result) => toResult(result, shown)),
    text: '',
    images: [],
  }),
};

/**
 * The functions to exclude if the user excludes a library tool. Contains only names that all model generations accept.
 */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  navigate: ['navigate', 'search'],
  back: ['go_back', 'go_forward'],
  drag: ['drag_and_drop'],
};

/** Values of `decision` that need no confirmation. */
const PASSING: ReadonlySet<string> = new Set(['', 'regular', 'allowed', 'allow']);

function checksOf(input: unknown): readonly SafetyCheck[] {
  const decision = new InputFields(input).inner('safety_decision');
  const code = decision?.text('decision') ?? '';
  if (PASSING.has(code)) return [];
  return [{ id: '', code, message: decision?.text('explanation') ?? '' }];
}

function toResult({ result, passed }: ComputerResult, { picture, url }: ShownScreen): ModelCallResult {
  const response = {
    url,
    [result.isError ? 'error' : 'result']: result.text,
    ...(passed.length > 0 && { safety_acknowledgement: 'true' }),
  };
  return { ...result, text: JSON.stringify(response), images: result.images ?? [picture] };
}

/** Default for `magnitude_in_pixels`. */
const SCROLL_PIXELS = 300;
/** Default for `magnitude` in `scroll_at` and `scroll_document`, in grid units. */
const SCROLL_STEPS = 800;
const CENTER: Point = { x: 500, y: 500 };
/** Page for the `search` action, from Google's documentation. */
const SEARCH_PAGE = 'https://www.google.com';

const CLICKS: Readonly<Record<string, readonly ['left' | 'right' | 'middle', number]>> = {
  click: ['left', 1],
  click_at: ['left', 1],
  double_click: ['left', 2],
  triple_click: ['left', 3],
  middle_click: ['middle', 1],
  right_click: ['right', 1],
};

/** Input that an action needs, for error messages. */
const NEEDED: Readonly<Record<string, string>> = {
  ...neededBy('x and y', [
    ...Object.keys(CLICKS),
    'move',
    'hover_at',
    'mouse_down',
    'mouse_up',
    'long_press',
    'type_text_at',
  ]),
  ...neededBy('direction', ['scroll', 'scroll_at', 'scroll_document']),
  ...neededBy('text', ['type']),
  ...neededBy('key', ['press_key', 'key_down', 'key_up']),
  ...neededBy('keys', ['hotkey', 'key_combination']),
  ...neededBy('url', ['navigate']),
  ...neededBy('a start and an end point', ['drag_and_drop']),
};

function neededBy(input: string, actions: readonly string[]): Record<string, string> {
  return Object.fromEntries(actions.map((action) => [action, input]));
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  up: [0, -1],
  down: [0, 1],
  left: [-1, 0],
  right: [1, 0],
};

function toAction(fields: InputFields, screen: Screen): ComputerAction {
  const action = fields.text('action') ?? '';
  const point = fields.point();
  const at = point && gridPointOnPage(screen, point);
  return (
    (at && pointed(action, at, fields)) ??
    scroll(action, fields, screen) ??
    keyed(action, fields) ??
    inBrowser(action, fields, screen) ?? { kind: 'unusable', why: unusable(action) }
  );
}

function unusable(action: string): string {
  const name = JSON.stringify(action);
  const needed = Object.hasOwn(NEEDED, action) ? NEEDED[action] : undefined;
  return needed === undefined ? `${name} is not supported in a browser.` : `${name} needs ${needed}.`;
}

function pointed(action: string, at: Point, fields: InputFields): ComputerAction | undefined {
  const click = CLICKS[action];
  if (click) return { kind: 'click', at, button: click[0], count: click[1] };
  switch (action) {
    case 'move':
    case 'hover_at':
      return { kind: 'move', at };
    case 'mouse_down':
      return { kind: 'mouse-down', at };
    case 'mouse_up':
      return { kind: 'mouse-up', at };
    case 'long_press':
      return { kind: 'long-press', at, seconds: fields.number('seconds') ?? 2 };
    case 'type_text_at': {
      const replaces = fields.flag('clear_before_typing') ?? true;
      return {
        kind: 'type',
        at,
        text: fields.text('text') ?? '',
        replaces,
        submits: fields.flag('press_enter') ?? true,
      };
    }
    default:
      return undefined;
  }
}

function scroll(action: string, fields: InputFields, screen: Screen): ComputerAction | undefined {
  const [right, down] = DIRECTIONS[fields.text('direction') ?? ''] ?? [];
  if (right === undefined || down === undefined) return undefined;
  const at = gridPointOnPage(screen, fields.point() ?? CENTER);
  if (action === 'scroll') {
    const pixels = fields.number('magnitude_in_pixels') ?? SCROLL_PIXELS;
    return { kind: 'scroll', at, deltaX: right * pixels, deltaY: down * pixels };
  }
  if (action !== 'scroll_at' && action !== 'scroll_document') return undefined;
  const steps = fields.number('magnitude') ?? SCROLL_STEPS;
  const { x: deltaX, y: deltaY } = gridDistanceOnPage(screen, { x: right * steps, y: down * steps });
  return { kind: 'scroll', at, deltaX, deltaY };
}

function keyed(action: string, fields: InputFields): ComputerAction | undefined {
  const key = fields.text('key');
  const keys = fields.texts('keys');
  switch (action) {
    case 'type': {
      const text = fields.text('text');
      return text === undefined ? undefined : { kind: 'type', text, submits: fields.flag('press_enter') ?? false };
    }
    case 'press_key':
      return pressed(combinationsIn(key ?? ''));
    case 'key_down':
      return key === undefined ? undefined : { kind: 'key-down', key: keyName(key) };
    case 'key_up':
      return key === undefined ? undefined : { kind: 'key-up', key: keyName(key) };
    case 'hotkey':
      return pressed(keys.length === 0 ? [] : [combinationOf(keys)]);
    case 'key_combination':
      return pressed(combinationsIn(fields.text('keys') ?? ''));
    default:
      return undefined;
  }
}

function pressed(combinations: readonly string[]): ComputerAction | undefined {
  return combinations.length === 0 ? undefined : { kind: 'press', combinations, times: 1 };
}

function inBrowser(action: string, fields: InputFields, screen: Screen): ComputerAction | undefined {
  const url = fields.text('url');
  switch (action) {
    case 'navigate':
      return url === undefined ? undefined : { kind: 'navigate', url };
    case 'search':
      return { kind: 'navigate', url: SEARCH_PAGE };
    case 'go_back':
      return { kind: 'back' };
    case 'go_forward':
      return { kind: 'forward' };
    case 'wait':
      return { kind: 'wait', seconds: fields.number('seconds') ?? 1 };
    case 'wait_5_seconds':
      return { kind: 'wait', seconds: 5 };
    case 'take_screenshot':
    case 'open_web_browser':
      return { kind: 'screenshot' };
    case 'drag_and_drop':
      return drag(fields, screen);
    default:
      return undefined;
  }
}

/** Gemini 3 and earlier send the start point as `x` and `y`. */
function drag(fields: InputFields, screen: Screen): ComputerAction | undefined {
  const from = fields.point('start_x', 'start_y') ?? fields.point();
  const to = fields.point('end_x', 'end_y') ?? fields.point('destination_x', 'destination_y');
  return from && to ? { kind: 'drag', path: [from, to].map((point) => gridPointOnPage(screen, point)) } : undefined;
}
