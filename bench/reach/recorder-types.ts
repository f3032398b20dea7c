/** An element, identified by its path of tags, which is the same after each load. */
export interface Spot {
  readonly path: string;
  /** A viewport position where a click hits the element itself. */
  readonly x: number;
  readonly y: number;
}

/** In CSS pixels, relative to the viewport. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An element that a click on its center hits, with ancestors that can be clicked beside it. */
export interface Leaf extends Spot {
  readonly kind: string;
  /** Innermost first. */
  readonly around: readonly Spot[];
  /** Box of the control whose label contains the element. */
  readonly control: Box | null;
}

export interface ReachRecorder {
  /** Returns all elements that a click on their center hits. */
  leaves(): Leaf[];
  /**
   * Returns a position where a click hits the body or the root element. `null` if other elements cover the viewport.
   */
  background(): Spot | null;
  /** Returns the element that a click at this position hits. */
  spotAt(x: number, y: number): Spot | null;
  /** Resolves once the page has not changed for 500 ms, after 2.5 s at the latest. */
  drawn(): Promise<void>;
  /** Starts to record after `time` ms, so that hover effects do not count. */
  start(time: number): Promise<void>;
  /** Stops after `time` ms, or later while the page still changes. Returns the changes since `start`, each once. */
  stop(time: number): Promise<string[]>;
}
