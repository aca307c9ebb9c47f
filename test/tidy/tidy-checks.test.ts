/**
 * Tests each source check on a planted violation and on valid code, so that each check can fail.
 */
import { describe, expect, test } from 'vitest';
import { type Fault, faultText, type SourceFile } from './source-text.ts';
import * as checks from './tidy-checks.ts';

const file = (path: string, text = ''): SourceFile => ({ path, text });
const input = (faults: readonly Fault[]): string[] => faults.map(faultText);

describe('layers', () => {
  test('[REP-01] an import against the layers is named with the allowed layers and the fix', () => {
    const planted = file(
      'src/core/fees.ts',
      "/** Fees. */\nimport { reply } from '../gateway/reply.ts';\n",
    );
    expect(input(checks.layerFaults(planted))).toEqual([
      'src/core/fees.ts:2: imports gateway/reply.ts: core may import kernel, messages, formulas. Move what both need down to kernel or messages or formulas, pass it in from app, or send it as an event.',
    ]);
  });

  test('[REP-01] the bottom layer imports nothing', () => {
    const planted = file(
      'src/kernel/money.ts',
      "import type { Event } from '../messages/events.ts';",
    );
    expect(input(checks.layerFaults(planted))).toEqual([
      'src/kernel/money.ts:1: imports messages/events.ts: kernel may import nothing. Move what both need into this layer, pass it in from app, or send it as an event.',
    ]);
  });

  test('[REP-01] a dynamic import, a re-export, a type import and a worker count as imports', () => {
    const lines = [
      "export { view } from '../views/view.ts';",
      "const later = () => import('../app/main.ts');",
      "new Worker(new URL('../journal/disk.ts', import.meta.url));",
      "import type { Row } from '../contract/endpoint.ts';",
      "import '../client/client.ts';",
    ];
    expect(
      checks.layerFaults(file('src/core/x.ts', lines.join('\n'))).map(({ line }) => line),
    ).toEqual([1, 2, 3, 4, 5]);
  });

  test('[REP-01] a folder that is no layer, and an import from outside src, are violations', () => {
    expect(input(checks.layerFaults(file('src/lib/x.ts')))).toEqual([
      'src/lib/x.ts:1: lies in no layer. Move it into one of kernel, messages, listings, formulas, contract, core, journal, views, gateway, streams, client, simulator, app, ops; a new layer needs a row in ARCHITECTURE.md.',
    ]);
    expect(
      input(checks.layerFaults(file('src/app/x.ts', "import { run } from '../../bench/run.ts';"))),
    ).toEqual([
      'src/app/x.ts:1: imports bench/run.ts: nothing in src depends on what lies outside it. Move the file into a layer.',
    ]);
  });

  test('[REP-01] allowed imports, imports of tests, and imports in comments or texts are accepted', () => {
    const allowed = [
      "import { post } from './ledger/ledger.ts';",
      "import { money } from '../kernel/money.ts';",
      "import { margin } from '../formulas/margin.ts';",
    ];
    expect(checks.layerFaults(file('src/core/x.ts', allowed.join('\n')))).toEqual([]);
    expect(
      checks.layerFaults(
        file('src/core/x.test.ts', "import { reply } from '../gateway/reply.ts';"),
      ),
    ).toEqual([]);
    expect(
      checks.layerFaults(
        file(
          'src/core/x.ts',
          "// import { reply } from '../gateway/reply.ts';\nconst text = \"import '../gateway/reply.ts'\";",
        ),
      ),
    ).toEqual([]);
  });

  test('[REP-34] an import of a lower folder of the core is refused, one of a higher folder is not', () => {
    const holds = (imported: string) =>
      input(
        checks.coreFolderFaults(
          file('src/core/margin/holds.ts', `import { x } from '${imported}';`),
        ),
      );
    for (const higher of ['../ledger/ledger.ts', './debts.ts', '../../kernel/money.ts'])
      expect(holds(higher)).toEqual([]);
    for (const lower of ['trading/orders/order.ts', 'reactions.ts'])
      expect(holds(`../${lower}`)).toEqual([
        `src/core/margin/holds.ts:1: imports core/${lower}: core/margin is above it. Move what both need up, or send an event and react to it in reactions.ts.`,
      ]);
    expect(input(checks.coreFolderFaults(file('src/core/other/x.ts')))).toEqual([
      'src/core/other/x.ts:1: lies in src/core/other, which has no row in the table of the core in ARCHITECTURE.md.',
    ]);
  });

  test('[REP-38] a private field of Node is refused outside its file', () => {
    const faultsIn = (path: string): number =>
      checks.privateFieldFaults(file(path, 'socket._httpMessage = parser.onIncoming;')).length;
    expect(faultsIn('src/gateway/http/server.ts')).toBe(2);
    expect(faultsIn('src/gateway/http/node-internals.ts')).toBe(0);
    const documented = 'super._destroy(error); this._own = 1; // ._header';
    expect(input(checks.privateFieldFaults(file('src/app/x.ts', documented)))).toEqual([
      'src/app/x.ts:1: uses _own, a private field of Node. Give it a function with a name of ours in src/gateway/http/node-internals.ts, and use it in the self-test beside that file.',
    ]);
  });

  test('[REP-02] a package, or a part of Node that reaches outside, is refused in the machine', () => {
    expect(
      input(checks.packageFaults(file('src/core/x.ts', "import { Kysely } from 'kysely';"))),
    ).toEqual([
      'src/core/x.ts:1: imports kysely: core imports no package and of Node only node:crypto, node:buffer, node:zlib. Do it in journal, views, gateway or app and hand the result in.',
    ]);
    expect(
      checks.packageFaults(file('src/messages/x.ts', "import { readFileSync } from 'node:fs';")),
    ).toHaveLength(1);
    expect(
      checks.packageFaults(file('src/kernel/x.ts', "import { createHash } from 'node:crypto';")),
    ).toEqual([]);
    expect(
      checks.packageFaults(file('src/views/x.ts', "import { Kysely } from 'kysely';")),
    ).toEqual([]);
  });
});

