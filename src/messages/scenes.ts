/** Scenes: what the simulated market can be asked to do to a symbol, and how its books are made. */
import { flag, oneOf, optional, record, text, whole } from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Id } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { CATEGORIES, type Category } from './vocabulary.ts';

/** Their order is kept in the journal: append, never reorder. `feed` follows a file of prices. */
const SCENE_NAMES = [
  'calm',
  'trend',
  'wick',
  'gap',
  'crash',
  'cascade',
  'frozenFeed',
  'oneSided',
  'markIndexSplit',
  'halt',
  'feed',
] as const;
export type SceneName = (typeof SCENE_NAMES)[number];

/** What is asked for when a scene is to be played. */
export const sceneFields = {
  category: oneOf(CATEGORIES),
  symbol: text(),
  name: oneOf(SCENE_NAMES),
  /** From now. */
  delayMs: whole(),
  durationMs: whole(),
  /** How far, in percent, and which way. */
  percent: text<DecimalText>(),
  down: flag,
  /** Of a `feed`: the file under the data folder that it follows. */
  file: optional(text()),
};

/** A scene that is played, or will be. */
export interface Scene {
  readonly id: Id;
  readonly category: Category;
  readonly symbol: string;
  readonly name: SceneName;
  readonly startsAt: Timestamp;
  readonly endsAt: Timestamp;
  readonly percent: DecimalText;
  readonly down: boolean;
  readonly file?: string;
  /** It has halted its symbol or pinned its mark, or has found that the operator had done so. */
  readonly held?: boolean;
}

/** Which symbol a scene has to do with, and in which way. */
export type HeldScene = Pick<Scene, 'category' | 'symbol' | 'name'>;

/**
 * How a book is made, compared with the usual: twice the depth, half the spread. A depth of nothing
 * means that nobody makes it.
 */
export const makingCodec = record({ depth: text<DecimalText>(), spread: text<DecimalText>() });
export interface Making {
  readonly depth: DecimalText;
  readonly spread: DecimalText;
}
