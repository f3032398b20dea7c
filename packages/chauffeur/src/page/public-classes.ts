import { Clipboard } from './context/clipboard.ts';
import { DriverContext } from './context.ts';
import { Dialog } from './dialog.ts';
import { Download } from './download.ts';
import { Keyboard } from './input/keyboard.ts';
import { Mouse } from './input/mouse.ts';
import { Frame, FrameLocator, Locator } from './locator.ts';
import { Page } from './page.ts';
import { Request } from './request.ts';
import { Response } from './response.ts';

/** What users hold besides the driver itself. */
export const publicClasses: readonly { readonly prototype: object }[] = [
  Clipboard,
  Dialog,
  Download,
  DriverContext,
  Frame,
  FrameLocator,
  Keyboard,
  Locator,
  Mouse,
  Page,
  Request,
  Response,
];
