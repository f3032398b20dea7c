/** A page that writes down what comes to it; nothing of it has a meaning of its own. */
export const RECORDER = `<!doctype html><title>Recorder</title><style>html, body { margin: 0; height: 100%; user-select: none }</style>
<script>
  const said = [];
  const held = (event) => ['ctrl', 'alt', 'shift', 'meta'].filter((name) => event[name + 'Key']).map((name) => '+' + name).join('');
  const at = (event) => '@' + Math.round(event.clientX) + ',' + Math.round(event.clientY);
  const note = (text) => {
    said.push(text);
    document.querySelector('p').textContent = said.length;
  };
  const on = (type, tell) => addEventListener(type, (event) => { event.preventDefault(); const text = tell(event); if (text) note(text); }, { passive: false });
  const BUTTONS = ['left', 'middle', 'right'];
  on('mousedown', (event) => BUTTONS[event.button] + ' down' + held(event) + at(event));
  on('mouseup', (event) => BUTTONS[event.button] + ' up' + at(event));
  on('mousemove', (event) => event.buttons ? 'drag' + at(event) : '');
  on('click', (event) => 'click ' + event.detail);
  on('dblclick', () => 'double');
  on('contextmenu', () => 'menu');
  on('wheel', (event) => 'wheel ' + event.deltaX + ',' + event.deltaY + held(event) + at(event));
  on('keydown', (event) => event.repeat ? '' : 'key ' + event.key + held(event));
  on('keyup', (event) => 'up ' + event.key);
</script><p style="position:absolute;top:600px"></p>`;

const CLICK = ['left down@100,100', 'left up@100,100', 'click 1'];

/** An action in a provider's words, and what a page sees of it. */
export type Step = readonly [action: object, seen: readonly string[]];

const MOUSE = { x: 100, y: 100 };

/** Every action of OpenAI. */
export const OPENAI_STEPS: readonly Step[] = [
  [{ type: 'click', button: 'left', ...MOUSE }, CLICK],
  [{ type: 'click', button: 'right', ...MOUSE }, ['right down@100,100', 'menu', 'right up@100,100']],
  [{ type: 'click', button: 'wheel', ...MOUSE }, ['middle down@100,100', 'middle up@100,100']],
  [
    { type: 'click', button: 'left', ...MOUSE, keys: ['SHIFT'] },
    ['left down+shift@100,100', 'left up@100,100', 'click 1'],
  ],
  [{ type: 'double_click', ...MOUSE }, [...CLICK, 'left down@100,100', 'left up@100,100', 'click 2', 'double']],
  [{ type: 'move', x: 300, y: 300 }, []],
  [{ type: 'scroll', ...MOUSE, scroll_x: 30, scroll_y: 120, keys: ['ALT'] }, ['wheel 30,120+alt@100,100']],
  [
    { type: 'drag', path: [MOUSE, { x: 150, y: 100 }, { x: 150, y: 180 }] },
    ['left down@100,100', 'drag@150,100', 'drag@150,180', 'left up@150,180', 'click 1'],
  ],
  [
    { type: 'keypress', keys: ['CTRL', 'SHIFT', 'K'] },
    ['key Control+ctrl', 'key Shift+ctrl+shift', 'key K+ctrl+shift', 'up K', 'up Shift', 'up Control'],
  ],
  [{ type: 'keypress', keys: ['ARROWDOWN'] }, ['key ArrowDown', 'up ArrowDown']],
  [{ type: 'type', text: 'hé' }, ['key h', 'up h']],
  [{ type: 'screenshot' }, []],
];

