// Drives an application that nobody prepared for it: TiddlyWiki, with its icon buttons and its editor in a frame.
// It reads the opening hours off a table, writes a new note with a title, a tag and a text made from what it read,
// finds the note again by the search, and then asks TiddlyWiki's own HTTP API what was saved.
//
//   npm ci --prefix apps && node examples/tiddlywiki/main.ts
import { setTimeout as sleep } from 'node:timers/promises';
import { Driver } from 'pagechauffeur';
import { z } from 'zod';
import { startTiddlywiki } from '../../apps/start-tiddlywiki.ts';
import { checkOutcome } from '../demo/check-outcome.ts';
import { Journal } from '../demo/journal.ts';
import { Passenger } from '../demo/passenger.ts';

/** TiddlyWiki saves in the background and offers no event for it, so its API is asked now and then. */
const SAVE_TIMEOUT = 15_000;
const SAVE_POLL = 250;

const openingHours = z.object({
  hours: z.array(z.object({ day: z.string(), opens: z.string(), closes: z.string() })),
});

const wiki = await startTiddlywiki();
try {
  await run(wiki.url);
} finally {
  await wiki.close();
}

async function run(url: string): Promise<void> {
  await using driver = new Driver({ env: 'LOCAL', model: 'offline/lexical', disableLoggerBackend: true });
  await driver.init();
  const journal = new Journal(driver);
  const passenger = new Passenger(driver, journal);
  await passenger.goto(url);
  const closing = await readClosingTime(passenger);
  const text = `Bring a poem of your own. We start on Saturday at ${closing}, right after closing.`;
  await writeNote(passenger, text);
  await findNote(passenger);
  await passenger.screenshot('tiddlywiki');
  journal.summary();
  const { title, tags, text: savedText } = await savedNote(`${url}recipes/default/tiddlers/Poetry%20evening`);
  checkOutcome([
    { what: 'the table was read right', expected: '17:00', actual: closing },
    {
      what: 'the note was saved with its title, tag and text',
      expected: { title: 'Poetry evening', tags: 'events', text },
      actual: { title, tags, text: savedText },
    },
  ]);
}

async function readClosingTime(passenger: Passenger): Promise<string> {
  const { hours } = await passenger.extract('the opening hours of each day', openingHours, (read) => ({
    effect: `${read.hours.length} rows`,
    details: read.hours.map(({ day, opens, closes }) => `${day.padEnd(18)} ${opens} to ${closes}`),
  }));
  return hours.find(({ day }) => day === 'Saturday')?.closes ?? 'an unknown hour';
}

async function writeNote(passenger: Passenger, text: string): Promise<void> {
  await passenger.act('press the "new tiddler" button');
  // The caret is in the title, which has no label.
  await passenger.act('type "Poetry evening"');
  await passenger.act('type "events" into the tag name field');
  await passenger.act('press the first "add" button');
  await passenger.act(`type "${text}" into the text of this tiddler`);
  await passenger.act('confirm the changes to this tiddler');
}

async function findNote(passenger: Passenger): Promise<void> {
  await passenger.act('close all');
  await passenger.act('type "poem" into the searchbox');
  await passenger.observe('the link "Poetry evening"');
  await passenger.act('open "Poetry evening"');
}

async function savedNote(address: string): Promise<Readonly<Record<string, unknown>>> {
  for (const startedAt = performance.now(); performance.now() - startedAt < SAVE_TIMEOUT; await sleep(SAVE_POLL)) {
    const response = await fetch(address);
    if (response.ok) return (await response.json()) as Readonly<Record<string, unknown>>;
  }
  return {};
}
