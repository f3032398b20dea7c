import type { KeyConnections } from '../keys/key-connections.ts';
import type { SocketMonitor } from '../gateway/socket-monitor.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { RequestRates } from '../keys/request-rates.ts';
import type { PlatformLog } from '../platform-log.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import { ViewAccess } from './view-access.ts';
import { ViewGateway } from './view-gateway.ts';
import { ViewTokens } from './view-tokens.ts';

interface DashboardParts {
  readonly secret: string;
  readonly keys: KeyRing;
  readonly keyConnections: KeyConnections;
  readonly rates: RequestRates;
  readonly sockets: SocketMonitor;
  readonly sessionManager: SessionManager;
  readonly log: PlatformLog;
  readonly publicUrl: () => string;
}

export interface Dashboard {
  readonly tokens: ViewTokens;
  readonly access: ViewAccess;
  readonly gateway: ViewGateway;
}

export function openDashboard({ secret, publicUrl, ...parts }: DashboardParts): Dashboard {
  const tokens = new ViewTokens(secret);
  const access = new ViewAccess({ tokens, keys: parts.keys, rates: parts.rates, publicUrl });
  return { tokens, access, gateway: new ViewGateway({ ...parts, access }) };
}
