/**
 * Entry point of the program: checks the Node version before loading the rest, because an older one
 * fails there with a SyntaxError.
 */

/** The oldest supported version, as in `package.json`. */
const LEAST = { major: 20, minor: 19 };

const [major = 0, minor = 0] = process.versions.node
  .split('.')
  .map((part) => Number.parseInt(part, 10));
if (major < LEAST.major || (major === LEAST.major && minor < LEAST.minor)) {
  process.stderr.write(
    `rialto: Node ${LEAST.major}.${LEAST.minor} or newer is required, and this is ${process.versions.node}\n`,
  );
  process.exit(1);
}

// A computed address is not bundled: the program is a file beside this one.
const { runCommandLine } = (await import(
  new URL('program.js', import.meta.url).href
)) as typeof import('./program.ts');
await runCommandLine(process.argv);

export {};
