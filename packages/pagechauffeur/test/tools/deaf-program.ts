// Taken in before a program, it keeps that from ending when it is asked to.
process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 60_000);
