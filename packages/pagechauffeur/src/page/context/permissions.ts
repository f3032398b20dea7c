import type { Session } from '../../cdp/session.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { checkString, describeValue } from '../../util/check-argument.ts';

/** Permissions with their names in the protocol. */
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

/** Name of a permission. */
export type PermissionName = keyof typeof PERMISSIONS;

/** Grants permissions to one origin or to all. Keeps earlier grants. */
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

/** Throws if a value is not a list of permission names. */
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

/** Origin of a URL. Throws if it has none. */
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
