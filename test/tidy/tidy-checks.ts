/** The checks on source: pure functions from files to violations. Each message names the fix. */
import {
  BANNED_IN_MACHINE,
  CORE_FOLDERS,
  FILE_BYTES_MAX,
  FILE_LINES_MAX,
  LAYERS,
  NAMES_BANNED,
  PACKAGES_IN_MACHINE,
} from './conventions.ts';
import { importersByPath, importsOf } from './imports.ts';
import { blankOut, type Fault, isAllowed, lineAt, type SourceFile } from './source-text.ts';

/** Tests and test support (`x.test-support.ts`) may import anything. */
const isTest = (path: string): boolean => /\.test(?:-support)?\.ts$/.test(path);
const layerOf = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1];

/**
 * Violations at each match of a pattern in one reading of the text, without lines marked tidy-ok.
 */
function matches(
  { path, text }: SourceFile,
  searched: string,
  pattern: RegExp,
  message: (found: string) => string,
): Fault[] {
  return [...searched.matchAll(pattern)]
    .map((match) => ({ path, line: lineAt(text, match.index), message: message(match[0]) }))
    .filter(({ line }) => !isAllowed(text, line));
}

const mayImportText = (layer: string, allowed: readonly string[]): string =>
  allowed.length === 0
    ? `${layer} may import nothing`
    : `${layer} may import ${allowed.join(', ')}`;

/** A layer imports only what its row allows. Tests may import anything. */
export function layerFaults(file: SourceFile): Fault[] {
  if (!file.path.startsWith('src/') || isTest(file.path)) return [];
  const layer = layerOf(file.path);
  const allowed = layer === undefined ? undefined : LAYERS[layer];
  if (layer === undefined || allowed === undefined) {
    const message = `lies in no layer. Move it into one of ${Object.keys(LAYERS).join(', ')}; a new layer needs a row in ARCHITECTURE.md.`;
    return [{ path: file.path, line: 1, message }];
  }
  return importsOf(file).flatMap(({ path, line }) => {
    const target = path === undefined ? undefined : layerOf(path);
    if (path === undefined || target === layer || isAllowed(file.text, line)) return [];
    if (target === undefined)
      return [
        {
          path: file.path,
          line,
          message: `imports ${path}: nothing in src depends on what lies outside it. Move the file into a layer.`,
        },
      ];
    if (allowed.includes(target)) return [];
    const down =
      allowed.length === 0
        ? 'Move what both need into this layer'
        : `Move what both need down to ${allowed.join(' or ')}`;
    const message = `imports ${path.slice('src/'.length)}: ${mayImportText(layer, allowed)}. ${down}, pass it in from app, or send it as an event.`;
    return [{ path: file.path, line, message }];
  });
}

const coreFolderOf = (path: string): string | undefined => /^src\/core\/(\w+)\//.exec(path)?.[1];

/**
 * A folder of the core imports only those above it in the table. The files beside them may import
 * any.
 */
export function coreFolderFaults(file: SourceFile): Fault[] {
  const folder = coreFolderOf(file.path);
  if (folder === undefined || isTest(file.path)) return [];
  const row = CORE_FOLDERS.indexOf(folder);
  if (row < 0) {
    const message = `lies in src/core/${folder}, which has no row in the table of the core in ARCHITECTURE.md.`;
    return [{ path: file.path, line: 1, message }];
  }
  return importsOf(file).flatMap(({ path, line }) => {
    if (path === undefined || !path.startsWith('src/core/')) return [];
    const target = coreFolderOf(path);
    if (target === folder || isAllowed(file.text, line)) return [];
    if (target !== undefined && CORE_FOLDERS.indexOf(target) < row) return [];
    const message = `imports ${path.slice('src/'.length)}: core/${folder} is above it. Move what both need up, or send an event and react to it in reactions.ts.`;
    return [{ path: file.path, line, message }];
  });
}

