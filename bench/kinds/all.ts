import { article, checkoutForm, productCards } from '../pages.ts';
import { login, pricing, settings, wizard } from './forms.ts';
import { chat, forumThread, mailList, newsFrontPage, searchResults } from './lists.ts';
import { calendar, dashboard, documentation, fileManager, productPage, recordTable, taskBoard } from './tools.ts';

/** Generated pages of common kinds. */
export const pagesByKind: Readonly<Record<string, () => string>> = {
  checkout: checkoutForm,
  article,
  cards: productCards,
  login,
  settings,
  wizard,
  pricing,
  mail: mailList,
  search: searchResults,
  news: newsFrontPage,
  forum: forumThread,
  chat,
  dashboard,
  calendar,
  files: fileManager,
  docs: documentation,
  product: productPage,
  board: taskBoard,
  users: recordTable,
};
