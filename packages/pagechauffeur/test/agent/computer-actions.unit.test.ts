import { describe, expect, it, test } from 'vitest';
import { ANTHROPIC } from '../../src/agent/computer-use/anthropic.ts';
import type { ComputerAction } from '../../src/agent/computer-use/computer-action.ts';
import { GOOGLE } from '../../src/agent/computer-use/google.ts';
import { combinationOf, combinationsIn, modifiersOf } from '../../src/agent/computer-use/key-names.ts';
import { OPENAI } from '../../src/agent/computer-use/openai.ts';
import type { ModelCallResult } from '../../src/model/model-client.ts';
import type { Protocol } from '../../src/agent/computer-use/protocol.ts';
import {
  areaOnPage,
  fittingSize,
  gridPointOnPage,
  toScreenshotPoint,
  pointOnPage,
  type Screen,
} from '../../src/agent/computer-use/screen.ts';

/** A picture of half the size of the viewport. */
const HALF: Screen = { viewport: { width: 1000, height: 800 }, picture: { width: 500, height: 400 } };

type Translation = readonly [said: Readonly<Record<string, unknown>>, meant: ComputerAction];

const AT = { at: { x: 200, y: 100 } };
const NONE = { modifiers: [] };

const OPENAI_ACTIONS: readonly Translation[] = [
  [
    { type: 'click', button: 'left', x: 100, y: 50 },
    { kind: 'click', button: 'left', count: 1, ...AT, ...NONE },
  ],
  [
    { type: 'click', button: 'right', x: 100, y: 50 },
    { kind: 'click', button: 'right', count: 1, ...AT, ...NONE },
  ],
  [
    { type: 'click', button: 'wheel', x: 100, y: 50 },
    { kind: 'click', button: 'middle', count: 1, ...AT, ...NONE },
  ],
  [{ type: 'click', button: 'back', x: 0, y: 0 }, { kind: 'back' }],
  [{ type: 'click', button: 'forward', x: 0, y: 0 }, { kind: 'forward' }],
  [
    { type: 'click', button: 'left', x: 100, y: 50, keys: ['CTRL', 'SHIFT'] },
    { kind: 'click', button: 'left', count: 1, ...AT, modifiers: ['Control', 'Shift'] },
  ],
  [
    { type: 'double_click', x: 100, y: 50 },
    { kind: 'click', button: 'left', count: 2, ...AT, ...NONE },
  ],
  [
    {
      type: 'drag',
      path: [
        { x: 0, y: 0 },
        { x: 50, y: 50 },
        { x: 100, y: 50 },
      ],
    },
    { kind: 'drag', path: [{ x: 0, y: 0 }, { x: 100, y: 100 }, AT.at], ...NONE },
  ],
  [
    { type: 'keypress', keys: ['CTRL', 'A'] },
    { kind: 'press', combinations: ['Control+A'], times: 1 },
  ],
  [
    { type: 'keypress', keys: ['ENTER'] },
    { kind: 'press', combinations: ['Enter'], times: 1 },
  ],
  [
    { type: 'move', x: 100, y: 50 },
    { kind: 'move', ...AT, ...NONE },
  ],
  [{ type: 'screenshot' }, { kind: 'screenshot' }],
  [
    { type: 'scroll', x: 100, y: 50, scrollX: -10, scrollY: 200 },
    { kind: 'scroll', ...AT, deltaX: -20, deltaY: 400, ...NONE },
  ],
  [
    { type: 'type', text: '%who% & co' },
    { kind: 'type', text: '%who% & co' },
  ],
  [{ type: 'wait' }, { kind: 'wait', seconds: 1 }],
  [{ type: 'drag', path: [{ x: 1, y: 1 }] }, unusable(/path of at least two points/)],
  [{ type: 'click', button: 'left' }, unusable(/needs x and y/)],
  [{ type: 'click', button: 'fourth', x: 1, y: 1 }, unusable(/Unknown button "fourth"/)],
  [{ type: 'keypress', keys: [] }, unusable(/needs keys/)],
  [{ type: 'keypress' }, unusable(/needs keys/)],
  [{ type: 'somersault', x: 1, y: 1 }, unusable(/Unknown action "somersault"/)],
];