/** Code that must replay exactly depends on the language alone. */
export function packageFaults(file: SourceFile): Fault[] {
  const layer = layerOf(file.path);
  if (
    layer === undefined ||
    !['kernel', 'messages', 'formulas', 'core', 'contract'].includes(layer) ||
    isTest(file.path)
  )
    return [];
  return importsOf(file).flatMap(({ input, path, line }) => {
    if (path !== undefined || PACKAGES_IN_MACHINE.includes(input) || isAllowed(file.text, line))
      return [];
    const message = `imports ${input}: ${layer} imports no package and of Node only ${PACKAGES_IN_MACHINE.join(', ')}. Do it in journal, views, gateway or app and hand the result in.`;
    return [{ path: file.path, line, message }];
  });
}

/** The machine has no clock, chance, waiting, environment or floating point. */
export function bannedWordFaults(file: SourceFile): Fault[] {
  const layer = layerOf(file.path);
  if (layer === undefined || !['kernel', 'formulas', 'core'].includes(layer) || isTest(file.path))
    return [];
  const { bare } = blankOut(file.text);
  return BANNED_IN_MACHINE.flatMap(({ pattern, instead }) =>
    matches(
      file,
      bare,
      pattern,
      (found) =>
        `${found.trim()} has no place in ${layer}. ${instead} If it is harmless here, say why: // tidy-ok: reason`,
    ),
  );
}

/** The one file that may use what Node does not document. */
const NODE_INTERNALS = 'src/gateway/http/node-internals.ts';
/** `_destroy` is documented for those who implement a stream. */
const PRIVATE_FIELD = /\._(?!destroy\b)[a-z]\w*|\b(?:onIncoming|httpAllowHalfOpen)\b/g;

export function privateFieldFaults(file: SourceFile): Fault[] {
  if (file.path === NODE_INTERNALS || isTest(file.path)) return [];
  return matches(
    file,
    blankOut(file.text).bare,
    PRIVATE_FIELD,
    (found) =>
      `uses ${found.replace('.', '')}, a private field of Node. Give it a function with a name of ours in ${NODE_INTERNALS}, and use it in the self-test beside that file.`,
  );
}

export function sizeFaults({ path, text }: SourceFile): Fault[] {
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines <= FILE_LINES_MAX) return [];
  return [
    {
      path,
      line: lines,
      message: `has ${lines} lines, at most ${FILE_LINES_MAX} are allowed. A domain word is missing: find it and give it a file of its own.`,
    },
  ];
}

/** The lock file is read by npm alone. */
export function bytesFaults({ path, text }: SourceFile): Fault[] {
  const bytes = Buffer.byteLength(text);
  if (bytes <= FILE_BYTES_MAX || path === 'package-lock.json') return [];
  const message = `has ${bytes} bytes, at most ${FILE_BYTES_MAX} are allowed. Write what is generated into dist/; split what is written by hand.`;
  return [{ path, line: 1, message }];
}

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export function nameFaults({ path }: SourceFile): Fault[] {
  const parts = path
    .replace(/(?:(?:\.slow|\.long)?\.test|\.test-support|\.d)?\.[a-z]+$/, '')
    .split('/');
  const crooked = parts.find((part) => !KEBAB.test(part));
  if (crooked !== undefined)
    return [
      {
        path,
        line: 1,
        message: `"${crooked}" is not kebab-case. Name it with whole lower-case words joined by hyphens.`,
      },
    ];
  const empty = parts
    .flatMap((part) => part.split('-'))
    .find((word) => NAMES_BANNED.includes(word));
  if (empty === undefined) return [];
  return [
    {
      path,
      line: 1,
      message: `"${empty}" says nothing about what is inside. Name the file after what it exports, in a word of docs/glossary.md.`,
    },
  ];
}

export const defaultExportFaults = (file: SourceFile): Fault[] =>
  matches(
    file,
    blankOut(file.text).bare,
    /\bexport\s+default\b|\bas\s+default\b/g,
    () => 'has a default export. Export by name, so that one thing has one name everywhere.',
  );

/**
 * Re-exports hide where a thing is defined. Tables may gather rows, because they import them and
 * add the table.
 */
export function barrelFaults(file: SourceFile): Fault[] {
  if (/(?:^|\/)index\.ts$/.test(file.path))
    return [
      {
        path: file.path,
        line: 1,
        message: 'is a barrel. Import from the file that holds the thing, and remove this one.',
      },
    ];
  const { bare } = blankOut(file.text);
  return matches(
    file,
    bare,
    /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\b/g,
    () => 're-exports from another file. Import it from its own file; only tables gather.',
  );
}

