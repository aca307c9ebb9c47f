/** Checks documents against the repository: links, commands and file names must exist. */
import { posix } from 'node:path';
import { type Fault, lineAt, type SourceFile } from './source-text.ts';

/** Text in fences is an example, not prose; blanked so that lines keep their numbers. */
const withoutFences = (text: string): string =>
  text.replace(/^```[\s\S]*?^```/gm, (fence) => fence.replace(/[^\n]/g, ' '));

const LINK = /\[[^\]\n]*\]\(([^)\s]+)\)/g;
const OUTSIDE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** The anchor of a heading. */
export const headingSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

export const headingSlugs = (text: string): ReadonlySet<string> =>
  new Set(
    [...withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)].map((match) => headingSlug(match[1]!)),
  );

/** `textOf` returns a file's text, '' for a folder, and undefined for a missing path. */
export function linkFaults(
  file: SourceFile,
  textOf: (path: string) => string | undefined,
): Fault[] {
  return [...withoutFences(file.text).matchAll(LINK)].flatMap((match) => {
    const target = match[1]!;
    if (OUTSIDE.test(target)) return [];
    const line = lineAt(file.text, match.index);
    const [path = '', anchor] = target.split('#');
    const resolved =
      path === ''
        ? file.path
        : posix.normalize(posix.join(posix.dirname(file.path), decodeURIComponent(path)));
    const text = textOf(resolved.replace(/\/$/, ''));
    if (text === undefined)
      return [
        {
          path: file.path,
          line,
          message: `links to ${target}, but there is no ${resolved}. Correct the link or write the page.`,
        },
      ];
    if (anchor === undefined || !resolved.endsWith('.md') || headingSlugs(text).has(anchor))
      return [];
    return [
      {
        path: file.path,
        line,
        message: `links to ${target}, but ${resolved} has no heading #${anchor}. Correct the anchor.`,
      },
    ];
  });
}

const COMMAND = /\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g;

export function commandFaults(file: SourceFile, scripts: readonly string[]): Fault[] {
  return [...file.text.matchAll(COMMAND)].flatMap((match) => {
    const script = match[1] ?? match[2]!;
    if (scripts.includes(script)) return [];
    return [
      {
        path: file.path,
        line: lineAt(file.text, match.index),
        message: `names \`${match[0]}\`, but package.json has no script ${script}. Correct the command or add the script.`,
      },
    ];
  });
}

/**
 * A path in backticks below one of our folders. A path with a placeholder (`<area>`, `*`, `…`) is a
 * pattern and not checked.
 */
const NAMED_PATH = /`((?:src|test|docs|scripts|bench)\/[^`\s]*)`/g;

export function namedPathFaults(file: SourceFile, exists: (path: string) => boolean): Fault[] {
  return [...file.text.matchAll(NAMED_PATH)].flatMap((match) => {
    const path = match[1]!;
    if (/[<>*{}…]/.test(path) || exists(path.replace(/\/$/, ''))) return [];
    return [
      {
        path: file.path,
        line: lineAt(file.text, match.index),
        message: `names ${path}, which is not there. Correct the name.`,
      },
    ];
  });
}

/** A file named without its folder, or with a part of it. A leading `*` or `.` makes it a pattern. */
const NAMED_FILE = /`((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.ts)`/g;

/** Documents on the program itself name only files that it has. */
export function namedFileFaults(file: SourceFile, paths: readonly string[]): Fault[] {
  return [...file.text.matchAll(NAMED_FILE)].flatMap((match) => {
    const name = match[1]!;
    if (paths.some((path) => path === name || path.endsWith(`/${name}`))) return [];
    return [
      {
        path: file.path,
        line: lineAt(file.text, match.index),
        message: `names ${name}, but no file is called so. Correct the name.`,
      },
    ];
  });
}
