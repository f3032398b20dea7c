/**
 * Stops an import under a Node.js that lacks what the library uses. The build has each entry import this file before anything
 * else, so it imports nothing and uses nothing that is newer than Node 18.
 */
const OLDEST = [22, 18] as const;

class UnsupportedNodeError extends Error {
  override readonly name = 'UnsupportedNodeError';
  readonly code = 'UNSUPPORTED_NODE';
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  const message = `pagechauffeur needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}`;
  // Node prints lines of its own source above an error that nobody catches.
  process.stderr.write(`${message}\n`);
  throw new UnsupportedNodeError(message);
}
