const MEDIA_ERROR =
  'Chromium names a media element by the message that its own controls show; a snapshot keeps to what the author wrote.';

/**
 * Where a snapshot differs from Chromium's accessibility tree, and why. A difference that is not here fails
 * the comparison, and so does one that is here and no longer occurs.
 */
export const explainedDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  landmarks: {
    '<a>: link "In a flat box" is not in the snapshot':
      'What a box without height folds away can neither be seen nor clicked; menus and accordions hold a lot of it.',
    '<button>: button "In a canvas" is not in the snapshot': 'The content of a canvas is not painted.',
  },
  slider: {
    '<div>: slider "times" is not in the snapshot': 'A slider without height can neither be seen nor clicked.',
  },
  'media-and-scripts': {
    '<video>: Video "Unable to play media." is named "Interview" in the snapshot': MEDIA_ERROR,
    '<audio>: Audio "Unable to play media." is named "" in the snapshot': MEDIA_ERROR,
    '<a#listener>: link "Anchor without an address" is generic "" in the snapshot':
      'The script added a listener, so the anchor can be clicked. Without an address it has no role, and its text is its content.',
  },
};
