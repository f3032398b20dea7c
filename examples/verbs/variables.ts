// Variables: their values go to the page and nowhere else; models, results, history and log see %name%.
import { Driver, type LogLine } from 'pagechauffeur';

const form = `<title>Sign in</title><label>User <input id="user"></label>
  <label>Password <input id="password" type="password"></label><label>Floor <input id="floor" type="number"></label>`;

const lines: LogLine[] = [];
await using driver = new Driver({
  env: 'LOCAL',
  model: 'offline/lexical',
  verbose: 2,
  logger: (line) => lines.push(line),
});
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
await page.setContent(form);

const variables = {
  user: 'ada',
  password: { value: 'correct horse battery staple', description: 'the password of the account' },
  floor: 3,
};
await driver.act('type %user% into the user field', { variables });
const result = await driver.act('type %password% into the password field', { variables });
await driver.act('type %floor% into the floor field', { variables });

console.log(
  `typed: ${(await page.locator('#password').inputValue()).length} characters, floor ${await page.locator('#floor').inputValue()}`,
);
console.log(`done: ${result.actions?.[0]?.method} ${result.actions?.[0]?.arguments?.join()}`);
const told = JSON.stringify([result, lines, await driver.history]);
console.log(told.includes('correct horse') ? 'the value was told' : 'the value was told to nobody');
