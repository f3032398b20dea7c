/** Role tokens an author may write; abstract roles are not among them. */
export const ariaRoles: ReadonlySet<string> = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment ' +
    'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group ' +
    'heading img image insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox ' +
    'menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup ' +
    'rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion ' +
    'superscript switch tab table tablist tabpanel term text textbox time timer toolbar tooltip tree treegrid treeitem'
  ).split(' '),
);

/** Roles of things that a person operates. */
export const interactiveRoles: ReadonlySet<string> = new Set(
  (
    'button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider ' +
    'spinbutton switch tab textbox treeitem'
  ).split(' '),
);

/** Roles whose content is not told apart: a button is a button whatever stands in it. */
export const childrenPresentationalRoles: ReadonlySet<string> = new Set(
  'button checkbox img math menuitemcheckbox menuitemradio meter option progressbar radio scrollbar separator slider switch tab'.split(' '),
);
