import { stemsOf } from '../text/words.ts';

/** Common nouns for containers with these roles. */
export const KIND_STEMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    dialog: 'dialog popup modal window',
    alertdialog: 'dialog popup alert modal',
    navigation: 'navigation nav navbar menu',
    banner: 'header top',
    contentinfo: 'footer bottom',
    complementary: 'sidebar side',
    toolbar: 'toolbar',
    table: 'table list',
    grid: 'table grid list',
    list: 'list',
    listbox: 'list',
    tree: 'tree',
    menu: 'menu',
    menubar: 'menubar menu bar',
    tablist: 'tabs',
    form: 'form',
    iframe: 'frame iframe',
  }).map(([role, words]) => [role, stemsOf(words)]),
);
