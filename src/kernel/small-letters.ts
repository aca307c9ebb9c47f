/**
 * Lower-cases text identically on every machine. Only alphabets that no longer gain letters are
 * covered (Latin, Greek, Cyrillic, Armenian). For newer ones the result depends on the Unicode
 * version of the runtime.
 */
const SETTLED_ALPHABETS = /[\0-\u058f]+/g;

export const smallLetters = (input: string): string =>
  input.replace(SETTLED_ALPHABETS, (part) => part.toLowerCase());
