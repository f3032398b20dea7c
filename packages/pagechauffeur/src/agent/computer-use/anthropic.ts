import type { ModelCallResult } from '../../model/model-client.ts';
import type { ComputerAction } from './computer-action.ts';
import { InputFields } from './input-fields.ts';
import { combinationsIn, modifiersOf } from './key-names.ts';
import type { Protocol } from './protocol.ts';
import { areaOnPage, pointOnPage, type ScreenshotLimits, type Screen } from './screen.ts';

/**
 * The computer tools of Anthropic's Messages API. A call is one action, in screenshot pixels. A response can contain
 * several calls. The result of the last one contains the screenshot.
 */
export const ANTHROPIC: Protocol = {
  has: [],
  limits: (model) => (versionOf(model) >= SHARP_VERSION ? SHARP_IMAGE_LIMITS : IMAGE_LIMITS),
  tool: (model, { picture: { width, height } }) => {
    const type = toolFor(model);
    if (type === 'computer_toolset_20260801') return { id: `anthropic.${type}`, args: {} };
    const zoom = type === 'computer_20251124' ? { enableZoom: true } : {};
    return { id: `anthropic.${type}`, args: { displayWidthPx: width, displayHeightPx: height, ...zoom } };
  },
  actionsOf: (input, screen) => [toAction(new InputFields(input), screen)],
  checksOf: () => [],
  formatResults: (results, { picture }) => {
    const texts = results.map(({ result }) => result).map(asTrained);
    const last = texts.at(-1);
    // Anthropic rejects images in error results.
    if (!last || last.isError) return { results: texts, text: 'The current screen:', images: [picture] };
    const { images = [] } = last;
    // After a single `zoom`, the screen is the same as in the last screenshot.
    const isSeen = images.includes(picture) || (texts.length === 1 && images.length > 0);
    const shown = isSeen ? last : { ...last, images: [...images, picture] };
    return { results: [...texts.slice(0, -1), shown], text: '', images: [] };
  },
};

/** The wording for skipped actions that Anthropic's models are trained on. */
const NOT_EXECUTED = 'Not executed: an earlier computer action in this turn failed.';

function asTrained(result: ModelCallResult, index: number, all: readonly ModelCallResult[]): ModelCallResult {
  const isAfterFailure = all.slice(0, index).some(({ isError }) => isError);
  return isAfterFailure && result.isError ? { ...result, text: NOT_EXECUTED } : result;
}

/**
 * Limits for models before 4.7: 1568 px per side, and 1568 squares of 28 by 28 pixels. Anthropic scales down larger
 * images.
 */
const IMAGE_LIMITS: ScreenshotLimits = { edge: 1568, patch: { side: 28, most: 1568 } };
/** Newer models accept 2576 px per side, but only 2000 px if a request has more than 20 images. */
const SHARP_IMAGE_LIMITS: ScreenshotLimits = { edge: 2000, patch: { side: 28, most: 4784 } };
const SHARP_VERSION = 4.7;

/** Returns infinity for a model name without a version, such as an alias of the latest model. */
function versionOf(model: string): number {
  const [, major, minor = '0'] = /(?:opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?!\d)(?:-(\d)(?!\d))?/.exec(model) ?? [];
  if (major !== undefined) return Number(`${major}.${minor}`);
  return /claude-3/.test(model) ? 3 : Number.POSITIVE_INFINITY;
}

/** Returns the tool version for a model, from the table of models in Anthropic's documentation. */
function toolFor(model: string): 'computer_toolset_20260801' | 'computer_20251124' | 'computer_20250124' {
  const version = versionOf(model);
  if (version >= 4.8) return 'computer_toolset_20260801';
  const isNewer = version >= 4.6 || (version >= 4.5 && model.includes('opus'));
  return isNewer ? 'computer_20251124' : 'computer_20250124';
}

/** CSS pixels per unit of `scroll_amount`. */
const WHEEL_CLICK = 100;
/** `[right, down]` */
const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  up: [0, -1],
  down: [0, 1],
  left: [-1, 0],
  right: [1, 0],
};

type Button = 'left' | 'right' | 'middle';

const CLICKS: Readonly<Record<string, readonly [Button, number]>> = {
  left_click: ['left', 1],
  right_click: ['right', 1],
  middle_click: ['middle', 1],
  double_click: ['left', 2],
  triple_click: ['left', 3],
};

function toAction(fields: InputFields, screen: Screen): ComputerAction {
  const action = fields.text('action') ?? '';
  const text = fields.text('text');
  const click = CLICKS[action];
  if (click) {
    const [button, count] = click;
    return { kind: 'click', ...at(fields, screen), button, count, modifiers: modifiersOf(text) };
  }
  switch (action) {
    case 'screenshot':
      return { kind: 'screenshot' };
    case 'cursor_position':
      return { kind: 'cursor-position' };
    case 'left_mouse_down':
      return { kind: 'mouse-down', ...at(fields, screen) };
    case 'left_mouse_up':
      return { kind: 'mouse-up', ...at(fields, screen) };
    case 'wait':
      return { kind: 'wait', seconds: fields.number('duration') ?? 1 };
    case 'type':
      return text === undefined ? missingInput(action, 'text') : { kind: 'type', text };
    case 'key':
    case 'hold_key':
      return keys(action, fields);
    default:
      return placed(action, fields, screen);
  }
}

function keys(action: 'key' | 'hold_key', fields: InputFields): ComputerAction {
  const combinations = combinationsIn(fields.text('text') ?? '');
  const [combination] = combinations;
  if (combination === undefined) return missingInput(action, 'text');
  if (action === 'key') return { kind: 'press', combinations, times: fields.number('repeat') ?? 1 };
  return { kind: 'hold', combination, seconds: fields.number('duration') ?? 1 };
}

function placed(action: string, fields: InputFields, screen: Screen): ComputerAction {
  const modifiers = modifiersOf(fields.text('text'));
  const [point] = fields.pointsIn('coordinate');
  switch (action) {
    case 'mouse_move':
      return point ? { kind: 'move', at: pointOnPage(screen, point), modifiers } : missingInput(action, 'coordinate');
    case 'left_click_drag': {
      const [start] = fields.pointsIn('start_coordinate');
      if (!point) return missingInput(action, 'coordinate');
      // Without `start_coordinate`, the drag starts at the mouse position.
      const path = [start, point].filter((stop) => stop !== undefined).map((stop) => pointOnPage(screen, stop));
      return { kind: 'drag', path, modifiers };
    }
    case 'scroll': {
      const [right, down] = DIRECTIONS[fields.text('scroll_direction') ?? ''] ?? [];
      if (right === undefined || down === undefined) return missingInput(action, 'scroll_direction');
      const distance = (fields.number('scroll_amount') ?? 1) * WHEEL_CLICK;
      return { kind: 'scroll', ...at(fields, screen), deltaX: right * distance, deltaY: down * distance, modifiers };
    }
    case 'zoom': {
      const [first, second] = fields.pointsIn('region');
      return first && second
        ? { kind: 'zoom', area: areaOnPage(screen, first, second) }
        : missingInput(action, 'region of four numbers');
    }
    default:
      return { kind: 'unusable', why: `Unknown action ${JSON.stringify(action)}.` };
  }
}

/** Without `coordinate`, the action happens at the mouse position. */
function at(fields: InputFields, screen: Screen): { at?: ReturnType<typeof pointOnPage> } {
  const [point] = fields.pointsIn('coordinate');
  return point ? { at: pointOnPage(screen, point) } : {};
}

function missingInput(action: string, what: string): ComputerAction {
  return { kind: 'unusable', why: `${action} needs a ${what}.` };
}
