/** What handlers are given to work with. */

import type { CallNames, Named } from '../../contract/field-names.ts';
import type { CHAIN_FAULTS } from '../../contract/operator-withdrawals.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { ok } from '../../kernel/result.ts';
import type { Clock, Timestamp } from '../../kernel/time.ts';
import type { CommandOf, CommandType, Outcomes } from '../../messages/commands.ts';
import type { RecordedKind, RecordingUse } from '../../messages/recordings.ts';
import type { SceneName } from '../../messages/scenes.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { RandomBytes } from '../auth/credentials.ts';
import type { Vault } from '../auth/vault.ts';
import type { FaultLaboratory } from '../faults/fault-laboratory.ts';
import type { ExchangeNow, Submit } from '../submit.ts';
import type { CallSubmit } from './call-submit.ts';
import type { Reply } from './handler.ts';

export type ServiceStatus = 'starting' | 'serving' | 'stopping' | 'halted';

/** How far the engine has come. */
export interface Health {
  readonly status: ServiceStatus;
  /** The last command executed, and the last that is synced to the journal, at the same moment. */
  readonly sequence: number;
  readonly durable: number;
  readonly stateHash: string;
  /** What the hash belongs to: an earlier sequence while a large state is changing. */
  readonly stateHashSequence: number;
  readonly uptimeMs: number;
}

export interface CoinAuditText {
  readonly coin: string;
  readonly difference: string;
  readonly held: string;
  readonly owed: string;
  readonly insurance: string;
  readonly clearing: string;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly sequence: number;
  readonly stateHash: string;
  readonly coins: readonly CoinAuditText[];
  readonly violations: readonly string[];
}

/** How the exchange clock is to move: exactly one of these. */
export interface ClockMove {
  readonly advanceMs?: number | undefined;
  readonly to?: Timestamp | 'nextFunding' | 'nextDay' | undefined;
  readonly frozen?: boolean | undefined;
  readonly rate?: number | undefined;
}

/** A move of the clock that is being made: where it began, and where it ends. */
export interface ClockWay {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/** A scene as the operator asks for it; what is left out is as usual for that scene. */
export interface SceneRequest {
  readonly category: Category;
  readonly symbol: string;
  readonly name: SceneName;
  readonly delayMs?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly percent?: { readonly amount: DecimalText; readonly negative: boolean } | undefined;
  /** Of a feed: the rows themselves, or where they lie on this machine. */
  readonly csv?: string | undefined;
  readonly file?: string | undefined;
}

/** A recording as the operator asks for it. */
export interface RecordingRequest {
  /** Where the table lies on this machine, and what messages call it. */
  readonly path: string;
  readonly name?: string | undefined;
  readonly symbol: string;
  readonly category?: Category | undefined;
  readonly use: RecordingUse;
  readonly divideAt?: Timestamp | undefined;
  readonly columns?: string | undefined;
  /** The simulated market is off as yet, and will be switched on. */
  readonly marketComes?: boolean;
}

/** What an import has found and done. Times are those of the file. */
export interface ImportedRecording {
  readonly hash: string;
  readonly kind: RecordedKind;
  readonly rows: number;
  readonly intervalMs: number;
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly divideAt: Timestamp;
  /** The index that was set: the recorded price at the time that divides. */
  readonly price: DecimalText;
  readonly findings: {
    readonly missing: number;
    readonly longestGapMs: number;
    readonly repeated: number;
    readonly empty: number;
  };
}

/**
 * What is asked of the simulated market: to be on or off, to play a scene, or to be on and play it.
 */
export interface MarketChange {
  readonly on?: boolean | undefined;
  readonly scene?: SceneRequest | undefined;
}

/** What only the parts behind the engine can do for the operator. */
export interface OperatorControls {
  health(): Health | Promise<Health>;
  /** Recomputes every invariant. */
  audit(): AuditReport | Promise<AuditReport>;
  /** Writes a snapshot now and tells the sequence it stands at. */
  snapshot(): Promise<Reply<{ readonly sequence: number }>>;
  /** Answers when all that fell due on the way is done, and the simulated market has played it. */
  moveClock(move: ClockMove): Promise<Reply<{ readonly now: Timestamp }>>;
  /** Undefined while the clock is not being moved. */
  clockWay(): ClockWay | undefined;
  /** Both or neither. */
  changeMarket(change: MarketChange): Promise<Reply<unknown>>;
  /** Answers when the recording is kept and in use. */
  importRecording(request: RecordingRequest): Promise<Reply<ImportedRecording>>;
  /** Everything from the beginning: the same world, keys and token. */
  reset(): Promise<Reply<undefined>>;
}

/** Ways in which the simulated chain can misbehave when it is told to. */
export type ChainFault = (typeof CHAIN_FAULTS)[number];

/** All that handlers know of the chains that withdrawals travel on. */
export interface ChainControls {
  /** There may be something to send; does not wait for it. */
  nudge(): void;
  /**
   * Answers when all that can be sent now is sent, and all that the chains have to tell now is
   * told.
   */
  settle(): Promise<void>;
  /** Plans a fault for the next broadcasts; refused where chains cannot be told to misbehave. */
  plan(fault: ChainFault, count: number): Reply<null>;
}

/** What handlers work with; a refusal that `submit` answers names fields as the call does. */
export interface HandlerParts {
  readonly submit: CallSubmit;
  readonly views: ViewQueries;
  readonly clock: Clock;
  readonly exchangeNow: ExchangeNow;
  readonly vault: Vault;
  readonly randomBytes: RandomBytes;
  readonly controls: OperatorControls;
  readonly faults: FaultLaboratory;
  readonly chain: ChainControls;
}

/** The same for every API version: refusals are in the words of the core. */
export type ExchangeParts = Omit<HandlerParts, 'submit'> & { readonly submit: Submit };

/** Submits a command and answers what `show` makes of its outcome; a refusal passes as it is. */
export async function submitAndShow<Type extends CommandType, Shown>(
  submit: CallSubmit,
  command: CommandOf<Type>,
  show: (outcome: Named<Outcomes[Type]>) => Shown,
  names?: CallNames,
): Promise<Reply<Shown>> {
  const result = await submit(command, names);
  return result.ok ? ok(show(result.value)) : result;
}
