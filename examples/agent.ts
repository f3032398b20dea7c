// An agent: a task of several steps in one sentence, told as it goes on, and its result.
import { Driver } from 'pagechauffeur';

const shop = `<title>Mugs</title><h1>Mugs</h1>
  <label>Name <input id="name"></label><label><input type="checkbox" id="gift"> Gift wrap</label>
  <button onclick="order()">Order</button><p id="status">No order yet</p>
  <script>
    function order() {
      const wrapped = document.querySelector('#gift').checked ? ', wrapped' : '';
      document.querySelector('#status').textContent = 'Ordered for ' + document.querySelector('#name').value + wrapped;
    }
  </script>`;

await using driver = new Driver({ env: 'LOCAL', model: 'offline/lexical', disableLoggerBackend: true });
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
await page.setContent(shop);

const result = await driver.agent().execute({
  instruction: 'Type %who% into the name field, then check gift wrap, then click Order',
  variables: { who: 'Ada Lovelace' },
  maxSteps: 10,
  budget: { ms: 60_000 },
  callbacks: {
    onBeforeAction: ({ tool }) => (tool === 'navigate' ? 'stay on this page' : true),
    onAction: ({ step, tool, effect }) => console.log(`step ${step}: ${tool} ${effect ?? ''}`.trimEnd()),
  },
});

console.log(`success: ${result.success}, completed: ${result.completed}`);
console.log(`the page says: ${await page.locator('#status').textContent()}`);
console.log(JSON.stringify(result).includes('Ada') ? 'the value was told' : 'the value was told to nobody');
