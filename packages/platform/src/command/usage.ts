/** Printed by `pagechauffeur-platform --help`. */
export const USAGE = `pagechauffeur-platform: rents out browsers for chauffeur's env REMOTE.

  pagechauffeur-platform [options]                    starts a server
  pagechauffeur-platform keys create --project <name> [--name <name>] [--scopes <scope,…>] [--days <number>]
  pagechauffeur-platform keys list --project <name>
  pagechauffeur-platform keys revoke <id> --project <name>

  --host <address>           where to listen (127.0.0.1)
  --port <number>            where to listen (4600); 0 takes a free port
  --public-url <url>         where clients reach this server
  --database <url>           postgres://…, which several servers can share (or CHAUFFEUR_DATABASE)
  --redis <url>              redis://…, where servers count sessions together (or CHAUFFEUR_REDIS)
  CHAUFFEUR_SECRET_KEY       in the environment: encrypts the secrets in the store
  CHAUFFEUR_METRICS_TOKEN    in the environment: the token for /metrics
  --internal-url <url>       where the other servers reach this one
  --data <folder>            folder of the store (~/.chauffeur); not with --database
  --grid <url>               the router of a Selenium Grid that provides browsers; may be repeated (or CHAUFFEUR_GRID)
  --egress-host <address>    where the grid's nodes reach this server; none if they must not
  --egress-listen <address>  where to listen for them (the address of --egress-host, or all)
  --egress-port <number>     first of a thousand ports, of which each session has one (4601)
  --egress-from <network>    network of nodes that connect from another address; may be repeated
  --browser <path>           Chromium or Chrome
  --capacity <number>        sessions at once
  --warm <number>            browsers of this machine to keep ready (1)
  --per-project <number>     sessions of one project at once
  --rate <number>            requests of one project in a second (1000)
  --download-quota <number>  megabytes for all downloads of a session (2048)
  --allow-network <network>  an internal network that browsers may reach; may be repeated
  --allow-no-sandbox         browsers may run as the server's own user without a sandbox
  --region <name>            the only region that this server serves (local)
  --log-level <level>        trace, debug, info, warn, error, fatal or silent (info)
  --help, --version

The keys commands take --database or --data as the server does, and work while it runs.
`;
