import type { Box, Point } from '../../injected/contract.ts';
import type { KeyModifier } from '../../actions/input/modifier-names.ts';
import type { MouseButton } from '../../actions/input/mouse-events.ts';

/**
 * An action for mouse, keyboard and browser, independent of the provider. Coordinates are in CSS pixels, relative to
 * the viewport.
 */
export type ComputerAction =
  | ({ readonly kind: 'click'; readonly at?: Point; readonly button: MouseButton; readonly count: number } & Held)
  /** Keeps the button down for `seconds`. */
  | ({ readonly kind: 'long-press'; readonly at: Point; readonly seconds: number } & Held)
  | ({ readonly kind: 'move'; readonly at: Point } & Held)
  | { readonly kind: 'mouse-down' | 'mouse-up'; readonly at?: Point }
  | ({ readonly kind: 'drag'; readonly path: readonly Point[] } & Held)
  | ({ readonly kind: 'scroll'; readonly at?: Point; readonly deltaX: number; readonly deltaY: number } & Held)
  /** Clicks `at` first. `replaces` clears the field. The text contains `%name%` placeholders. */
  | {
      readonly kind: 'type';
      readonly text: string;
      readonly at?: Point;
      readonly replaces?: boolean;
      readonly submits?: boolean;
    }
  /** Presses the combinations in order, and repeats this `times` times. */
  | { readonly kind: 'press'; readonly combinations: readonly string[]; readonly times: number }
  | { readonly kind: 'hold'; readonly combination: string; readonly seconds: number }
  | { readonly kind: 'key-down' | 'key-up'; readonly key: string }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'screenshot' | 'cursor-position' }
  | { readonly kind: 'zoom'; readonly area: Box }
  | { readonly kind: 'navigate'; readonly url: string }
  | { readonly kind: 'back' | 'forward' }
  /** An unknown or incomplete action. `why` is a sentence. */
  | { readonly kind: 'unusable'; readonly why: string };

/** Keys held during the action. */
interface Held {
  readonly modifiers?: readonly KeyModifier[];
}

const LOOKS: ReadonlySet<ComputerAction['kind']> = new Set(['wait', 'screenshot', 'cursor-position', 'zoom']);

/** True if an action only reads. It does no harm on another page than the intended one. */
export function isReadOnly({ kind }: ComputerAction): boolean {
  return LOOKS.has(kind);
}

/** The library tool with the same effect. If the user excludes that tool, this action is refused, too. */
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

/** Returns the excluded tool with the same effect as the action. `undefined` if the action is allowed. */
export function excludedTool({ kind }: ComputerAction, excluded: ReadonlySet<string>): string | undefined {
  const tool = TOOL_BY_KIND[kind];
  return tool !== undefined && excluded.has(tool) ? tool : undefined;
}
