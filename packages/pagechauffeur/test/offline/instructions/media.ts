import type { PageInstructions } from './instruction-case.ts';

/** A music player: a list with icon buttons, sliders, toggle buttons. */
export const media: PageInstructions = {
  page: 'media.html',
  cases: [
    { say: 'play Glass Tunnel', element: '#s2-play' },
    { say: 'pause the music', element: '#pause' },
    { say: 'skip to the next track', element: '#next' },
    { say: 'like the song Last Exit', element: '#s4-like' },
    { say: 'set the volume to 30', element: '#volume', method: 'fill', arguments: ['30'] },
    { say: 'mute the sound', element: '#mute' },
    { say: 'shuffle the playlist', element: '#shuffle' },
    { say: 'play the whole playlist', element: '#play-all' },
    { say: 'play the third song', element: '#s3-play' },
    { say: 'open the "more" menu for Neon Road', element: '#s1-more' },
    { say: 'go full screen', element: '#full' },
    { say: 'follow this playlist', element: '#follow' },
    { say: 'type The Arcs into the search field', element: '#q', arguments: ['The Arcs'] },
    { say: 'show me the queue', element: '#queue' },
    { say: 'download the album', element: null },
    { say: 'play Bohemian Rhapsody', element: null },
    { say: 'play the last song in the list', element: '#s4-play' },
  ],
};
