/** Opens and closes a browser, by force or not, and has nothing else to do. Prints when that is done; must end by itself. */
import { Driver } from '../../../src/index.ts';

const driver = new Driver({ env: 'LOCAL', disableLoggerBackend: true });
await driver.init();
await driver.close({ force: process.argv[2] === 'force' });
process.stdout.write('done\n');
