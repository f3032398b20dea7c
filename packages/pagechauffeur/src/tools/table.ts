import { dialog, done, download } from './browser-tools.ts';
import { check, click, edit, fill, hover, select, typeText, upload } from './element-tools.ts';
import { evaluate } from './evaluate-tool.ts';
import { handoff } from './handoff-tool.ts';
import { drag, press, scroll } from './input-tools.ts';
import { back, navigate, tabs } from './navigation-tools.ts';
import { screenshot, zoom, zoomAt } from './screenshot-tools.ts';
import { clickAt, dragAt, hoverAt, scrollAt, typeAt } from './point-tools.ts';
import { expand, extract, find } from './reading-tools.ts';
import type { Tool } from './tool.ts';
import { wait } from './wait-tool.ts';

/**
 * All tools of the library except `pageTool` and those that take coordinates. The order is that of the descriptions for
 * models.
 */
export const TOOLS: readonly Tool[] = [
  click,
  fill,
  typeText,
  edit,
  press,
  select,
  check,
  upload,
  hover,
  drag,
  scroll,
  navigate,
  back,
  tabs,
  wait,
  find,
  expand,
  extract,
  screenshot,
  zoom,
  evaluate,
  dialog,
  download,
  handoff,
  done,
];

/** Tools that take screenshot coordinates. */
export const POINT_TOOLS: readonly Tool[] = [clickAt, hoverAt, typeAt, dragAt, scrollAt, zoomAt];
