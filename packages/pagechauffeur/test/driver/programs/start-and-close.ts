/** Starts and closes a driver with the default log; the argument `off` turns it off. */
import { Driver } from '../../../src/index.ts';

await using driver = new Driver({ env: 'LOCAL', disableLoggerBackend: process.argv[2] === 'off' });
await driver.init();
