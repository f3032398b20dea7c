import type { Session } from '../../cdp/session.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { checkString, describeValue } from '../../util/check-argument.ts';

/** Supported permissions, with fields that extend or override the CDP descriptor `{ name }`. */
const PERMISSIONS = {
  accelerometer: {},
  'ambient-light-sensor': {},
  'background-fetch': {},
  'background-sync': {},
  camera: {},
  'clipboard-read': {},
  'clipboard-write': {},
  'display-capture': {},
  geolocation: {},
  gyroscope: {},
  'idle-detection': {},
  'local-fonts': {},
  'local-network-access': {},
  magnetometer: {},
  microphone: {},
  midi: {},
  'midi-sysex': { name: 'midi', sysex: true },
  nfc: {},
  notifications: {},
  'payment-handler': {},
  'periodic-background-sync': {},
  'persistent-storage': {},
  push: { userVisibleOnly: true },
  'screen-wake-lock': {},
  'storage-access': {},
  'window-management': {},
} as const satisfies Readonly<Record<string, { name?: string; sysex?: boolean; userVisibleOnly?: boolean }>>;

/** A permission that `grantPermissions()` accepts, mostly as named in the Permissions API. */
export type PermissionName = keyof typeof PERMISSIONS;

export async function grantPermissions(
  browser: Session,
  names: readonly PermissionName[],
  origin: string | undefined,
): Promise<void> {
  await Promise.all(
    names.map((name) =>
      browser.send('Browser.setPermission', {
        permission: { name, ...PERMISSIONS[name] },
        setting: 'granted',
        ...(origin === undefined ? {} : { origin }),
      }),
    ),
  );
}

export function checkPermissions(names: unknown): asserts names is readonly PermissionName[] {
  if (!Array.isArray(names))
    throw new DriverInvalidArgumentError(
      `permissions must be an array of names such as 'geolocation'. Received ${describeValue(names)}.`,
      { argument: 'permissions' },
    );
  for (const name of names as readonly unknown[]) {
    if (typeof name === 'string' && Object.hasOwn(PERMISSIONS, name)) continue;
    throw new DriverInvalidArgumentError(
      `permissions must be among ${Object.keys(PERMISSIONS).join(', ')}. Received ${describeValue(name)}.`,
      { argument: 'permissions' },
    );
  }
}

/** Returns the origin of a URL. Throws for invalid URLs and opaque origins, such as those of `data:` URLs. */
export function checkOrigin(origin: unknown): string | undefined {
  if (origin === undefined) return undefined;
  checkString('origin', origin);
  const parsed = URL.canParse(origin) ? new URL(origin).origin : 'null';
  if (parsed !== 'null') return parsed;
  throw new DriverInvalidArgumentError(
    `origin must be an origin such as "https://example.com". Received ${describeValue(origin)}.`,
    { argument: 'origin' },
  );
}
