import { admin } from './instructions/admin.ts';
import { article } from './instructions/article.ts';
import { calendar } from './instructions/calendar.ts';
import { checkout } from './instructions/checkout.ts';
import { dialog } from './instructions/dialog.ts';
import { dropdowns } from './instructions/dropdowns.ts';
import { frames } from './instructions/frames.ts';
import type { PageInstructions } from './instructions/instruction-case.ts';
import { kanban } from './instructions/kanban.ts';
import { login } from './instructions/login.ts';
import { mail } from './instructions/mail.ts';
import { media } from './instructions/media.ts';
import { menus } from './instructions/menus.ts';
import { orders } from './instructions/orders.ts';
import { results } from './instructions/results.ts';
import { settings } from './instructions/settings.ts';
import { shop } from './instructions/shop.ts';
import { tabs } from './instructions/tabs.ts';
import { tree } from './instructions/tree.ts';

/** Our own pages and what users say to them. */
export const instructionSet: readonly PageInstructions[] = [
  shop,
  orders,
  login,
  settings,
  menus,
  tabs,
  dialog,
  calendar,
  mail,
  admin,
  kanban,
  media,
  checkout,
  results,
  tree,
  frames,
  article,
  dropdowns,
];

/** Every third sentence of a page is held out: it is not looked at while the model is being written. */
export function isHeldOut(caseIndex: number): boolean {
  return caseIndex % 3 === 2;
}