describe('words that are banned in the machine', () => {
  test('[REP-03] the message names the word, the layer and the replacement', () => {
    expect(
      input(checks.bannedWordFaults(file('src/core/x.ts', '/** X. */\nconst now = Date.now();'))),
    ).toEqual([
      'src/core/x.ts:2: Date has no place in core. Take the time from `step.at`, or let the caller pass a Timestamp. If it is harmless here, say why: // tidy-ok: reason',
    ]);
    expect(
      input(checks.bannedWordFaults(file('src/kernel/x.ts', 'const half = Number(text) / 2;'))),
    ).toEqual([
      'src/kernel/x.ts:1: Number( has no place in kernel. Use moneyFromText and moneyText of kernel/money.ts for money, Number.parseInt of checked text or countOf of kernel/count.ts for counts. If it is harmless here, say why: // tidy-ok: reason',
    ]);
  });

  test.each([
    ['new Date()', 'Take the time'],
    ['performance.now()', 'Take the time'],
    ['Math.random()', 'Take ids from'],
    ['randomUUID()', 'Take ids from'],
    ['setTimeout(fire, 5)', 'Set a timer'],
    ['queueMicrotask(fire)', 'Set a timer'],
    ['process.env.X', 'Let a command carry'],
    ['async () => 1', 'Answer at once'],
    ['await later', 'Answer at once'],
    ['Promise.resolve()', 'Answer at once'],
    ['parseFloat(text)', 'Use moneyFromText'],
    ['Number (text)', 'Use moneyFromText'],
    ['value.toFixed(2)', 'Use moneyFromText'],
    ['Math.pow(2, 3)', 'Its last digit'],
    ['left.localeCompare(right)', 'It depends on the machine'],
    ['new WeakRef(value)', 'Its answer depends'],
    ['console.log(value)', 'Emit an event'],
  ])('[REP-03] %s is refused', (code, instead) => {
    const faults = checks.bannedWordFaults(file('src/core/x.ts', `const x = ${code};`));
    expect(faults.length).toBeGreaterThan(0);
    expect(faults[0]!.message).toContain(instead);
  });

  test.each([
    'Number.parseInt(text, 10)',
    'Number.isSafeInteger(n)',
    "'Date'",
    '/Date/',
    '1; // a Date',
    'Math.floor(n)',
    'validUpTo',
    'isNumber(x)',
    'Date.now(); // tidy-ok: not shown',
  ])('[REP-03] %s is accepted', (code) =>
    expect(checks.bannedWordFaults(file('src/core/x.ts', `const x = ${code};`))).toEqual([]),
  );

  test('[REP-03] an exception needs a reason, and other layers and tests need none', () => {
    expect(checks.bannedWordFaults(file('src/core/x.ts', 'Date.now(); // tidy-ok:'))).toHaveLength(
      1,
    );
    expect(checks.bannedWordFaults(file('src/gateway/x.ts', 'Date.now();'))).toEqual([]);
    expect(checks.bannedWordFaults(file('src/core/x.test.ts', 'Date.now();'))).toEqual([]);
    expect(checks.bannedWordFaults(file('src/formulas/x.ts', 'Date.now();'))).toHaveLength(1);
  });
});