const ANTHROPIC_ACTIONS: readonly Translation[] = [
  [{ action: 'screenshot' }, { kind: 'screenshot' }],
  [
    { action: 'zoom', region: [100, 50, 50, 150] },
    { kind: 'zoom', area: { x: 100, y: 100, width: 100, height: 200 } },
  ],
  [
    { action: 'left_click', coordinate: [100, 50] },
    { kind: 'click', button: 'left', count: 1, ...AT, ...NONE },
  ],
  [{ action: 'left_click' }, { kind: 'click', button: 'left', count: 1, ...NONE }],
  [
    { action: 'right_click', coordinate: [100, 50], text: 'ctrl+shift' },
    { kind: 'click', button: 'right', count: 1, ...AT, modifiers: ['Control', 'Shift'] },
  ],
  [
    { action: 'middle_click', coordinate: [100, 50] },
    { kind: 'click', button: 'middle', count: 1, ...AT, ...NONE },
  ],
  [
    { action: 'double_click', coordinate: [100, 50] },
    { kind: 'click', button: 'left', count: 2, ...AT, ...NONE },
  ],
  [
    { action: 'triple_click', coordinate: [100, 50] },
    { kind: 'click', button: 'left', count: 3, ...AT, ...NONE },
  ],
  [
    { action: 'left_click_drag', start_coordinate: [0, 0], coordinate: [100, 50], text: 'alt' },
    { kind: 'drag', path: [{ x: 0, y: 0 }, AT.at], modifiers: ['Alt'] },
  ],
  [
    { action: 'left_click_drag', coordinate: [100, 50] },
    { kind: 'drag', path: [AT.at], ...NONE },
  ],
  [
    { action: 'mouse_move', coordinate: [100, 50] },
    { kind: 'move', ...AT, ...NONE },
  ],
  [{ action: 'left_mouse_down' }, { kind: 'mouse-down' }],
  [{ action: 'left_mouse_up' }, { kind: 'mouse-up' }],
  [{ action: 'cursor_position' }, { kind: 'cursor-position' }],
  [
    { action: 'scroll', coordinate: [100, 50], scroll_direction: 'up', scroll_amount: 3, text: 'shift' },
    { kind: 'scroll', ...AT, deltaX: 0, deltaY: -300, modifiers: ['Shift'] },
  ],
  [
    { action: 'scroll', scroll_direction: 'right', scroll_amount: 1 },
    { kind: 'scroll', deltaX: 100, deltaY: 0, ...NONE },
  ],
  [
    { action: 'type', text: '%who%\n' },
    { kind: 'type', text: '%who%\n' },
  ],
  [
    { action: 'key', text: 'ctrl+a' },
    { kind: 'press', combinations: ['Control+a'], times: 1 },
  ],
  [
    { action: 'key', text: 'Page_Down', repeat: 4 },
    { kind: 'press', combinations: ['PageDown'], times: 4 },
  ],
  [
    { action: 'hold_key', text: 'shift', duration: 1.5 },
    { kind: 'hold', combination: 'Shift', seconds: 1.5 },
  ],
  [
    { action: 'wait', duration: 0.5 },
    { kind: 'wait', seconds: 0.5 },
  ],
  [{ action: 'zoom', region: [1, 2, 3] }, unusable(/zoom needs a region/)],
  [{ action: 'mouse_move' }, unusable(/mouse_move needs a coordinate/)],
  [{ action: 'scroll', coordinate: [1, 1] }, unusable(/scroll needs a scroll_direction/)],
  [{ action: 'key' }, unusable(/key needs a text/)],
  [{ action: 'somersault' }, unusable(/Unknown action "somersault"/)],
];

/** Of the grid: the middle of the viewport, and three quarters of it. */
const MIDDLE = { x: 500, y: 400 };

