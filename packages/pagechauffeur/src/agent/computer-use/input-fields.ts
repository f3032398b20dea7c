import type { Point } from '../../injected/contract.ts';
import { isRecord } from '../../util/is-record.ts';

/** Typed access to the fields of the tool input that a model sent. Treats a field of the wrong type as missing. */
export class InputFields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(input: unknown) {
    this.#fields = isRecord(input) ? input : {};
  }

  text(name: string): string | undefined {
    const value = this.#fields[name];
    return typeof value === 'string' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#fields[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? value : undefined;
  }

  list(name: string): readonly unknown[] {
    const value = this.#fields[name];
    return Array.isArray(value) ? value : [];
  }

  texts(name: string): readonly string[] {
    return this.list(name).filter((item) => typeof item === 'string');
  }

  inner(name: string): InputFields | undefined {
    const value = this.#fields[name];
    return isRecord(value) ? new InputFields(value) : undefined;
  }

  point(x = 'x', y = 'y'): Point | undefined {
    const [across, down] = [this.number(x), this.number(y)];
    return across === undefined || down === undefined ? undefined : { x: across, y: down };
  }

  /** Parses `[x, y]` or `[x0, y0, x1, y1]`. */
  pointsIn(name: string): readonly Point[] {
    const numbers = this.list(name).filter((item) => typeof item === 'number');
    if (numbers.length !== this.list(name).length || numbers.length % 2 !== 0) return [];
    return Array.from({ length: numbers.length / 2 }, (_, index) => ({
      x: numbers[index * 2] ?? 0,
      y: numbers[index * 2 + 1] ?? 0,
    }));
  }
}