describe('files', () => {
  test('[REP-04] 400 lines are accepted, 401 are not', () => {
    expect(checks.sizeFaults(file('src/core/x.ts', 'line\n'.repeat(400)))).toEqual([]);
    expect(input(checks.sizeFaults(file('src/core/x.ts', 'line\n'.repeat(401))))).toEqual([
      'src/core/x.ts:401: has 401 lines, at most 400 are allowed. A domain word is missing: find it and give it a file of its own.',
    ]);
  });

  test('[REP-25] 61440 bytes are accepted, 61441 are not, except in the lock file', () => {
    // é takes two bytes in UTF-8: 30,720 of them are 61,440 bytes.
    expect(checks.bytesFaults(file('docs/x.md', 'é'.repeat(30_720)))).toEqual([]);
    expect(input(checks.bytesFaults(file('docs/x.md', `${'é'.repeat(30_720)}.`)))).toEqual([
      'docs/x.md:1: has 61441 bytes, at most 61440 are allowed. Write what is generated into dist/; split what is written by hand.',
    ]);
    expect(checks.bytesFaults(file('package-lock.json', 'x'.repeat(61_441)))).toEqual([]);
  });

  test('[REP-05] names are kebab-case and have a meaning', () => {
    expect(input(checks.nameFaults(file('src/core/orderBook.ts')))).toEqual([
      'src/core/orderBook.ts:1: "orderBook" is not kebab-case. Name it with whole lower-case words joined by hyphens.',
    ]);
    expect(input(checks.nameFaults(file('src/core/order-utils.ts')))).toEqual([
      'src/core/order-utils.ts:1: "utils" says nothing about what is inside. Name the file after what it exports, in a word of docs/glossary.md.',
    ]);
    expect(checks.nameFaults(file('src/common/book.ts'))).toHaveLength(1);
    expect(checks.nameFaults(file('src/core/Book/book.ts'))).toHaveLength(1);
    for (const path of ['src/core/book/order-book.test.ts', 'src/core/book/orders.test-support.ts'])
      expect(checks.nameFaults(file(path))).toEqual([]);
  });

  test('[REP-06] a default export is refused in either form', () => {
    expect(
      input(checks.defaultExportFaults(file('src/core/x.ts', 'const x = 1;\nexport default x;'))),
    ).toEqual([
      'src/core/x.ts:2: has a default export. Export by name, so that one thing has one name everywhere.',
    ]);
    expect(
      checks.defaultExportFaults(file('src/core/x.ts', 'export { x as default };')),
    ).toHaveLength(1);
    expect(
      checks.defaultExportFaults(file('src/core/x.ts', "export const x = 'export default';")),
    ).toEqual([]);
  });

  test('[REP-07] re-exports and index files are refused; a table that gathers rows is not', () => {
    expect(input(checks.barrelFaults(file('src/core/x.ts', "export * from './y.ts';")))).toEqual([
      'src/core/x.ts:1: re-exports from another file. Import it from its own file; only tables gather.',
    ]);
    expect(
      checks.barrelFaults(file('src/core/x.ts', "export type { A,\n B } from './y.ts';")),
    ).toHaveLength(1);
    expect(input(checks.barrelFaults(file('src/core/index.ts')))).toEqual([
      'src/core/index.ts:1: is a barrel. Import from the file that holds the thing, and remove this one.',
    ]);
    expect(
      checks.barrelFaults(
        file(
          'src/core/x.ts',
          "import { row } from './y.ts';\nexport const table = { row };\nexport { row };",
        ),
      ),
    ).toEqual([]);
  });

  test('[REP-08] a file opens with a sentence', () => {
    expect(
      input(checks.openingFaults(file('src/core/x.ts', "import { y } from './y.ts';"))),
    ).toEqual([
      'src/core/x.ts:1: does not state its purpose. Open it with one sentence: /** What this file is and does. */',
    ]);
    expect(checks.openingFaults(file('src/core/x.ts', '/** */'))).toHaveLength(1);
    for (const opening of [
      '/** Fees. */',
      '/**\n * Fees, and who gains.\n */',
      '// Fees.',
      '#!/usr/bin/env node\n/** The command line. */',
    ])
      expect(checks.openingFaults(file('src/core/x.ts', `${opening}\nexport {};`))).toEqual([]);
  });

  test('[REP-13] a file that only tests import is dead; an entry point is not', () => {
    const used = file('src/core/used.ts');
    const dead = file('src/core/dead.ts');
    const importers = [
      file('src/core/dead.test.ts', "import { dead } from './dead.ts';"),
      file('test/scenarios/story.ts', "import { dead } from '../../src/core/dead.ts';"),
      file('src/app/main.ts', "import { used } from '../core/used.ts';"),
    ];
    const entries = checks.entryPoints(
      '{"scripts":{"build":"esbuild src/app/main.ts src/views/history/history-worker.ts --outdir=dist","docs":"tsx scripts/docs.ts"}}',
    );
    expect(entries).toEqual([
      'src/app/main.ts',
      'src/views/history/history-worker.ts',
      'scripts/docs.ts',
    ]);
    expect(input(checks.deadFileFaults([used, dead, ...importers], entries))).toEqual([
      'src/core/dead.ts:1: only tests import it, or none. Use it, remove it, call it `.test-support.ts`, or name it as an entry point in the build script of package.json.',
    ]);
  });
});

