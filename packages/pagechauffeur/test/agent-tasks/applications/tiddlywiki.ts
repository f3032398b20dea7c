import { type AgentTask, type PlainTask, type TaskApplication, type TaskPlace, until } from '../agent-task.ts';
import { acceptDialog, button, click, done, element, fill, link, textbox } from '../decision.ts';

const title = textbox('');
const text = textbox('Type the text for this tiddler');
const confirm = button('Confirm changes to this tiddler');

interface Tiddler {
  readonly title: string;
  readonly text?: string;
  readonly tags?: string;
}

/** A note as the server has it; the page saves some time after it was changed. */
async function saved(
  { url }: TaskPlace,
  name: string,
  isSaved: (tiddler: Tiddler | undefined) => boolean,
): Promise<Tiddler | undefined> {
  return until(async () => {
    const response = await fetch(`${url}recipes/default/tiddlers/${encodeURIComponent(name)}`);
    return response.ok ? ((await response.json()) as Tiddler) : undefined;
  }, isSaved);
}

const tasks: readonly AgentTask[] = [
  {
    name: 'writes a new note',
    instruction:
      'Write a new note with the title "Window display", tagged events: "Lanterns, and books about the sea."',
    isCompared: true,
    steps: [
      [click(button('new tiddler'))],
      [fill(title, 'Window display'), fill(textbox('tag name'), 'events')],
      [click(button('add')), fill(text, 'Lanterns, and books about the sea.'), click(confirm)],
      [done('The note is written.')],
    ],
    outcome: async (place) => {
      const tiddler = await saved(place, 'Window display', (found) => found !== undefined);
      return [tiddler?.text, tiddler?.tags];
    },
    expected: ['Lanterns, and books about the sea.', 'events'],
  },
  {
    name: 'changes the text of a note',
    instruction: 'Replace the text of the note Opening hours by "Closed until Easter."',
    isCompared: true,
    steps: [
      [click(button('Edit this tiddler', { after: /heading\b.*Welcome/ }))],
      [fill(text, 'Closed until Easter.'), click(confirm)],
      [done('Changed.')],
    ],
    outcome: async (place) => {
      const isChanged = (found: Tiddler | undefined): boolean => found?.text?.startsWith('Closed') === true;
      return (await saved(place, 'Opening hours', isChanged))?.text;
    },
    expected: 'Closed until Easter.',
  },
  {
    name: 'renames a note',
    instruction: 'Rename the note Reading group to Book club.',
    steps: [
      [click(link('Reading group'))],
      [click(button('Edit this tiddler'))],
      [fill(title, 'Book club'), click(confirm)],
      [done('Renamed.')],
    ],
    outcome: async (place) => {
      const there = await saved(place, 'Book club', (found) => found !== undefined);
      const gone = await saved(place, 'Reading group', (found) => found === undefined);
      return [there?.tags, gone];
    },
    expected: ['events', undefined],
  },
  {
    name: 'searches for a note, deletes it and accepts the dialog',
    instruction: 'Delete the note Returns.',
    steps: [
      [fill(element('searchbox', ''), 'Returns')],
      [click(link('Returns'))],
      [click(button('Edit this tiddler'))],
      [acceptDialog(), click(button('Delete this tiddler'))],
      [done('Deleted.')],
    ],
    outcome: (place) => saved(place, 'Returns', (found) => found === undefined),
    expected: undefined,
  },
];

const plainTasks: readonly PlainTask[] = [
  {
    name: 'writes into an editor in a frame',
    instruction:
      'Click the "new tiddler" button, type "Lanterns and books." into the "Type the text for this tiddler" field, and click "Confirm changes to this tiddler".',
    outcome: async (place) => (await saved(place, 'New Tiddler', (found) => found !== undefined))?.text,
    expected: 'Lanterns and books.',
  },
];

/** A notebook in one page, with an editor in a frame. */
export const tiddlywiki: TaskApplication = {
  name: 'TiddlyWiki',
  start: async () => (await import('../../../../../apps/start-tiddlywiki.ts')).startTiddlywiki(),
  ready: 'a[href="#Order%20list"]',
  tasks,
  plainTasks,
};
