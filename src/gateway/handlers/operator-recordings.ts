/** Operator API: recordings of a market. */
import type { operatorRecordingRows } from '../../contract/operator-recordings.ts';
import { categoryWords, wireWord } from '../../contract/wire-words.ts';
import { given } from '../../kernel/given.ts';
import { ok } from '../../kernel/result.ts';
import type { RecordedRange } from '../../messages/recordings.ts';
import type { HandlersOf } from './handler.ts';
import type { HandlerParts, ImportedRecording } from './parts.ts';

const importedText = (made: ImportedRecording) => ({
  hash: made.hash,
  kind: made.kind,
  rows: made.rows,
  intervalMs: String(made.intervalMs),
  startTime: String(made.from),
  endTime: String(made.to),
  divide: String(made.divideAt),
  price: made.price,
  missing: made.findings.missing,
  longestGapMs: String(made.findings.longestGapMs),
  repeated: made.findings.repeated,
  empty: made.findings.empty,
});

const useText = (as: 'past' | 'path', { symbol, category, from, to, shiftMs }: RecordedRange) => ({
  as,
  symbol,
  category: category === undefined ? null : wireWord(categoryWords, category),
  startTime: String(from),
  endTime: String(to),
  shiftMs: String(shiftMs),
});

export const operatorRecordingHandlers = ({
  controls,
  views,
}: HandlerParts): HandlersOf<typeof operatorRecordingRows> => ({
  importRecording: async ({ file, symbol, category, as = 'past', divide, columns }) => {
    const request = {
      path: file,
      symbol,
      use: as,
      ...given({ category, divideAt: divide, columns }),
    };
    const imported = await controls.importRecording(request);
    return imported.ok ? ok(importedText(imported.value)) : imported;
  },

  uploadRecording: async (request, _, upload) => {
    const { symbol, category, as = 'past', divide, columns, name } = request;
    const table = { symbol, use: as, ...given({ category, divideAt: divide, columns, name }) };
    const imported = await controls.importUpload(upload, table);
    return imported.ok ? ok(importedText(imported.value)) : imported;
  },

  listRecordings: () =>
    ok(
      views.recordings.all().map(({ hash, known, pasts, paths }) => ({
        hash,
        kind: known.kind,
        bytes: String(known.bytes),
        intervalMs: String(known.intervalMs),
        startTime: String(known.from),
        endTime: String(known.to),
        uses: [
          ...pasts.map((each) => useText('past', each)),
          ...paths.map((each) => useText('path', each)),
        ],
      })),
    ),
});
