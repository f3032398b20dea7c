/** Draws screencast frames on a canvas. */
export class ScreenCanvas {
  readonly #canvas: HTMLCanvasElement;
  #isDrawing = false;
  #next: Blob | undefined;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** Draws a frame. Of the frames that arrive meanwhile, only the newest is drawn next. */
  show(picture: Blob): void {
    this.#next = picture;
    if (!this.#isDrawing) void this.#draw();
  }

  async #draw(): Promise<void> {
    const canvas = this.#canvas;
    this.#isDrawing = true;
    while (this.#next) {
      const picture = this.#next;
      this.#next = undefined;
      const bitmap = await createImageBitmap(picture);
      if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
      if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
      bitmap.close();
      canvas.dataset['pictures'] = String(Number(canvas.dataset['pictures'] ?? 0) + 1);
    }
    this.#isDrawing = false;
  }
}
