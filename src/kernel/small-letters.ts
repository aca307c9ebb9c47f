/**
 * Small letters, the same on every machine. Only alphabets that gain no letters any more are looked
 * at (Latin, Greek, Cyrillic, Armenian): what is a small letter of a newer one depends on the
 * version of Unicode that a program was built with.
 */
const SETTLED_ALPHABETS = /[\0-\u058f]+/g;

export const smallLetters = (input: string): string =>
  input.replace(SETTLED_ALPHABETS, (part) => part.toLowerCase());
