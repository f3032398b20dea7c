import { Clipboard } from './context/clipboard.ts';
import { ConsoleMessage } from './console-message.ts';
import { DriverContext } from './context.ts';
import { Dialog } from './dialog.ts';
import { Download } from './download.ts';
import { Keyboard } from '../actions/input/keyboard.ts';
import { Mouse } from '../actions/input/mouse.ts';
import { Frame, FrameLocator, Locator } from './locator.ts';
import { Page } from './page.ts';
import { Request } from './request.ts';
import { Response } from './response.ts';
import { Route } from './routing/route.ts';

/** The classes with public methods, other than `Driver`. `withPublicErrors` wraps their methods. */
export const publicClasses: readonly { readonly name: string; readonly prototype: object }[] = [
  Clipboard,
  ConsoleMessage,
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
  Route,
];
