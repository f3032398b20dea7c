import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of Chromium's choices for loading ahead what a page may want next (0 standard, 1 on Wi-Fi only, 2 never): never. */
const NETWORK_PREDICTION_NEVER = 2;

/**
 * Nothing is loaded, and no connection opened, ahead of time: what pages ask for by speculation rules is else loaded past
 * every route and domain policy. Nothing is offered for forms, and no password is kept. Measured on Chromium 156: reading
 * each form for what might be filled in is a quarter of a navigation's processor time.
 */
const BROWSER_PREFERENCES = {
  net: { network_prediction_options: NETWORK_PREDICTION_NEVER },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  credentials_enable_service: false,
};

/** Of Chromium's choices for downloads that nobody has given a folder (0 allowed, 3 all refused): refused. */
const DOWNLOADS_REFUSED = 3;

/**
 * Those of a browser that a platform rents out. PDFs are downloaded: what shows them is an extension, which may open tabs at files of the
 * machine. Downloads go to the folder that the platform names over the protocol, and never to the one of the machine's user.
 */
export const RENTED_PREFERENCES = {
  ...BROWSER_PREFERENCES,
  plugins: { always_open_pdf_externally: true },
  download_restrictions: DOWNLOADS_REFUSED,
};

/** Writes the preferences of a new profile. */
export function writePreferences(profile: string, preferences: object = BROWSER_PREFERENCES): void {
  const folder = join(profile, 'Default');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'Preferences'), JSON.stringify(preferences), { flag: 'wx' });
  } catch (error) {
    // A profile that is in use already has its own.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
