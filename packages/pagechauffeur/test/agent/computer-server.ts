import { Driver, type DriverOptions, type ModelOptions, type Page } from '../../src/index.ts';
import {
  type ProviderServer,
  type ReceivedCall,
  type ServerAnswer,
  startProviderServer,
} from '../model/provider-server.ts';
import { firstPage } from '../support/driver-for-test.ts';
import type { ComputerFormat } from './computer-formats.ts';

/** An answer, or one that depends on what was shown. */
export type Answer = ServerAnswer | ((call: ReceivedCall) => ServerAnswer);

/** A server that refuses what its provider would refuse. */
export function strictServer(format: ComputerFormat, answers: readonly Answer[]): Promise<ProviderServer> {
  const strict = (answer: Answer) => (call: ReceivedCall) => {
    const faults = [...(call.path === format.path ? [] : [`it came to ${call.path}`]), ...format.faults(call)];
    if (faults.length === 0) return typeof answer === 'function' ? answer(call) : answer;
    const error = { code: 400, type: '', message: faults.join('; '), status: '' };
    return { status: 400, body: { type: 'error', error } };
  };
  return startProviderServer(...answers.map(strict));
}

/** A driver on a browser that runs already, whose model is that of the server. */
export async function driverFor(
  { modelName, basePath }: ComputerFormat,
  provider: Pick<ProviderServer, 'url'>,
  { driver: browser, ...options }: Partial<DriverOptions> & { readonly driver: Driver },
): Promise<Driver> {
  const model: ModelOptions = { modelName, apiKey: 'secret-key', baseURL: provider.url + basePath, maxRetries: 0 };
  const localBrowserLaunchOptions = { cdpUrl: browser.connectURL() };
  const driver = new Driver({ env: 'LOCAL', localBrowserLaunchOptions, model, disableLoggerBackend: true, ...options });
  await driver.init();
  return driver;
}

/** The driver's page, on an address and in a viewport of 1280 by 720. */
export async function openPage(driver: Driver, url: string): Promise<Page> {
  const page = firstPage(driver);
  await page.setViewportSize(1280, 720, { deviceScaleFactor: 1 });
  await page.goto(url);
  return page;
}
