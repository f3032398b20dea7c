import type { Session } from 'pagechauffeur/internal';
import { fieldAt, readField, setField } from './field-program.ts';
import type { ShownField, ViewRequest } from './view-wire.ts';

interface FieldsParts {
  readonly session: Session;
  readonly frameId: string;
  /** Called when a control opens or closes. */
  readonly onChange: () => void;
}

type Pointing = Extract<ViewRequest, { type: 'mouse' | 'touch' }>;

interface Field {
  readonly objectId: string;
  readonly x: number;
  readonly y: number;
}

/** A finger that moves further than this scrolls. */
const TAP_PIXELS = 10;

/**
 * Dropdowns and date, time and color inputs, whose popups a screencast does not show. A click or tap on one opens a
 * replacement in the dashboard instead of the popup.
 */
export class PageFields {
  readonly #parts: FieldsParts;
  #open: { readonly field: Field; readonly shown: ShownField } | undefined;
  #touched: Field | undefined;
  #isHeld = false;

  constructor(parts: FieldsParts) {
    this.#parts = parts;
  }

  /** The open control, for which the dashboard shows a replacement. */
  get shown(): ShownField | undefined {
    return this.#open?.shown;
  }

  /**
   * Returns the pointer event to send to the page. A click that opens a replacement becomes `undefined`, a tap becomes
   * `touchCancel`.
   */
  async take(input: Pointing): Promise<Pointing | undefined> {
    return input.type === 'mouse' ? this.#takeMouse(input) : this.#takeTouch(input);
  }

  /** Sets the value of the open control and closes it. `undefined` leaves the value unchanged. */
  async choose(value: string | undefined): Promise<void> {
    const open = this.#open;
    this.close();
    if (open && value !== undefined) await this.#call(setField, open.field.objectId, [{ value }]);
  }

  /** Closes the replacement without a choice. */
  close(): void {
    if (!this.#open) return;
    this.#open = undefined;
    this.#parts.onChange();
  }

  async #takeMouse(input: Extract<Pointing, { type: 'mouse' }>): Promise<Pointing | undefined> {
    if (input.event === 'mouseMoved' || input.button !== 'left') return input;
    if (input.event === 'mousePressed') {
      this.close();
      const field = await this.#fieldAt(input);
      this.#isHeld = field !== undefined;
      if (field) await this.#show(field);
    }
    const isOurs = this.#isHeld;
    if (input.event === 'mouseReleased') this.#isHeld = false;
    return isOurs ? undefined : input;
  }

  async #takeTouch(input: Extract<Pointing, { type: 'touch' }>): Promise<Pointing> {
    const [point] = input.points;
    if (input.event === 'touchStart' && point) {
      this.close();
      this.#touched = await this.#fieldAt(point);
    }
    const touched = this.#touched;
    if (touched && point && Math.hypot(point.x - touched.x, point.y - touched.y) > TAP_PIXELS)
      this.#touched = undefined;
    if (input.event !== 'touchEnd' || !this.#touched) return input;
    await this.#show(this.#touched);
    this.#touched = undefined;
    return { ...input, event: 'touchCancel' };
  }

  async #fieldAt({ x, y }: { readonly x: number; readonly y: number }): Promise<Field | undefined> {
    const { session, frameId } = this.#parts;
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId,
      worldName: 'chauffeur-view',
    });
    const { result } = await session.send('Runtime.callFunctionOn', {
      executionContextId,
      functionDeclaration: fieldAt.toString(),
      arguments: [{ value: x }, { value: y }],
    });
    return result.objectId === undefined ? undefined : { objectId: result.objectId, x, y };
  }

  async #show(field: Field): Promise<void> {
    const shown = (await this.#call(readField, field.objectId)) as ShownField;
    this.#open = { field, shown };
    this.#parts.onChange();
  }

  async #call(
    program: typeof readField | typeof setField,
    objectId: string,
    given: readonly { value: string }[] = [],
  ): Promise<unknown> {
    const { result } = await this.#parts.session.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: program.toString(),
      arguments: [{ objectId }, ...given],
      returnByValue: true,
    });
    return result.value;
  }
}
