/** The dependencies of handlers. */

import type { CallNames, Named } from '../../contract/field-names.ts';
import type { CHAIN_FAULTS } from '../../contract/operator-withdrawals.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { ok } from '../../kernel/result.ts';
import type { Clock, Timestamp } from '../../kernel/time.ts';
import type { CommandOf, CommandType } from '../../messages/commands.ts';
import type { Outcomes } from '../../messages/outcomes.ts';
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

/** The progress of the engine. */
export interface Health {
  readonly status: ServiceStatus;
  /** The last executed command, and the last one synced to the journal, read together. */
  readonly sequence: number;
  readonly durable: number;
  readonly stateHash: string;
  /** The sequence of the hash; it is earlier while a large state is changing. */
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

/** A move of the exchange clock: exactly one of these is set. */
export interface ClockMove {
  readonly advanceMs?: number | undefined;
  readonly to?: Timestamp | 'nextFunding' | 'nextDay' | undefined;
  readonly frozen?: boolean | undefined;
  readonly rate?: number | undefined;
}

/** A clock move in progress, from start to end. */
export interface ClockWay {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/** A scene as the operator requests it; absent fields have the defaults of that scene. */
export interface SceneRequest {
  readonly category: Category;
  readonly symbol: string;
  readonly name: SceneName;
  readonly delayMs?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly percent?: { readonly amount: DecimalText; readonly negative: boolean } | undefined;
  /** For a feed: its rows, or their path on this machine. */
  readonly csv?: string | undefined;
  readonly file?: string | undefined;
}

/** A recording as the operator requests it. */
export interface RecordingRequest {
  /** The path of the table on this machine, and its name in messages. */
  readonly path: string;
  readonly name?: string | undefined;
  readonly symbol: string;
  readonly category?: Category | undefined;
  readonly use: RecordingUse;
  readonly divideAt?: Timestamp | undefined;
  readonly columns?: string | undefined;
  /** True if the simulated market is off now but will be switched on. */
  readonly marketComes?: boolean;
}

/** The result of an import. Times are those of the file. */
export interface ImportedRecording {
  readonly hash: string;
  readonly kind: RecordedKind;
  readonly rows: number;
  readonly intervalMs: number;
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly divideAt: Timestamp;
  /** The index that was set: the recorded price at the dividing time. */
  readonly price: DecimalText;
  readonly findings: {
    readonly missing: number;
    readonly longestGapMs: number;
    readonly repeated: number;
    readonly empty: number;
  };
}

/** A change of the simulated market: on or off, a scene, or both. */
export interface MarketChange {
  readonly on?: boolean | undefined;
  readonly scene?: SceneRequest | undefined;
}

/** Operator functions outside the engine. */
export interface OperatorControls {
  health(): Health | Promise<Health>;
  /** Recomputes every invariant. */
  audit(): AuditReport | Promise<AuditReport>;
  /** Writes a snapshot now and returns its sequence. */
  snapshot(): Promise<Reply<{ readonly sequence: number }>>;
  /** Resolves when everything due in between is done, including the simulated market. */
  moveClock(move: ClockMove): Promise<Reply<{ readonly now: Timestamp }>>;
  /** Undefined unless the clock is moving. */
  clockWay(): ClockWay | undefined;
  /** Applies both changes or neither. */
  changeMarket(change: MarketChange): Promise<Reply<unknown>>;
  /** Resolves when the recording is stored and in use. */
  importRecording(request: RecordingRequest): Promise<Reply<ImportedRecording>>;
  /** The same for a table that comes with the request. */
  importUpload(
    upload: AsyncIterable<Uint8Array>,
    request: Omit<RecordingRequest, 'path'>,
  ): Promise<Reply<ImportedRecording>>;
  /** Restarts the exchange with the same seed data, keys and token. */
  reset(): Promise<Reply<undefined>>;
}

/** Faults of the simulated chain. */
export type ChainFault = (typeof CHAIN_FAULTS)[number];

/** The interface of handlers to the chains. */
export interface ChainControls {
  /** Notes that a withdrawal may be ready; does not wait. */
  nudge(): void;
  /** Resolves when all ready withdrawals are sent and all chain reports are processed. */
  settle(): Promise<void>;
  /** Plans a fault for the next broadcasts; refused if chains cannot simulate faults. */
  plan(fault: ChainFault, count: number): Reply<null>;
}

/** The dependencies of a handler. A refusal that `submit` returns names fields as the call does. */
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

/** The dependencies that every API version shares. Refusals have the field names of the core. */
export type ExchangeParts = Omit<HandlerParts, 'submit'> & { readonly submit: Submit };

/** Submits a command and formats its outcome with `show`; passes a refusal on. */
export async function submitAndShow<Type extends CommandType, Shown>(
  submit: CallSubmit,
  command: CommandOf<Type>,
  show: (outcome: Named<Outcomes[Type]>) => Shown,
  names?: CallNames,
): Promise<Reply<Shown>> {
  const result = await submit(command, names);
  return result.ok ? ok(show(result.value)) : result;
}