/** Every action of Anthropic. */
export const ANTHROPIC_STEPS: readonly Step[] = [
  [{ action: 'screenshot' }, []],
  [{ action: 'left_click', coordinate: [100, 100] }, CLICK],
  [{ action: 'mouse_move', coordinate: [120, 90] }, []],
  [{ action: 'cursor_position' }, []],
  [{ action: 'right_click' }, ['right down@120,90', 'menu', 'right up@120,90']],
  [{ action: 'middle_click', coordinate: [100, 100] }, ['middle down@100,100', 'middle up@100,100']],
  [
    { action: 'double_click', coordinate: [100, 100] },
    [...CLICK, 'left down@100,100', 'left up@100,100', 'click 2', 'double'],
  ],
  [
    { action: 'triple_click', coordinate: [300, 100], text: 'ctrl+shift' },
    [1, 2, 3].flatMap((count) => [
      'left down+ctrl+shift@300,100',
      'left up@300,100',
      `click ${count}`,
      ...(count === 2 ? ['double'] : []),
    ]),
  ],
  [
    { action: 'left_click_drag', start_coordinate: [100, 100], coordinate: [200, 100] },
    ['left down@100,100', 'drag@200,100', 'left up@200,100', 'click 1'],
  ],
  [
    { action: 'left_click_drag', coordinate: [250, 120] },
    ['left down@200,100', 'drag@250,120', 'left up@250,120', 'click 1'],
  ],
  [{ action: 'left_mouse_down' }, ['left down@250,120']],
  [{ action: 'mouse_move', coordinate: [210, 110] }, ['drag@210,110']],
  [{ action: 'left_mouse_up' }, ['left up@210,110', 'click 1']],
  [{ action: 'scroll', coordinate: [100, 100], scroll_direction: 'down', scroll_amount: 2 }, ['wheel 0,200@100,100']],
  [{ action: 'scroll', scroll_direction: 'left', scroll_amount: 1, text: 'shift' }, ['wheel -100,0+shift@100,100']],
  [{ action: 'key', text: 'Return', repeat: 2 }, ['key Enter', 'up Enter', 'key Enter', 'up Enter']],
  [{ action: 'key', text: 'ctrl+s' }, ['key Control+ctrl', 'key s+ctrl', 'up s', 'up Control']],
  [{ action: 'hold_key', text: 'shift', duration: 0.05 }, ['key Shift+shift', 'up Shift']],
  [{ action: 'type', text: 'o\n' }, ['key o', 'up o', 'key Enter', 'up Enter']],
  [{ action: 'wait', duration: 0.05 }, []],
  [{ action: 'zoom', region: [0, 0, 100, 100] }, []],
];

/** On the grid of a viewport of 1280 by 720: (128, 72) and (256, 144). */
const NEAR = { x: 100, y: 100 };
const GRID_CLICK = ['left down@128,72', 'left up@128,72', 'click 1'];

/** Every action of Google. */
export const GOOGLE_STEPS: readonly Step[] = [
  [{ action: 'take_screenshot' }, []],
  [{ action: 'click', ...NEAR }, GRID_CLICK],
  [{ action: 'right_click', ...NEAR }, ['right down@128,72', 'menu', 'right up@128,72']],
  [{ action: 'middle_click', ...NEAR }, ['middle down@128,72', 'middle up@128,72']],
  [{ action: 'double_click', ...NEAR }, [...GRID_CLICK, 'left down@128,72', 'left up@128,72', 'click 2', 'double']],
  [
    { action: 'triple_click', x: 200, y: 100 },
    [1, 2, 3].flatMap((count) => [
      'left down@256,72',
      'left up@256,72',
      `click ${count}`,
      ...(count === 2 ? ['double'] : []),
    ]),
  ],
  [{ action: 'mouse_down', ...NEAR }, ['left down@128,72']],
  [{ action: 'move', x: 200, y: 200 }, ['drag@256,144']],
  [{ action: 'mouse_up', x: 200, y: 200 }, ['left up@256,144', 'click 1']],
  [{ action: 'long_press', ...NEAR, seconds: 0.05 }, GRID_CLICK],
  [
    { action: 'drag_and_drop', start_x: 100, start_y: 100, end_x: 200, end_y: 100 },
    ['left down@128,72', 'drag@256,72', 'left up@256,72', 'click 1'],
  ],
  [{ action: 'scroll', ...NEAR, direction: 'up' }, ['wheel 0,-300@128,72']],
  [{ action: 'scroll', ...NEAR, direction: 'right', magnitude_in_pixels: 40 }, ['wheel 40,0@128,72']],
  [{ action: 'press_key', key: 'ESC' }, ['key Escape', 'up Escape']],
  [{ action: 'hotkey', keys: ['CTRL', 'k'] }, ['key Control+ctrl', 'key k+ctrl', 'up k', 'up Control']],
  [{ action: 'key_down', key: 'SHIFT' }, ['key Shift+shift']],
  [{ action: 'type', text: 'o', press_enter: true }, ['key o+shift', 'up o', 'key Enter+shift', 'up Enter']],
  [{ action: 'key_up', key: 'SHIFT' }, ['up Shift']],
  [{ action: 'wait', seconds: 0.05 }, []],
];
