import { afterAll, beforeAll, test } from 'vitest';
import { serve, type TestServer } from '../support/serve.ts';
import { type SharedBrowser, useBrowser } from '../support/use-browser.ts';
import { advert, type Spoils, type Theft, THEFTS, THEFTS_FROM_FIELDS, tryToSteal } from './focus-thieves.ts';

/** A browser, and another origin of the same site, whose frames live in the page's process. */
interface Lane {
  readonly browser: SharedBrowser;
  readonly neighbour: () => TestServer;
}

/** Calls mostly wait for keys that went elsewhere, so several browsers share a processor. */
const LANES = 4;
const TRIES = 200;
const TRIES_PER_FIELD = 40;

const lanes = Array.from({ length: LANES }, useLane);
const waiting: ((lane: Lane) => void)[] = [];

function useLane(): Lane {
  const browser = useBrowser();
  let server: TestServer;
  beforeAll(async () => {
    server = await serve();
  });
  afterAll(() => server?.close());
  return { browser, neighbour: () => server };
}

function nextFree(): Promise<Lane> {
  const { promise, resolve } = Promise.withResolvers<Lane>();
  waiting.push(resolve);
  return promise;
}

/** Runs `work` in a lane that no other test uses meanwhile. */
async function inLane<T>(work: (lane: Lane) => Promise<T>): Promise<T> {
  const lane = lanes.pop() ?? (await nextFree());
  try {
    return await work(lane);
  } finally {
    const next = waiting.shift();
    if (next) next(lane);
    else lanes.push(lane);
  }
}

async function steal(theft: Theft, tries: number): Promise<Spoils> {
  return inLane(({ browser, neighbour }) => {
    neighbour().page('/advert', advert(theft));
    browser.server.page('/advert', advert(theft));
    return tryToSteal(browser, neighbour().origin, { ...theft, tries });
  });
}

test.concurrent.for(THEFTS)(
  `$typing sends no key to $place that takes the focus ($moment) in ${TRIES} tries`,
  { timeout: 30 * 60_000 },
  async (theft, { expect }) => {
    expect(await steal(theft, TRIES)).toMatchObject({ heard: '', wrong: 0 });
  },
);

test.concurrent.for(THEFTS_FROM_FIELDS)(
  `$typing into $field sends no key to $place that takes the focus ($moment) in ${TRIES_PER_FIELD} tries`,
  { timeout: 30 * 60_000 },
  async (theft, { expect }) => {
    expect(await steal(theft, TRIES_PER_FIELD)).toMatchObject({ heard: '', wrong: 0 });
  },
);
