// observe(): what can be done here? Each answer is an action that act() carries out as it stands.
import { Driver } from 'pagechauffeur';

const form = `<title>Sign in</title><main><label>E-mail <input type="email"></label>
  <label>Password <input type="password"></label><button>Sign in</button></main><footer><a href="/help">Help</a></footer>`;

await using driver = new Driver({ env: 'LOCAL', model: 'offline/lexical', verbose: 0 });
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
await page.setContent(form);

// Without an instruction: everything that can be acted on, without a model; here only within a part of the page.
for (const { method, description, selector } of await driver.observe({ selector: 'main' }))
  console.log(`${method} ${description} at ${selector}`);

// With one: what it asks for, most relevant first. Look at it before it is done.
const [email] = await driver.observe('fill %address% into the e-mail field', {
  variables: { address: 'ada@example.com' },
});
console.log(`${email?.method} ${email?.arguments?.join()}`);
if (email) await driver.act(email, { variables: { address: 'ada@example.com' } });
console.log(`typed: ${await page.locator('input[type=email]').inputValue()}`);
