/**
 * The command a person types to call this program: from an installed package or from a checkout.
 */

/** An installed package is below a `node_modules` folder. */
export const isInstalled = import.meta.url.includes('/node_modules/');

/** For a command followed by flags. npm needs `--` before them, otherwise it reads them itself. */
export const startCalled = (installed = isInstalled): string =>
  installed ? 'npx rialto start' : 'npm start --';

/** For a command followed by a verb. `--silent` keeps npm's own lines out of output for a shell. */
export const verbsCalled = (installed = isInstalled): string =>
  installed ? 'npx rialto' : 'npm run --silent rialto --';
