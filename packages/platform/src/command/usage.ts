/** Printed by `pagechauffeur-platform --help`. */
export const USAGE = `pagechauffeur-platform: provides browsers to drivers with env REMOTE.

  pagechauffeur-platform [options]                    starts a server
  pagechauffeur-platform keys create --project <name> [--name <name>] [--scopes <scope,…>] [--days <number>]
  pagechauffeur-platform keys list --project <name>
  pagechauffeur-platform keys revoke <id> --project <name>

  --host <address>           address to listen on (127.0.0.1)
  --port <number>            port to listen on (4600); 0 picks a free port
  --public-url <url>         URL of this server for clients
  --database <url>           postgres://…, which several servers can share (or CHAUFFEUR_DATABASE)
  --redis <url>              redis://…, for session counts that servers share (or CHAUFFEUR_REDIS)
  CHAUFFEUR_SECRET_KEY       in the environment: encrypts the secrets in the store
  CHAUFFEUR_METRICS_TOKEN    in the environment: the token for /metrics
  --internal-url <url>       URL of this server for the other servers
  --data <folder>            folder of the store (~/.chauffeur); not with --database
  --grid <url>               the router of a Selenium Grid that provides browsers; can be repeated (or CHAUFFEUR_GRID)
  --egress-host <address>    address of this server for the nodes of the grid; none if they must not connect
  --egress-listen <address>  address to listen on for the nodes (that of --egress-host, or all)
  --egress-port <number>     first of 1000 ports, one per session (4601)
  --egress-from <network>    network of nodes that connect from another address; can be repeated
  --browser <path>           path of Chromium or Chrome
  --capacity <number>        maximum concurrent sessions
  --warm <number>            browsers to keep ready on this machine (1)
  --per-project <number>     maximum concurrent sessions per project
  --rate <number>            maximum requests per second and project (1000)
  --download-quota <number>  maximum megabytes of all downloads of a session (2048)
  --allow-network <network>  an internal network that browsers can reach; can be repeated
  --allow-no-sandbox         lets browsers run as the user of the server, without a sandbox
  --region <name>            the only region that this server serves (local)
  --log-level <level>        trace, debug, info, warn, error, fatal or silent (info)
  --help, --version

The keys commands accept --database and --data like the server, and work while it is running.
`;
