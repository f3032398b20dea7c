import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of Chromium's choices for loading ahead what a page may want next (0 standard, 1 on Wi-Fi only, 2 never): never. */
const NETWORK_PREDICTION_NEVER = 2;

/**
 * Writes the preferences of a new profile: nothing is loaded, and no connection opened, ahead of time. What pages ask for
 * by speculation rules is else loaded past every route and domain policy.
 */
export async function writePreferences(profile: string): Promise<void> {
  const folder = join(profile, 'Default');
  await mkdir(folder, { recursive: true });
  const preferences = { net: { network_prediction_options: NETWORK_PREDICTION_NEVER } };
  // A profile that is in use already has its own.
  await writeFile(join(folder, 'Preferences'), JSON.stringify(preferences), { flag: 'wx' }).catch(unlessThere);
}

function unlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
