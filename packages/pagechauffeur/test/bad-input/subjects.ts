import type { Page, Route } from '../../src/index.ts';
import type { TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

/** One living object of each public class, by the name of its class. */
export type Subjects = Readonly<Record<string, object>>;

/** Serves what the objects come from. */
export function serveSubjects(): Promise<TestServer> {
  return serve({
    '/': '<title>Here</title><a href="/file">File</a><iframe name="inner" srcdoc="<p>Inside</p>"></iframe>',
    '/file': (_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="endless.txt"',
      });
      response.write('It goes on.');
    },
  });
}

/** Makes the objects, each as a user gets it: a dialog that is open, a download under way, a route that nobody has answered. */
export async function makeSubjects({ driver, page }: TestDriver, origin: string): Promise<Subjects> {
  const { context } = driver;
  const response = await page.goto(origin, { waitUntil: 'load' });
  const download = await beginDownload(await context.newPage(origin));
  const message = await writeToConsole(await context.newPage(origin));
  const route = await holdRequest(await context.newPage(origin));
  const dialog = await openDialog(await context.newPage(origin));
  return {
    Agent: driver.agent(),
    Clipboard: context.clipboard,
    ConsoleMessage: message,
    Dialog: dialog,
    Download: download,
    Driver: driver,
    DriverContext: context,
    Frame: page.mainFrame(),
    FrameLocator: page.frameLocator('#absent'),
    Keyboard: page.keyboard,
    Locator: page.locator('#absent'),
    Mouse: page.mouse,
    Page: page,
    Request: route.request(),
    Response: response ?? {},
    Route: route,
  };
}

async function openDialog(page: Page): Promise<object> {
  const opened = page.waitForEvent('dialog');
  await page.evaluate('void setTimeout(() => prompt("Name?"), 20)');
  return opened;
}

async function beginDownload(page: Page): Promise<object> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('a').click()]);
  return download;
}

async function writeToConsole(page: Page): Promise<object> {
  const [message] = await Promise.all([page.waitForEvent('console'), page.evaluate('console.log("Here")')]);
  return message;
}

async function holdRequest(page: Page): Promise<Route> {
  const { promise, resolve } = Promise.withResolvers<Route>();
  await page.route('**/held', resolve);
  await page.evaluate('void fetch("/held").catch(() => undefined)');
  return promise;
}