test.each([
  ["import type { Side } from '../../src/messages/vocabulary.ts';", 0],
  ["import { floor } from './whole-units.ts';", 0],
  ["import { otherSide } from '../../src/messages/vocabulary.ts';", 1],
  ["import {\n  type A,\n  b,\n} from '../../src/core/engine.ts';", 1],
])('[REP-32] a model shares no code with the exchange: %s', (text, faults) => {
  expect(checks.sharedCodeFaults(file('model/exchange/naive-x.ts', text))).toHaveLength(faults);
  expect(checks.sharedCodeFaults(file('model/lockstep/x.ts', text))).toEqual([]);
});

describe('words in any file', () => {
  test('[REP-09] deferred work is refused', () => {
    expect(input(checks.deferredWorkFaults(file('src/core/x.ts', '// TODO: round')))).toEqual([
      'src/core/x.ts:1: TODO defers work. Do it now, or write it into the changelog as not done.',
    ]);
    expect(
      checks.deferredWorkFaults(file('src/core/x.ts', '// FIXME\n// XXX\n// HACK')),
    ).toHaveLength(3);
    expect(checks.deferredWorkFaults(file('src/core/x.ts', 'const mastodon = 1;'))).toEqual([]);
  });

  test.each([
    'test.skip(',
    'test.skipIf(',
    'test.runIf(',
    'test.only(',
    'describe.skip(',
    'it.todo(',
    'test.concurrent.only(',
    'xit(',
    'test.fails(',
  ])('[REP-10] %s is refused', (call) => {
    const text = `${call}'x', () => {});`;
    expect(checks.skippedTestFaults(file('src/core/x.test.ts', text))).toHaveLength(1);
  });

  test.each([
    ["test('x', ({ skip }) => skip());", 1],
    ["test('x', async ({ expect, skip }) => {});", 1],
    ["test('x', ({ skipped }) => skipped());", 0],
  ])('[REP-10] a test that skips itself is refused: %s', (text, faults) => {
    expect(checks.skippedTestFaults(file('src/core/x.test.ts', text))).toHaveLength(faults);
  });

  test('[REP-10] the message says that a test is skipped; a text that mentions it is accepted', () => {
    expect(input(checks.skippedTestFaults(file('src/core/x.test.ts', "test.skip('x');")))).toEqual([
      'src/core/x.test.ts:1: test.skip leaves a test out, or all the others. Make it pass, or remove it together with its rule.',
    ]);
    expect(
      checks.skippedTestFaults(
        file('src/core/x.test.ts', "test('test.skip(', () => list.skip(1));"),
      ),
    ).toEqual([]);
  });

  test.each(['/home/me/x', '/root/x', 'issue #12'])('[REP-11] "%s" is refused', (words) => {
    expect(checks.workplaceFaults(file('docs/x.md', words))).toHaveLength(1);
  });

  test('[REP-11] the message names the fix; words of the product are accepted', () => {
    expect(input(checks.workplaceFaults(file('docs/x.md', 'see /home/notes')))).toEqual([
      'docs/x.md:1: "/home/" belongs to the place where this was written, not to the product. Name the rule in docs/rules instead, or leave it out.',
    ]);
    expect(
      checks.workplaceFaults(
        file(
          'docs/x.md',
          'A session of trading, a network, an agent and its customers, specification.',
        ),
      ),
    ).toEqual([]);
  });

  test('[REP-12] a package registry is refused by name and in the lock file', () => {
    expect(input(checks.registryFaults(file('docs/x.md', 'from registry.example.com')))).toEqual([
      'docs/x.md:1: "registry.example.com" names a package registry. Leave it out; users have their own.',
    ]);
    expect(
      input(
        checks.registryFaults(
          file('package-lock.json', '{\n"resolved": "https://example.com/a.tgz"\n}'),
        ),
      ),
    ).toEqual([
      'package-lock.json:2: the lock file names where a package came from. Write it again with `npm install --package-lock-only --omit-lockfile-registry-resolved`.',
    ]);
    expect(checks.registryFaults(file('.npmrc', 'registry=http://127.0.0.1:4873'))).toHaveLength(1);
    expect(
      checks.registryFaults(
        file('src/app/x.ts', 'registry.metrics(); registry.contentType.length;'),
      ),
    ).toEqual([]);
  });
});