const GOOGLE_ACTIONS: readonly Translation[] = [
  [
    { action: 'click', x: 500, y: 500 },
    { kind: 'click', button: 'left', count: 1, at: MIDDLE },
  ],
  [
    { action: 'double_click', x: 500, y: 500 },
    { kind: 'click', button: 'left', count: 2, at: MIDDLE },
  ],
  [
    { action: 'triple_click', x: 500, y: 500 },
    { kind: 'click', button: 'left', count: 3, at: MIDDLE },
  ],
  [
    { action: 'middle_click', x: 500, y: 500 },
    { kind: 'click', button: 'middle', count: 1, at: MIDDLE },
  ],
  [
    { action: 'right_click', x: 500, y: 500 },
    { kind: 'click', button: 'right', count: 1, at: MIDDLE },
  ],
  [
    { action: 'mouse_down', x: 500, y: 500 },
    { kind: 'mouse-down', at: MIDDLE },
  ],
  [
    { action: 'mouse_up', x: 500, y: 500 },
    { kind: 'mouse-up', at: MIDDLE },
  ],
  [
    { action: 'move', x: 500, y: 500 },
    { kind: 'move', at: MIDDLE },
  ],
  [
    { action: 'long_press', x: 500, y: 500, seconds: 1 },
    { kind: 'long-press', at: MIDDLE, seconds: 1 },
  ],
  [
    { action: 'type', text: '%who%' },
    { kind: 'type', text: '%who%', submits: false },
  ],
  [
    { action: 'type', text: 'a', press_enter: true },
    { kind: 'type', text: 'a', submits: true },
  ],
  [
    { action: 'drag_and_drop', start_x: 0, start_y: 0, end_x: 500, end_y: 500 },
    { kind: 'drag', path: [{ x: 0, y: 0 }, MIDDLE] },
  ],
  [{ action: 'wait' }, { kind: 'wait', seconds: 1 }],
  [
    { action: 'wait', seconds: 3 },
    { kind: 'wait', seconds: 3 },
  ],
  [
    { action: 'press_key', key: 'ENTER' },
    { kind: 'press', combinations: ['Enter'], times: 1 },
  ],
  [
    { action: 'key_down', key: 'shift' },
    { kind: 'key-down', key: 'Shift' },
  ],
  [
    { action: 'key_up', key: 'shift' },
    { kind: 'key-up', key: 'Shift' },
  ],
  [
    { action: 'hotkey', keys: ['ctrl', 'c'] },
    { kind: 'press', combinations: ['Control+c'], times: 1 },
  ],
  [{ action: 'take_screenshot' }, { kind: 'screenshot' }],
  [
    { action: 'scroll', x: 500, y: 500, direction: 'down' },
    { kind: 'scroll', at: MIDDLE, deltaX: 0, deltaY: 300 },
  ],
  [
    { action: 'scroll', x: 500, y: 500, direction: 'left', magnitude_in_pixels: 120 },
    { kind: 'scroll', at: MIDDLE, deltaX: -120, deltaY: 0 },
  ],
  [{ action: 'go_back' }, { kind: 'back' }],
  [{ action: 'go_forward' }, { kind: 'forward' }],
  [
    { action: 'navigate', url: 'https://example.com' },
    { kind: 'navigate', url: 'https://example.com' },
  ],
  // The words of models up to Gemini 3.
  [{ action: 'open_web_browser' }, { kind: 'screenshot' }],
  [{ action: 'wait_5_seconds' }, { kind: 'wait', seconds: 5 }],
  [{ action: 'search' }, { kind: 'navigate', url: 'https://www.google.com' }],
  [
    { action: 'click_at', x: 500, y: 500 },
    { kind: 'click', button: 'left', count: 1, at: MIDDLE },
  ],
  [
    { action: 'hover_at', x: 500, y: 500 },
    { kind: 'move', at: MIDDLE },
  ],
  [
    { action: 'type_text_at', x: 500, y: 500, text: 'mug' },
    { kind: 'type', at: MIDDLE, text: 'mug', replaces: true, submits: true },
  ],
  [
    { action: 'type_text_at', x: 500, y: 500, text: 'mug', press_enter: false, clear_before_typing: false },
    { kind: 'type', at: MIDDLE, text: 'mug', replaces: false, submits: false },
  ],
  [
    { action: 'key_combination', keys: 'control+c' },
    { kind: 'press', combinations: ['Control+c'], times: 1 },
  ],
  [
    { action: 'scroll_document', direction: 'down' },
    { kind: 'scroll', at: MIDDLE, deltaX: 0, deltaY: 640 },
  ],
  [
    { action: 'scroll_at', x: 500, y: 500, direction: 'right', magnitude: 400 },
    { kind: 'scroll', at: MIDDLE, deltaX: 400, deltaY: 0 },
  ],
  [
    { action: 'drag_and_drop', x: 0, y: 0, destination_x: 500, destination_y: 500 },
    { kind: 'drag', path: [{ x: 0, y: 0 }, MIDDLE] },
  ],
  [{ action: 'click' }, unusable(/^"click" needs x and y\.$/)],
  [{ action: 'key_combination' }, unusable(/^"key_combination" needs keys\.$/)],
  [{ action: 'key_combination', keys: '' }, unusable(/^"key_combination" needs keys\.$/)],
  [{ action: 'press_key', key: '' }, unusable(/^"press_key" needs key\.$/)],
  [{ action: 'open_app', app_name: 'Mail' }, unusable(/"open_app" is not supported in a browser/)],
];

