/**
 * Checks on closed unions: where the exchange decides by a word of one, a new word must not compile
 * until it is decided about. A comparison with a single word would let it pass.
 */
import { blankOut, type Fault, isAllowed, lineAt, type SourceFile } from './source-text.ts';

/** Each field that holds such a word, and what to ask in place of a comparison. */
const QUESTIONS: Readonly<Record<string, string>> = {
  marginMode: 'isIsolated or isCrossed',
  orderType: 'isLimit or isMarket',
  timeInForce: 'mayRest, mustNotTake or mustFillWhole',
};

const COMPARED = new RegExp(`\\b(${Object.keys(QUESTIONS).join('|')}) [!=]== '\\w+'`, 'g');
const DECIDES = /^src\/(?:core|formulas|views)\//;
const TEST = /\.test(?:-support)?\.ts$/;

export function unionFaults({ path, text }: SourceFile): Fault[] {
  if (!DECIDES.test(path) || TEST.test(path)) return [];
  return [...blankOut(text).code.matchAll(COMPARED)]
    .map(({ 0: found, 1: field = '', index }) => ({
      path,
      line: lineAt(text, index),
      message: `${found} ignores a word that is added later. Ask ${QUESTIONS[field]} of messages/vocabulary.ts: the table behind it must decide.`,
    }))
    .filter(({ line }) => !isAllowed(text, line));
}
