import { describe, expect, it } from 'vitest';
import { DriverNavigationError } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

// The headless shell shows the page of a 401; the whole browser asks for a password, and has nobody to ask.
useWholeBrowser();

const browser = useBrowser({
  routes: {
    '/private': ({ headers }, response) => {
      const isAda = headers.authorization === `Basic ${Buffer.from('ada:right').toString('base64')}`;
      if (isAda) response.end('<h1>Welcome</h1>');
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="private"' }).end();
    },
  },
});

function address(user: string): string {
  return `${browser.server.origin.replace('://', `://${user}`)}/private`;
}

describe('server with basic authentication', () => {
  it.each(['', 'ada:wrong-password@'])('goto() reports rejected credentials with the user %j', async (user) => {
    const failure = await failureOf(browser.page.goto(address(user)));
    expect(failure).toBeInstanceOf(DriverNavigationError);
    expect(String(failure)).toContain('The server did not accept the username and password, or none were given.');
    expect(String(failure)).not.toContain('proxy');
    expect(String(failure)).not.toContain('wrong-password');
  });

  it('goto() opens the page with the right credentials in the URL', async () => {
    expect((await browser.page.goto(address('ada:right@')))?.status()).toBe(200);
    expect(await browser.page.locator('h1').textContent()).toBe('Welcome');
  });
});
