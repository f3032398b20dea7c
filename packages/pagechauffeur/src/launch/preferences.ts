import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Chromium's setting for preloading (0 standard, 1 on Wi-Fi only, 2 never): never. */
const NETWORK_PREDICTION_NEVER = 2;

/**
 * Disables preloading and preconnecting: speculation rules would load URLs past every route and domain policy. Also
 * disables
 * autofill and saved passwords. Measured on Chromium 156: scanning forms for autofill takes a quarter of a
 * navigation's processor time.
 */
const BROWSER_PREFERENCES = {
  net: { network_prediction_options: NETWORK_PREDICTION_NEVER },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  credentials_enable_service: false,
};

/** Chromium's setting for downloads without a folder (0 allowed, 3 all refused): refused. */
const DOWNLOADS_REFUSED = 3;

/**
 * For browsers on the platform. PDFs are downloaded: the viewer is an extension, which could open tabs with local
 * files.
 * Downloads go to the folder that the platform sets over CDP, never to a folder of the machine's user.
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
    // An existing profile has its own preferences.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
