/** Where an element is on a page, for the benchmark: a path of tags that is the same on each fresh load. */
export interface Spot {
  readonly path: string;
  /** A point at which a click reaches this element itself, in the viewport. */
  readonly x: number;
  readonly y: number;
}

/** A box in the viewport, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An element that a click at its centre reaches, and the elements around it that can be clicked beside it. */
export interface Leaf extends Spot {
  readonly kind: string;
  /** From the inside out. */
  readonly around: readonly Spot[];
  /** The box of the control whose label contains it. */
  readonly control: Box | null;
}

export interface ReachRecorder {
  /** All elements that a click at their centre reaches. */
  leaves(): Leaf[];
  /** A point at which a click reaches the body or the root element; `null` if other elements cover all of the viewport. */
  background(): Spot | null;
  /** The element that a click at a point reaches. */
  spotAt(x: number, y: number): Spot | null;
  /** Resolves once the page has not changed for 120 ms, after 1.5 s at the latest. */
  drawn(): Promise<void>;
  /** Starts to record after `time` ms, so that hover effects do not count. */
  start(time: number): Promise<void>;
  /** Stops after `time` ms. Returns the changes since `start`, each once. */
  stop(time: number): Promise<string[]>;
}
