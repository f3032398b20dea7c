function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Valid roles for the `role` attribute, without abstract ones. */
export const ariaRoles: ReadonlySet<string> = words(
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment ' +
    'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group ' +
    'heading img image insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox ' +
    'menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup ' +
    'rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion ' +
    'superscript switch tab table tablist tabpanel term text textbox time timer toolbar tooltip tree treegrid treeitem',
);

/** Roles of interactive elements. */
export const interactiveRoles: ReadonlySet<string> = words(
  'button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider ' +
    'spinbutton switch tab textbox treeitem',
);

/** Roles that are named by their content. */
export const rolesNamedByContent: ReadonlySet<string> = words(
  'button cell checkbox columnheader gridcell heading link math menuitem menuitemcheckbox menuitemradio option radio rowheader ' +
    'switch tab term tooltip treeitem',
);

/** Roles whose content does not contribute to the name of an ancestor. */
export const rolesApartFromNames: ReadonlySet<string> = words(
  'alert alertdialog application article banner blockquote combobox comment complementary contentinfo dialog document feed figure form ' +
    'grid group img listbox log main marquee menu menubar meter navigation note progressbar radiogroup row rowgroup scrollbar search ' +
    'sectionfooter sectionheader separator slider spinbutton status suggestion table tablist tabpanel timer toolbar tree treegrid',
);

/** Roles of controls, whose text in a name is separated by spaces. */
export const controlRoles: ReadonlySet<string> = words(
  'button checkbox listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab ' +
    'textbox tree treegrid',
);

/** Link roles of the Digital Publishing ARIA module: references to notes, glossary and bibliography, and back links. */
export const publishingLinkRoles: ReadonlySet<string> = words('doc-backlink doc-biblioref doc-glossref doc-noteref');
