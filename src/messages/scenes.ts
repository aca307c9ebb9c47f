/** Scenes: the scripted market moves in a symbol, and how books are made. */
import { flag, oneOf, optional, record, text, whole } from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Id } from '../kernel/ids.ts';
import type { Timestamp } from '../kernel/time.ts';
import { CATEGORIES, type Category } from './vocabulary.ts';

/** The journal stores the index: append, never reorder. `feed` follows a file of prices. */
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

/** The fields of a request to play a scene. */
export const sceneFields = {
  category: oneOf(CATEGORIES),
  symbol: text(),
  name: oneOf(SCENE_NAMES),
  /** From now. */
  delayMs: whole(),
  durationMs: whole(),
  /** Size of the move in percent, and its direction. */
  percent: text<DecimalText>(),
  down: flag,
  /** Only for a `feed`: the file under the data folder that it follows. */
  file: optional(text()),
};

/** A running or planned scene. */
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
  /** It has halted its symbol or pinned its mark, or the operator had already done so. */
  readonly held?: boolean;
}

/** The symbol of a scene, and how the scene holds it. */
export type HeldScene = Pick<Scene, 'category' | 'symbol' | 'name'>;

/**
 * Book depth and spread relative to the default: twice the depth, half the spread. With depth zero,
 * no book is made.
 */
export const makingCodec = record({ depth: text<DecimalText>(), spread: text<DecimalText>() });
export interface Making {
  readonly depth: DecimalText;
  readonly spread: DecimalText;
}
