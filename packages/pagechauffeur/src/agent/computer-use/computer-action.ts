import type { Box, Point } from '../../injected/contract.ts';
import type { KeyModifier } from '../../page/input/modifier-names.ts';
import type { MouseButton } from '../../page/input/mouse-events.ts';

/** What a model asks to have done with mouse, keyboard and browser, whatever its provider calls it. Points are CSS pixels of the page's viewport. */
export type ComputerAction =
  | ({ readonly kind: 'click'; readonly at?: Point; readonly button: MouseButton; readonly count: number } & Held)
  /** The button stays down for some seconds. */
  | ({ readonly kind: 'long-press'; readonly at: Point; readonly seconds: number } & Held)
  | ({ readonly kind: 'move'; readonly at: Point } & Held)
  | { readonly kind: 'mouse-down' | 'mouse-up'; readonly at?: Point }
  | ({ readonly kind: 'drag'; readonly path: readonly Point[] } & Held)
  | ({ readonly kind: 'scroll'; readonly at?: Point; readonly deltaX: number; readonly deltaY: number } & Held)
  /** With `%name%` placeholders; `at` is clicked first, `replaces` takes out what stands there. */
  | {
      readonly kind: 'type';
      readonly text: string;
      readonly at?: Point;
      readonly replaces?: boolean;
      readonly submits?: boolean;
    }
  /** Combinations one after another, all of them so often. */
  | { readonly kind: 'press'; readonly combinations: readonly string[]; readonly times: number }
  | { readonly kind: 'hold'; readonly combination: string; readonly seconds: number }
  | { readonly kind: 'key-down' | 'key-up'; readonly key: string }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'screenshot' | 'cursor-position' }
  | { readonly kind: 'zoom'; readonly area: Box }
  | { readonly kind: 'navigate'; readonly url: string }
  | { readonly kind: 'back' | 'forward' }
  /** What nobody knows, or what lacks something: why, in a sentence. */
  | { readonly kind: 'unusable'; readonly why: string };

/** Keys that are held meanwhile. */
interface Held {
  readonly modifiers?: readonly KeyModifier[];
}

const LOOKS: ReadonlySet<ComputerAction['kind']> = new Set(['wait', 'screenshot', 'cursor-position', 'zoom']);

/** Whether an action only looks, and so does no harm on a page that it was not chosen for. */
export function isReadOnly({ kind }: ComputerAction): boolean {
  return LOOKS.has(kind);
}

/** The tool of the library that does the same; what is excluded by its name is not to be done in this way either. */
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

/** The excluded tool that an action would stand in for; undefined when it may be done. */
export function excludedTool({ kind }: ComputerAction, excluded: ReadonlySet<string>): string | undefined {
  const tool = TOOL_BY_KIND[kind];
  return tool !== undefined && excluded.has(tool) ? tool : undefined;
}
