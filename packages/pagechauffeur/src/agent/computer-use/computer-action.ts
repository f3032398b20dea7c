import type { Box, Point } from '../../injected/contract.ts';
import type { KeyModifier } from '../../actions/input/modifier-names.ts';
import type { MouseButton } from '../../actions/input/mouse-events.ts';

/** An action of a computer-use model, independent of the provider. Coordinates are CSS pixels in the viewport. */
export type ComputerAction =
  | ({
      readonly kind: 'click';
      readonly at?: Point;
      readonly button: MouseButton;
      readonly count: number;
    } & HeldModifiers)
  /** Holds the button down for `seconds`. */
  | ({ readonly kind: 'long-press'; readonly at: Point; readonly seconds: number } & HeldModifiers)
  | ({ readonly kind: 'move'; readonly at: Point } & HeldModifiers)
  | { readonly kind: 'mouse-down' | 'mouse-up'; readonly at?: Point }
  | ({ readonly kind: 'drag'; readonly path: readonly Point[] } & HeldModifiers)
  | ({ readonly kind: 'scroll'; readonly at?: Point; readonly deltaX: number; readonly deltaY: number } & HeldModifiers)
  /** With `at`, clicks there first. `replaces` clears the field. The text can contain `%name%` placeholders. */
  | {
      readonly kind: 'type';
      readonly text: string;
      readonly at?: Point;
      readonly replaces?: boolean;
      readonly submits?: boolean;
    }
  /** Presses all combinations in order, `times` times. */
  | { readonly kind: 'press'; readonly combinations: readonly string[]; readonly times: number }
  | { readonly kind: 'hold'; readonly combination: string; readonly seconds: number }
  | { readonly kind: 'key-down' | 'key-up'; readonly key: string }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'screenshot' | 'cursor-position' }
  | { readonly kind: 'zoom'; readonly area: Box }
  | { readonly kind: 'navigate'; readonly url: string }
  | { readonly kind: 'back' | 'forward' }
  /** The model sent an unknown or incomplete action. `why` is the message for the model. */
  | { readonly kind: 'unusable'; readonly why: string };

interface HeldModifiers {
  readonly modifiers?: readonly KeyModifier[];
}

const READ_ONLY: ReadonlySet<ComputerAction['kind']> = new Set(['wait', 'screenshot', 'cursor-position', 'zoom']);

/** True for actions that are safe to run on a page that the model has not seen yet. */
export function isReadOnly({ kind }: ComputerAction): boolean {
  return READ_ONLY.has(kind);
}

/** The library tool that does the same. Excluding the tool also excludes the action. */
const TOOL_BY_KIND: Readonly<Partial<Record<ComputerAction['kind'], string>>> = {
  click: 'click',
  'long-press': 'click',
  'mouse-down': 'click',
  move: 'hover',
  drag: 'drag',
  scroll: 'scroll',
  type: 'type',
  press: 'press',
  hold: 'press',
  'key-down': 'press',
  wait: 'wait',
  screenshot: 'screenshot',
  zoom: 'zoom',
  navigate: 'navigate',
  back: 'back',
  forward: 'back',
};

export function excludedTool({ kind }: ComputerAction, excluded: ReadonlySet<string>): string | undefined {
  const tool = TOOL_BY_KIND[kind];
  return tool !== undefined && excluded.has(tool) ? tool : undefined;
}
