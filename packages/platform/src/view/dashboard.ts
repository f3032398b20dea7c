import type { KeyLinks } from '../keys/key-links.ts';
import type { SocketKeeper } from '../gateway/socket-keeper.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { RequestRates } from '../keys/request-rates.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { SessionDesk } from '../sessions/session-desk.ts';
import { ViewAccess } from './view-access.ts';
import { ViewGateway } from './view-gateway.ts';
import { ViewTokens } from './view-tokens.ts';

interface DashboardParts {
  readonly secret: string;
  readonly keys: KeyRing;
  readonly keyLinks: KeyLinks;
  readonly rates: RequestRates;
  readonly sockets: SocketKeeper;
  readonly desk: SessionDesk;
  readonly log: PlatformLog;
  readonly publicUrl: () => string;
}

/** What stands behind the pages that people see. */
export interface Dashboard {
  readonly tokens: ViewTokens;
  readonly access: ViewAccess;
  readonly gateway: ViewGateway;
}

/** The parts of a dashboard, put together. */
export function openDashboard({ secret, publicUrl, ...parts }: DashboardParts): Dashboard {
  const tokens = new ViewTokens(secret);
  const access = new ViewAccess({ tokens, keys: parts.keys, rates: parts.rates, publicUrl });
  return { tokens, access, gateway: new ViewGateway({ ...parts, access }) };
}
