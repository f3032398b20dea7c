import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Chromium's `NetworkPredictionOptions`: 0 standard, 1 on Wi-Fi only, 2 never. */
const NETWORK_PREDICTION_NEVER = 2;

/**
 * No preloading: speculation rules would bypass routes and the domain policy. No autofill and saved passwords: on
 * Chromium 156, scanning forms takes a quarter of a navigation's CPU time.
 */
const BROWSER_PREFERENCES = {
  net: { network_prediction_options: NETWORK_PREDICTION_NEVER },
  autofill: { profile_enabled: false, credit_card_enabled: false },
  credentials_enable_service: false,
};

/** Chromium's `DownloadRestriction`: 0 allows all downloads, 3 blocks all. */
const DOWNLOADS_REFUSED = 3;

/**
 * Preferences for browsers on the platform. PDFs are downloaded, because the PDF viewer is an extension and could open
 * tabs with local files. Downloads are blocked except into the folder that the platform sets over CDP.
 */
export const RENTED_PREFERENCES = {
  ...BROWSER_PREFERENCES,
  plugins: { always_open_pdf_externally: true },
  download_restrictions: DOWNLOADS_REFUSED,
};

/** Does not change an existing profile. */
export function writePreferences(profile: string, preferences: object = BROWSER_PREFERENCES): void {
  const folder = join(profile, 'Default');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'Preferences'), JSON.stringify(preferences), { flag: 'wx' });
  } catch (error) {
    // The profile exists and has its own preferences.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
