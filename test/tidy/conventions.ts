/** The conventions that tidy checks, as tables. ARCHITECTURE.md and STYLE.md explain them. */
import { readFileSync } from 'node:fs';

const ARCHITECTURE = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');

/** A row of the layer table: the folder, what it holds, what it may import. */
const LAYER_ROW = /^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm;

/** The layers in a document's table; `all above` means every row before it. */
export function layersIn(document: string): Readonly<Record<string, readonly string[]>> {
  const rows = [...document.matchAll(LAYER_ROW)].map(([, folder = '', imports = '']) => ({
    folder,
    imports,
  }));
  const folders = rows.map(({ folder }) => folder);
  const allowed = (imports: string, row: number): readonly string[] => {
    if (imports === 'nothing') return [];
    return imports === 'all above' ? folders.slice(0, row) : imports.split(', ');
  };
  return Object.fromEntries(
    rows.map(({ folder, imports }, row) => [folder, allowed(imports, row)]),
  );
}

/** Each folder under src is one layer; it may import itself and these. */
export const LAYERS = layersIn(ARCHITECTURE);

/** A row of the table of the core: the folder and what it holds. */
const CORE_ROW = /^\| `core\/(\w+)` \| [^|]+ \|$/gm;

/** Folders of the core, bottom first. Each imports only those before it. */
export const CORE_FOLDERS: readonly string[] = [...ARCHITECTURE.matchAll(CORE_ROW)].map(
  ([, folder = '']) => folder,
);

/** Two panes of this width fit on a screen. */
export const LINE_COLUMNS_MAX = 100;

/** A longer sentence needs a second reading. */
export const SENTENCE_WORDS_MAX = 25;

/** A longer rule is several rules. */
export const RULE_LENGTH_MAX = 300;

/** Words that no exchange engineer would say, and what to say instead. */
export const DIALECT: Readonly<Record<string, string>> = {
  whoever: 'the account, the user or the client',
  whomever: 'the account, the user or the client',
  somebody: 'an account, a user or a client',
  nobody: 'no account, no user or no client',
  everybody: 'every account, user or client',
  he: 'it or they',
  him: 'it or them',
  his: 'its or their',
  unheard: 'stale',
  borne: 'covered',
  reckon: 'compute',
  reckons: 'computes',
  reckoned: 'computed',
  reckoning: 'computing',
  'kept up': 'the maintenance requirement',
  'keep up': 'the maintenance requirement',
  leeway: 'headroom',
};

/** Parts of names that were replaced, and by what. */
export const REPLACED_NAMES: Readonly<Record<string, string>> = {
  holder: 'account context',
  seat: 'symbol account',
  venue: 'market context',
  leeway: 'margin headroom',
  upkeep: 'requirement',
  unkept: 'exempt principal',
  unheard: 'stale',
  borne: 'affordable',
  told: 'emitted',
  retold: 'emitted',
  wish: 'request',
  dues: 'levy',
  turnstile: 'admission queue',
  doorkeeper: 'request gate',
  occupancy: 'concurrency limiter',
  courier: 'withdrawal sender',
  complaint: 'error',
  reckon: 'compute',
  backlog: 'deferred work',
};

/** A file longer than this has two jobs. */
export const FILE_LINES_MAX = 400;

/** A larger file does not show in a review what changed. */
export const FILE_BYTES_MAX = 61_440;

/** Words that fit any file and therefore describe none. */
export const NAMES_BANNED: readonly string[] = [
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'misc',
  'manager',
  'service',
  'impl',
  'data',
  'info',
  'stuff',
];

/** The parts of Node that give the same answer on every machine. */
export const PACKAGES_IN_MACHINE: readonly string[] = ['node:crypto', 'node:buffer', 'node:zlib'];

export interface BannedWord {
  readonly pattern: RegExp;
  /** The replacement. */
  readonly instead: string;
}

export const BANNED_IN_MACHINE: readonly BannedWord[] = [
  {
    pattern: /\bDate\b|\bperformance\b/g,
    instead: 'Take the time from `step.at`, or let the caller pass a Timestamp.',
  },
  {
    pattern: /\bMath\.random\b|\brandom(?:Bytes|UUID|Int)\b/g,
    instead:
      'Take ids from `takeId`; where chance is wanted, pass a generator of kernel/random.ts with its seed.',
  },
  {
    pattern: /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask)\b/g,
    instead:
      'Set a timer with core/transaction/step.ts: it is state, so it survives a crash and a replay.',
  },
  {
    pattern: /\bprocess\./g,
    instead: 'Let a command carry the setting: what is not in the journal cannot be replayed.',
  },
  {
    pattern: /\basync\b|\bawait\b|\bPromise\b/g,
    instead: 'Answer at once; waiting is done in journal, views or gateway.',
  },
  {
    pattern: /\bparseFloat\b|(?<![\w.])Number\s*\(|\.(?:toFixed|toPrecision|toExponential)\b/g,
    instead:
      'Use moneyFromText and moneyText of kernel/money.ts for money, Number.parseInt of checked text or countOf of kernel/count.ts for counts.',
  },
  {
    pattern:
      /\bMath\.(?:pow|sqrt|cbrt|exp|expm1|log\w*|sin\w*|cos\w*|tan\w*|a(?:sin|cos|tan)\w*|hypot)\b/g,
    instead: 'Its last digit differs between machines; work in whole numbers.',
  },
  {
    pattern: /\bIntl\b|\.toLocale\w*|\.localeCompare\b/g,
    instead: 'It depends on the machine; compare with < and >, and leave languages to contract.',
  },
  {
    pattern: /\b(?:WeakRef|FinalizationRegistry)\b/g,
    instead: 'Its answer depends on the garbage collector; hold the value.',
  },
  { pattern: /\bconsole\./g, instead: 'Emit an event; its observer writes it down.' },
];