describe.each<readonly [string, Protocol, readonly Translation[], (said: object) => unknown]>([
  ['OpenAI', OPENAI, OPENAI_ACTIONS, (said) => ({ actions: [said] })],
  ['Anthropic', ANTHROPIC, ANTHROPIC_ACTIONS, (said) => said],
  ['Google', GOOGLE, GOOGLE_ACTIONS, (said) => said],
])('%s actionsOf()', (_name, protocol, translations, input) => {
  it.each(translations)('translates %j', (said, meant) => {
    expect(protocol.actionsOf(input(said), HALF)).toEqual([meant]);
  });
});

describe('key names', () => {
  it.each([
    ['Return', ['Enter']],
    ['ctrl+shift+T', ['Control+Shift+T']],
    ['cmd+c', ['ControlOrMeta+c']],
    ['super+Left', ['Meta+ArrowLeft']],
    ['KP_0', ['Numpad0']],
    ['KP_Enter', ['NumpadEnter']],
    ['f11', ['F11']],
    ['ctrl++', ['Control+Plus']],
    ['+', ['Plus']],
    ['minus', ['-']],
    ['ctrl+a BackSpace', ['Control+a', 'Backspace']],
    [' ', ['Space']],
    ['', []],
  ])('parses %j as %j', (text, combinations) => {
    expect(combinationsIn(text)).toEqual(combinations);
  });

  it('recognizes key names in capitals', () => {
    expect(combinationOf(['CTRL', 'ARROWLEFT'])).toBe('Control+ArrowLeft');
    expect(combinationOf(['PGDN'])).toBe('PageDown');
  });

  it('returns each modifier once, and omits other keys', () => {
    expect(modifiersOf('ctrl+shift_l+Control_L+x')).toEqual(['Control', 'Shift']);
    expect(modifiersOf(undefined)).toEqual([]);
  });
});

describe('screenshot coordinates', () => {
  it('maps a screenshot point to the viewport and back', () => {
    const screen = { viewport: { width: 1921, height: 1079 }, picture: { width: 1456, height: 818 } };
    expect(pointOnPage(screen, { x: 728, y: 409 })).toEqual({ x: 960.5, y: 539.5 });
    expect(toScreenshotPoint(screen, { x: 960.5, y: 539.5 })).toEqual({ x: 728, y: 409 });
  });

  it('maps a point of the 1000 × 1000 grid at any aspect ratio', () => {
    const screen = { viewport: { width: 333, height: 1777 }, picture: { width: 333, height: 1777 } };
    expect(gridPointOnPage(screen, { x: 500, y: 999 })).toEqual({ x: 166.5, y: 999 * 1.777 });
  });

  it('clamps a point outside the screenshot to the viewport', () => {
    expect(pointOnPage(HALF, { x: 5000, y: -3 })).toEqual({ x: 999, y: 0 });
  });

  it('returns an area of at least 1 pixel for two equal points', () => {
    expect(areaOnPage(HALF, { x: 10, y: 10 }, { x: 10, y: 10 })).toEqual({ x: 20, y: 20, width: 1, height: 1 });
  });
});

