/**
 * Rejects an import under an unsupported Node version. The build makes each entry import this file first, so it imports
 * nothing and uses no syntax newer than Node 18.
 */
const OLDEST = [22, 18] as const;

class UnsupportedNodeError extends Error {
  override readonly name = 'UnsupportedNodeError';
  readonly code = 'UNSUPPORTED_NODE';
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  const message = `pagechauffeur needs Node ${OLDEST.join('.')} or newer. Found ${process.versions.node}`;
  // Node prints its own source above an uncaught error.
  process.stderr.write(`${message}\n`);
  throw new UnsupportedNodeError(message);
}