const OPENING = /^(?:#![^\n]*\n)?(?:\/\*\*(?:\s*\n \*)? |\/\/ )[^\s*]/;

/** Every source file opens with a sentence on its job. */
export function openingFaults({ path, text }: SourceFile): Fault[] {
  if (isTest(path) || OPENING.test(text)) return [];
  return [
    {
      path,
      line: 1,
      message:
        'does not state its purpose. Open it with one sentence: /** What this file is and does. */',
    },
  ];
}

export const deferredWorkFaults = (file: SourceFile): Fault[] =>
  matches(
    file,
    file.text,
    /\b(?:TODO|FIXME|XXX|HACK)\b/g,
    (found) => `${found} defers work. Do it now, or write it into the changelog as not done.`,
  );

export function skippedTestFaults(file: SourceFile): Fault[] {
  if (!isTest(file.path)) return [];
  const { bare } = blankOut(file.text);
  const calls = /\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:skip|skipIf|runIf|only|todo|fails)\b/;
  const pattern = new RegExp(
    `${calls.source}|\\bx(?:it|test|describe)\\s*\\(|\\(\\{[^}]*\\bskip\\b`,
    'g',
  );
  return matches(
    file,
    bare,
    pattern,
    (found) =>
      `${found} leaves a test out, or all the others. Make it pass, or remove it together with its rule.`,
  );
}

const WORKPLACE = /\/(?:home|root)\/|\bissues? #?\d+/gi;

/** The repository describes the product alone. */
export const workplaceFaults = (file: SourceFile): Fault[] =>
  matches(
    file,
    file.text,
    WORKPLACE,
    (found) =>
      `"${found}" belongs to the place where this was written, not to the product. Name the rule in docs/rules instead, or leave it out.`,
  );

const REGISTRY =
  /\bregistry\.[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|cn|co|eu)\b|^registry\s*=.*$|"resolved":\s*"https?:[^"]*"/gm;

/** No package source is named, because each user has their own. */
export const registryFaults = (file: SourceFile): Fault[] =>
  matches(file, file.text, REGISTRY, (found) => {
    if (found.startsWith('"resolved"'))
      return 'the lock file names where a package came from. Write it again with `npm install --package-lock-only --omit-lockfile-registry-resolved`.';
    return `"${found}" names a package registry. Leave it out; users have their own.`;
  });

/** The entry points of the build: files reachable from there, or from a test, are alive. */
export const entryPoints = (packageJson: string): readonly string[] => {
  const { scripts } = JSON.parse(packageJson) as { scripts: Record<string, string> };
  return [
    ...new Set(
      Object.values(scripts).flatMap(
        (script) => script.match(/\b(?:src|scripts|bench)\/[\w/.-]+\.ts\b/g) ?? [],
      ),
    ),
  ];
};

const VALUE_OF_SRC = /^import (?!type\b)[^;]*? from '(?:\.\.\/)+src\/[^']+'/gm;

/** A model that shares code with the exchange shares its mistakes. */
export function sharedCodeFaults(file: SourceFile): Fault[] {
  if (!file.path.startsWith('model/exchange/')) return [];
  const message =
    'imports code of the exchange. Import types alone, and write the rule a second time.';
  return matches(file, file.text, VALUE_OF_SRC, () => message);
}

/** A source file that only tests import, or none, is dead. */
export function deadFileFaults(files: readonly SourceFile[], entries: readonly string[]): Fault[] {
  const importers = importersByPath(files);
  return files.flatMap(({ path, text }) => {
    if (!path.startsWith('src/') || isTest(path) || entries.includes(path) || isAllowed(text, 1))
      return [];
    if (
      (importers.get(path) ?? []).some(
        (importer) => importer !== path && !isTest(importer) && !/^(?:test|model)\//.test(importer),
      )
    )
      return [];
    const message =
      'only tests import it, or none. Use it, remove it, call it `.test-support.ts`, or name it as an entry point in the build script of package.json.';
    return [{ path, line: 1, message }];
  });
}
