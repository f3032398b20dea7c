import { dialog, done, download, handoff } from './browser-tools.ts';
import { check, click, fill, hover, select, typeText, upload } from './element-tools.ts';
import { back, drag, navigate, press, scroll, tabs, wait } from './page-tools.ts';
import { evaluate, expand, extract, find, screenshot, zoom } from './reading-tools.ts';
import type { Tool } from './tool.ts';

/** Every tool there is, in the order in which they are told; the agent, commands and servers are made from it. */
export const TOOLS: readonly Tool[] = [
  click,
  fill,
  typeText,
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

/** What has to be asked for by name. */
export const OFF_BY_DEFAULT: ReadonlySet<string> = new Set(['evaluate']);
