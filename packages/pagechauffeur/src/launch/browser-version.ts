import { DriverInitError } from '../errors.ts';
import { isRecord } from '../util/is-record.ts';

const VERSION_LISTS = 'https://googlechromelabs.github.io/chrome-for-testing';
const LIST_TIMEOUT_MS = 30_000;
const WHOLE = /^\d+\.\d+\.\d+\.\d+$/;

/** Location of a full version in a version list, for example `milestones["150"].version`. */
interface Entry {
  readonly list: string;
  readonly group: string;
  readonly key: string;
}

/** True for a channel such as `stable`, or for `150`, `150.0.7800` and `150.0.7800.12`. */
export function isVersionName(name: string): boolean {
  return WHOLE.test(name) || entryOf(name) !== undefined;
}

/** Resolves a channel or partial version to a full version. Fetches the official version lists or those of a mirror. */
export async function wholeVersion(name: string, mirror: string | undefined): Promise<string> {
  if (WHOLE.test(name)) return name;
  const entry = entryOf(name);
  if (!entry) throw new DriverInitError(`${JSON.stringify(name)} is not a Chrome version`);
  const address = `${mirror ?? VERSION_LISTS}/${entry.list}`;
  const version = versionIn(await readList(address), entry);
  // The version becomes part of a file path.
  if (typeof version === 'string' && WHOLE.test(version)) return version;
  throw new DriverInitError(`there is no version ${name} in ${address}`);
}

function entryOf(name: string): Entry | undefined {
  if (/^\d+$/.test(name)) return { list: 'latest-versions-per-milestone.json', group: 'milestones', key: name };
  if (/^\d+\.\d+\.\d+$/.test(name)) return { list: 'latest-patch-versions-per-build.json', group: 'builds', key: name };
  const channel = ['Stable', 'Beta', 'Dev', 'Canary'].find((one) => one.toLowerCase() === name.toLowerCase());
  if (channel === undefined) return undefined;
  return { list: 'last-known-good-versions.json', group: 'channels', key: channel };
}

async function readList(address: string): Promise<unknown> {
  const url = new URL(address);
  const headers = url.username === '' ? {} : { authorization: `Basic ${btoa(userOf(url))}` };
  [url.username, url.password] = ['', ''];
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(LIST_TIMEOUT_MS) });
  if (response.ok) return response.json();
  throw new DriverInitError(
    `${address} responded with ${response.status}; use a full version such as 150.0.7800.12, which needs no lookup`,
  );
}

function userOf({ username, password }: URL): string {
  return [username, password].map(decodeURIComponent).join(':');
}

function versionIn(list: unknown, { group, key }: Entry): unknown {
  const entries = isRecord(list) ? list[group] : undefined;
  const entry = isRecord(entries) ? entries[key] : undefined;
  return isRecord(entry) ? entry['version'] : undefined;
}
