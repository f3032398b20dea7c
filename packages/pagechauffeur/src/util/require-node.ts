/**
 * Throws on import if the Node version is not supported. The build makes each entry point import this file first, so it
 * has no imports and no syntax newer than Node 18.
 */
const OLDEST = [22, 18] as const;

class UnsupportedNodeError extends Error {
  override readonly name = 'UnsupportedNodeError';
  readonly code = 'UNSUPPORTED_NODE';
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  const message = `pagechauffeur needs Node ${OLDEST.join('.')} or newer. Found ${process.versions.node}`;
  // Node prints a source excerpt above the message of an uncaught error, so print the message on its own first.
  process.stderr.write(`${message}\n`);
  throw new UnsupportedNodeError(message);
}
