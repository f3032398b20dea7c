// A person helps: a program asks for a code and for a captcha, and somebody answers on the dashboard, here as on a phone.
// A second browser plays the person, so that the example runs by itself.
import { Driver } from 'pagechauffeur';
import { startPlatform } from 'pagechauffeur-platform';

const SIGN_IN = `<title>Sign in</title>
  <label>Code <input id="code"></label><label>Letters on the picture <input id="letters"></label>
  <button onclick="document.querySelector('#said').textContent = 'Welcome, ' + code.value.length + ' digits, ' + letters.value">Sign in</button>
  <p id="said"></p>`;

await using platform = await startPlatform({
  database: ':memory:',
  port: 0,
  warm: 0,
  logLevel: 'silent',
  // For this example only: without a sandbox, a page that breaks out of its browser can read the store.
  allowNoSandbox: true,
});
const driver = new Driver({
  env: 'REMOTE',
  remoteBaseURL: platform.url,
  apiKey: platform.firstKey ?? '',
  model: 'offline/lexical',
  disableLoggerBackend: true,
  remoteSessionCreateParams: { viewport: { width: 800, height: 600 } },
});
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
await page.setContent(SIGN_IN);

// In earnest this link is sent to a person, by mail or message.
const link = driver.remoteDebugURL ?? '';
const person = playPerson(link);

const answer = await driver.askPerson({ kind: 'code', question: 'Which code was sent to you?' });
await driver.act('type %code% into the field Code', { variables: { ...answer?.variables } });
const solved = await driver.askPerson({ kind: 'captcha', question: 'Please write the letters of the picture down' });
console.log(solved ? 'a person has seen to it' : 'nobody could help');
await driver.act('click Sign in');
console.log(await page.locator('#said').textContent());

await person;
await driver.close();

/** What a person does: answers in words, takes over, types, and hands back. */
async function playPerson(address: string): Promise<void> {
  await using phone = new Driver({ env: 'LOCAL', disableLoggerBackend: true });
  await phone.init();
  const view = await phone.context.newPage();
  await view.setViewportSize(390, 844);
  await view.goto(address);
  await view.getByLabel('Code').fill('424242');
  await view.getByRole('button', { name: 'Answer', exact: true }).click();
  await view.getByText('Captcha to solve').waitFor();
  await view.getByRole('button', { name: 'Take over' }).click();
  await view.getByText('You have taken over').waitFor();
  console.log('the person has taken over');
  await view.getByLabel('Type into the page').focus();
  // To the second field, from the one that the driver filled.
  await view.keyboard.press('Tab');
  await view.keyboard.type('qwerty');
  await view.getByRole('button', { name: 'Hand back' }).click();
  await view.getByText('The driver is in control').waitFor();
}
