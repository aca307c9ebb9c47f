/**
 * How a person calls this program from where it is: as a package among those of somebody's bot, or
 * in a checkout of its own.
 */

/** A package stands among the packages of whoever installed it. */
export const isInstalled = import.meta.url.includes('/node_modules/');

/** Before its flags: npm takes those that come before two dashes for its own. */
export const startCalled = (installed = isInstalled): string =>
  installed ? 'npx rialto start' : 'npm start --';

/** Before a verb; what it prints is for a shell, so nothing of npm stands in between. */
export const verbsCalled = (installed = isInstalled): string =>
  installed ? 'npx rialto' : 'npm run --silent rialto --';
