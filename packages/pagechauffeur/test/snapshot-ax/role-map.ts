/**
 * Chromium's names of roles that are not ARIA's, or are its newer synonyms, and the name a snapshot uses
 * instead. Each has its reason; a role that is not here must be the same on both sides.
 */
export const snapshotRoleByChromiumRole: Readonly<Record<string, string>> = {
  // ARIA 1.3 makes `image` a synonym of `img`; the snapshot keeps the shorter, older one.
  image: 'img',
  SvgRoot: 'img',
  // Parts of the layout without a role in ARIA: the browser's internal names for "nothing in particular".
  Abbr: 'generic',
  DescriptionList: 'generic',
  EmbeddedObject: 'generic',
  Figcaption: 'generic',
  LabelText: 'generic',
  LayoutTable: 'generic',
  LayoutTableCell: 'generic',
  LayoutTableRow: 'generic',
  Legend: 'generic',
  PluginObject: 'generic',
  Ruby: 'generic',
  'graphics-symbol': 'generic',
  // The digital publishing module's references are links to whoever clicks them.
  'doc-backlink': 'link',
  'doc-biblioref': 'link',
  'doc-glossref': 'link',
  'doc-noteref': 'link',
  // Its other roles say nothing about what can be done.
  'doc-abstract': 'generic',
  // What a picture or a player is, no role of ARIA says; a snapshot names it as its tag.
  Audio: 'audio',
  Canvas: 'canvas',
  Video: 'video',
  // A frame is one line, named as its tag.
  Iframe: 'iframe',
  IframePresentational: 'iframe',
  // What a person clicks to open or close a `details` is a button to them.
  DisclosureTriangle: 'button',
  DisclosureTriangleGrouped: 'button',
  // Controls that HTML-AAM gives no role. A person types into them, so they are text boxes.
  ColorWell: 'textbox',
  Date: 'textbox',
  DateTime: 'textbox',
  InputTime: 'textbox',
};

/** The roles of things that a person operates, by Chromium's names. */
export const interactiveChromiumRoles: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'listbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'scrollbar',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'treeitem',
  'ColorWell',
  'Date',
  'DateTime',
  'InputTime',
  'DisclosureTriangle',
  'DisclosureTriangleGrouped',
  'Iframe',
]);
