// Dialogs and downloads: answers what a page asks, and saves the file that it gives.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Driver } from 'pagechauffeur';

const report = `<button onclick="give()">Export</button><script>
  function give() {
    const name = prompt('Name of the file?', 'report');
    const link = Object.assign(document.createElement('a'), { href: 'data:text/csv,mug%2C9', download: name + '.csv' });
    if (confirm('Export ' + name + '?')) link.click();
  }
</script>`;

const folder = await mkdtemp(join(tmpdir(), 'example-'));
await using driver = new Driver({ env: 'LOCAL', verbose: 0 });
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
await page.setContent(report);

// While nobody listens, dialogs are dismissed; who listens has to answer, because the page stands still until then.
page.on('dialog', async (dialog) => {
  console.log(`${dialog.type()}: ${dialog.message()}`);
  await (dialog.type() === 'prompt' ? dialog.accept('mugs') : dialog.accept());
});

const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button').click()]);
const path = join(folder, download.suggestedFilename());
await download.saveAs(path);
console.log(`${download.suggestedFilename()}: ${await readFile(path, 'utf8')}`);
await rm(folder, { recursive: true });
