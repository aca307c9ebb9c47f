/** What handlers are given to work with. */
import { ok } from '../../kernel/result.ts';
import type { Clock } from '../../kernel/time.ts';
import type { CommandOf, CommandType, Outcomes } from '../../messages/commands.ts';
import type { ViewQueries } from '../../views/views.ts';
import type { RandomBytes } from '../auth/credentials.ts';
import type { Vault } from '../auth/vault.ts';
import type { FaultLaboratory } from '../faults/fault-laboratory.ts';
import type { ExchangeNow, Submit } from '../submit.ts';
import type { Reply } from './handler.ts';

export type ServiceStatus = 'starting' | 'serving' | 'stopping' | 'halted';

/** How far the engine has come. */
export interface Health {
  readonly status: ServiceStatus;
  /** The last command executed, and the last that is synced to the journal. */
  readonly sequence: number;
  readonly durable: number;
  readonly stateHash: string;
  readonly uptimeMs: number;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly sequence: number;
  readonly stateHash: string;
  readonly coins: readonly { readonly coin: string; readonly difference: string }[];
  readonly violations: readonly string[];
}

/** What only the parts behind the engine can do for the operator. */
export interface OperatorControls {
  health(): Health;
  /** Recomputes every invariant. */
  audit(): AuditReport | Promise<AuditReport>;
  /** Writes a snapshot now and tells the sequence it stands at. */
  snapshot(): Promise<Reply<{ readonly sequence: number }>>;
}

export interface HandlerParts {
  readonly submit: Submit;
  readonly views: ViewQueries;
  readonly clock: Clock;
  readonly exchangeNow: ExchangeNow;
  readonly vault: Vault;
  readonly randomBytes: RandomBytes;
  readonly controls: OperatorControls;
  readonly faults: FaultLaboratory;
}

/** Submits a command and answers what `show` makes of its outcome; a refusal passes as it is. */
export async function submitAndShow<Type extends CommandType, Shown>(
  submit: Submit,
  command: CommandOf<Type>,
  show: (outcome: Outcomes[Type]) => Shown,
): Promise<Reply<Shown>> {
  const result = await submit(command);
  return result.ok ? ok(show(result.value)) : result;
}
