/**
 * Entry point of the program: asks for its Node before the program is read, in whose middle an
 * older one ends with a SyntaxError.
 */

/** The oldest that has what the program is written in; `package.json` says the same. */
const LEAST = { major: 20, minor: 19 };

const [major = 0, minor = 0] = process.versions.node
  .split('.')
  .map((part) => Number.parseInt(part, 10));
if (major < LEAST.major || (major === LEAST.major && minor < LEAST.minor)) {
  process.stderr.write(
    `rialto: Node ${LEAST.major}.${LEAST.minor} or newer is needed, and this is ${process.versions.node}\n`,
  );
  process.exit(1);
}

// An address that is put together here stays one in the bundle: the program is a file beside this
// one.
const { runCommandLine } = (await import(
  new URL('program.js', import.meta.url).href
)) as typeof import('./program.ts');
await runCommandLine(process.argv);

export {};