describe('fittingSize()', () => {
  const [standard, sharp] = ['claude-sonnet-4-6', 'claude-opus-5-5'].map((model) => ANTHROPIC.limits(model));

  // What Anthropic says that it makes of them itself.
  it.each([
    [
      { width: 1280, height: 720 },
      { width: 1280, height: 720 },
    ],
    [
      { width: 1920, height: 1080 },
      { width: 1456, height: 819 },
    ],
    [
      { width: 1075, height: 1520 },
      { width: 924, height: 1307 },
    ],
    [
      { width: 3000, height: 200 },
      { width: 1568, height: 105 },
    ],
  ])('scales %j to %j for a model limited to 1568 pixels', (viewport, size) => {
    expect(fittingSize(viewport, standard ?? { edge: 0 })).toEqual(size);
  });

  it('keeps 1920 × 1080 and scales 2560 × 1440 for claude-opus-5-5', () => {
    expect(fittingSize({ width: 1920, height: 1080 }, sharp ?? { edge: 0 })).toEqual({ width: 1920, height: 1080 });
    expect(fittingSize({ width: 2560, height: 1440 }, sharp ?? { edge: 0 })).toEqual({ width: 1988, height: 1118 });
  });

  it('keeps 3840 × 2160 for OpenAI and 9000 × 9000 for Google', () => {
    expect(fittingSize({ width: 3840, height: 2160 }, OPENAI.limits(''))).toEqual({ width: 3840, height: 2160 });
    expect(fittingSize({ width: 9000, height: 9000 }, GOOGLE.limits(''))).toEqual({ width: 9000, height: 9000 });
  });
});

describe('Anthropic formatResults()', () => {
  const picture = { data: Buffer.from('screen'), mediaType: 'image/png' } as const;
  const part = { data: Buffer.from('part'), mediaType: 'image/png' } as const;
  const shown = { picture, url: 'https://example.com/' };
  const clicked = { id: '1', tool: 'computer', text: 'Clicked.' };
  const zoomed = { id: '2', tool: 'computer', text: '', images: [part] };
  const looked = { id: '3', tool: 'computer', text: '', images: [picture] };
  const tell = (...results: readonly ModelCallResult[]): unknown =>
    ANTHROPIC.formatResults(
      results.map((result) => ({ result, passed: [] })),
      shown,
    ).results.map(({ images = [] }) => images.length);

  it.each([
    ['attaches the screenshot to a click result', [clicked], [1]],
    ['sends one screenshot when the model requested one', [clicked, looked], [0, 1]],
    ['sends the zoomed area and the screenshot after a click and a zoom', [clicked, zoomed], [0, 2]],
    ['sends only the zoomed area when the zoom was the only action', [zoomed], [1]],
  ])('%s', (_name, results, pictures) => {
    expect(tell(...results)).toEqual(pictures);
  });
});

describe('Anthropic computer tool', () => {
  const display = { displayWidthPx: 500, displayHeightPx: 400 };

  test.each([
    ['claude-opus-5-5', { id: 'anthropic.computer_toolset_20260801', args: {} }],
    ['claude-sonnet-5', { id: 'anthropic.computer_toolset_20260801', args: {} }],
    ['claude-opus-4-8', { id: 'anthropic.computer_toolset_20260801', args: {} }],
    ['claude-of-tomorrow', { id: 'anthropic.computer_toolset_20260801', args: {} }],
    ['claude-opus-4-7', { id: 'anthropic.computer_20251124', args: { ...display, enableZoom: true } }],
    ['claude-opus-4-5-20251101', { id: 'anthropic.computer_20251124', args: { ...display, enableZoom: true } }],
    ['claude-sonnet-4-6', { id: 'anthropic.computer_20251124', args: { ...display, enableZoom: true } }],
    ['claude-sonnet-4-5-20250929', { id: 'anthropic.computer_20250124', args: display }],
    ['claude-opus-4-20250514', { id: 'anthropic.computer_20250124', args: display }],
    ['claude-3-7-sonnet-20250219', { id: 'anthropic.computer_20250124', args: display }],
  ])('has the version that %s supports', (model, tool) => {
    expect(ANTHROPIC.tool(model, HALF, new Set())).toEqual(tool);
  });
});

function unusable(why: RegExp): ComputerAction {
  return { kind: 'unusable', why: expect.stringMatching(why) as string };
}
