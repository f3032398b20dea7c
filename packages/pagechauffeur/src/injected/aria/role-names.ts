import { attributeOf } from '../native.ts';

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Roles of WAI-ARIA, without abstract ones such as `widget`, which are not valid in the `role` attribute. */
const ariaRoles: ReadonlySet<string> = wordSet(
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment ' +
    'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group ' +
    'heading img image insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox ' +
    'menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup ' +
    'rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion ' +
    'superscript switch tab table tablist tabpanel term text textbox time timer toolbar tooltip tree treegrid treeitem',
);

const synonyms: Readonly<Record<string, string>> = {
  image: 'img',
  presentation: 'none',
  directory: 'list',
  text: 'generic',
};

/** Returns the first valid role of the `role` attribute; `null` if there is none. */
export function authoredRole(element: Element): string | null {
  return validRole(attributeOf(element, 'role'));
}

/** Returns the first valid role of a list; `null` if there is none. */
export function validRole(authored: string | null): string | null {
  if (authored === null) return null;
  for (const token of authored.toLowerCase().split(/\s+/)) {
    if (ariaRoles.has(token)) return synonyms[token] ?? token;
    if (publishingLinkRoles.has(token)) return 'link';
  }
  return null;
}

export const interactiveRoles: ReadonlySet<string> = wordSet(
  'button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider ' +
    'spinbutton switch tab textbox treeitem',
);

export const rolesNamedByContent: ReadonlySet<string> = wordSet(
  'button cell checkbox columnheader gridcell heading link math menuitem menuitemcheckbox menuitemradio option radio rowheader ' +
    'switch tab term tooltip treeitem',
);

/** Roles whose content is left out of an ancestor's name. */
export const rolesApartFromNames: ReadonlySet<string> = wordSet(
  'alert alertdialog application article banner blockquote combobox comment complementary contentinfo dialog document feed figure form ' +
    'grid group img listbox log main marquee menu menubar meter navigation note progressbar radiogroup row rowgroup scrollbar search ' +
    'sectionfooter sectionheader separator slider spinbutton status suggestion table tablist tabpanel timer toolbar tree treegrid',
);

/** Roles whose text has a space on both sides in an ancestor's name. */
export const controlRoles: ReadonlySet<string> = wordSet(
  'button checkbox listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab ' +
    'textbox tree treegrid',
);

/** Link roles from the Digital Publishing ARIA module. */
const publishingLinkRoles: ReadonlySet<string> = wordSet('doc-backlink doc-biblioref doc-glossref doc-noteref');
