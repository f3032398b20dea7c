// The demo: drives Chromium by plain sentences and prints what each one cost.
//
//   npm run demo                            a visit to the bundled shop
//   npm run demo -- <url> "<instruction>"   the same on any page
//
// With OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_API_KEY set, that provider's model reads the pages; without, the
// built-in offline model does. `--headed` or HEADED=1 shows the window.
import { parseArgs, styleText } from 'node:util';
import { Driver } from 'pagechauffeur';
import { visitPage } from './any-page.ts';
import { Journal, print } from './journal.ts';
import { Passenger } from './passenger.ts';
import { tourShop } from './shop-tour.ts';

const KEYS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_API_KEY'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { headed: { type: 'boolean', default: process.env['HEADED'] === '1' } },
});

try {
  await run(positionals);
} catch (error) {
  process.stderr.write(
    `\n${styleText('red', 'The demo failed.')} ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}

async function run([url, instruction]: readonly string[]): Promise<void> {
  const key = KEYS.find((name) => Boolean(process.env[name]));
  await using driver = new Driver({
    env: 'LOCAL',
    ...(key === undefined && { model: 'offline/lexical' }),
    localBrowserLaunchOptions: { headless: !values.headed, viewport: { width: 1280, height: 900 } },
    disableLoggerBackend: true,
  });
  await driver.init();
  print(
    `${styleText('bold', 'chauffeur')}  reading with ${key === undefined ? 'offline/lexical: no key is set, so no model is asked' : `the model of ${key}`}\n`,
  );
  const journal = new Journal(driver);
  const passenger = new Passenger(driver, journal);
  if (url === undefined) await tourShop(passenger);
  else await visitPage(passenger, url, instruction);
  journal.summary();
}
