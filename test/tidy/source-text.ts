/**
 * Source as text: files with their paths, and the same text with comments or literals blanked, to
 * search for words.
 */

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A violation: its place, and how to fix it. */
export interface Fault {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export const faultText = ({ path, line, message }: Fault): string => `${path}:${line}: ${message}`;

export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** A line may have an exception if it gives a reason. */
const ALLOWED = /\/\/ tidy-ok: \S/;
export const isAllowed = (text: string, line: number): boolean =>
  ALLOWED.test(text.split('\n')[line - 1] ?? '');

const spacesOf = (line: string): string => ' '.repeat(line.length);
const spaces = (text: string): string =>
  text.includes('\n') ? text.split('\n').map(spacesOf).join('\n') : spacesOf(text);

/** Characters before a slash that starts a regular expression rather than a division. */
const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|instanceof))\s*$/;

const endOfRegex = (text: string, start: number): number => {
  let inClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\n') return start + 1;
    if (character === '\\') at++;
    if (character === '[') inClass = true;
    if (character === ']') inClass = false;
    if (character === '/' && !inClass) return at + 1;
  }
  return start + 1;
};

const endOfQuoted = (text: string, start: number): number => {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote || text[at] === '\n') return at + 1;
  }
  return text.length;
};

export interface Blanked {
  /** Comments blanked, literals unchanged. */
  readonly code: string;
  /** Comments blanked, and the content of quotes and regular expressions; the quotes stay. */
  readonly bare: string;
  /** Only the comments; all other text blanked. */
  readonly comments: string;
}

const blankedByText = new Map<string, Blanked>();

/**
 * Every result has the length and the lines of the text. Results are cached, because a dozen checks
 * read each file.
 */
export function blankOut(text: string): Blanked {
  const known = blankedByText.get(text);
  if (known !== undefined) return known;
  const blanked = parseBlanked(text);
  blankedByText.set(text, blanked);
  return blanked;
}

/** A run of characters without the start of a comment, literal or hole: copied at once. */
const PLAIN = /[^'"`/{}]+/y;

/** Parses TypeScript far enough to separate code from comments and literals. */
function parseBlanked(text: string): Blanked {
  let code = '';
  let bare = '';
  let comments = '';
  /** For each enclosing template literal: the number of open braces in its current hole. */
  const holes: number[] = [];
  let at = 0;

  const copy = (end: number): void => {
    const part = text.slice(at, end);
    code += part;
    bare += part;
    comments += spaces(part);
    at = end;
  };
  const comment = (end: number): void => {
    const part = text.slice(at, end);
    code += spaces(part);
    bare += spaces(part);
    comments += part;
    at = end;
  };
  /** Keeps the first and last character in `bare`, blanks what is between. */
  const literal = (end: number): void => {
    const part = text.slice(at, end);
    code += part;
    bare += part.length < 2 ? part : `${part[0]}${spaces(part.slice(1, -1))}${part.at(-1)}`;
    comments += spaces(part);
    at = end;
  };
  /**
   * From a backtick, or from the brace that ends a hole, to the next hole or the closing backtick.
   */
  const template = (): void => {
    let end = at + 1;
    while (end < text.length && text[end] !== '`' && !text.startsWith('${', end))
      end += text[end] === '\\' ? 2 : 1;
    if (text.startsWith('${', end)) {
      literal(end + 1);
      copy(at + 1);
      holes.push(0);
      return;
    }
    literal(end + 1);
  };

  while (at < text.length) {
    PLAIN.lastIndex = at;
    if (PLAIN.test(text)) {
      copy(PLAIN.lastIndex);
      continue;
    }
    const character = text[at]!;
    if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at);
      comment(end < 0 ? text.length : end);
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      comment(end < 0 ? text.length : end + 2);
    } else if (character === "'" || character === '"') literal(endOfQuoted(text, at));
    else if (character === '`') template();
    else if (character === '/' && BEFORE_REGEX.test(bare.slice(-40))) literal(endOfRegex(text, at));
    else if (character === '}' && holes.at(-1) === 0) {
      holes.pop();
      template();
    } else {
      if (holes.length > 0 && character === '{') holes[holes.length - 1]! += 1;
      if (holes.length > 0 && character === '}') holes[holes.length - 1]! -= 1;
      copy(at + 1);
    }
  }
  return { code, bare, comments };
}
