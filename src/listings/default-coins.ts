/**
 * The coins listed by default, with their chains. All of it can be changed through the operator
 * API.
 */
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { Chain, Coin } from '../messages/listings.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

interface ChainTerms {
  readonly chain: string;
  readonly addressKind: Chain['addressKind'];
  readonly fee: string;
  readonly min: string;
  readonly confirmations: number;
  readonly needsTag?: boolean;
}

const WITHDRAW_DECIMALS = 8;
const SINGLE_LIMIT_USD = decimal('1000000');

const chain = ({
  chain,
  addressKind,
  fee,
  min,
  confirmations,
  needsTag = false,
}: ChainTerms): Chain => ({
  chain,
  addressKind,
  needsTag,
  depositOpen: true,
  withdrawOpen: true,
  withdrawFee: decimal(fee),
  withdrawMin: decimal(min),
  depositMin: decimal('0.00000001'),
  withdrawStep: decimal('0.00000001'),
  withdrawDecimals: WITHDRAW_DECIMALS,
  depositConfirmations: confirmations,
  withdrawConfirmations: confirmations,
});

const coin = (
  name: string,
  collateralRate: string,
  leverageMax: string,
  chains: readonly Chain[],
): Coin => ({
  coin: name,
  collateralRate: decimal(collateralRate),
  leverage: decimal('3'),
  leverageMax: decimal(leverageMax),
  automaticLimitUsd: decimal('10000'),
  singleLimitUsd: SINGLE_LIMIT_USD,
  // By default one approval releases any allowed withdrawal (WDR-34).
  secondApprovalUsd: SINGLE_LIMIT_USD,
  chains,
});

export const DEFAULT_COINS: readonly Coin[] = [
  coin('USDT', '1', '10', [
    chain({ chain: 'ERC20', addressKind: 'evm', fee: '3', min: '10', confirmations: 12 }),
    chain({ chain: 'TRC20', addressKind: 'tron', fee: '1', min: '10', confirmations: 20 }),
    chain({ chain: 'SOL', addressKind: 'solana', fee: '1', min: '10', confirmations: 32 }),
    chain({ chain: 'BEP20', addressKind: 'evm', fee: '0.5', min: '10', confirmations: 15 }),
  ]),
  coin('USDC', '1', '10', [
    chain({ chain: 'ERC20', addressKind: 'evm', fee: '3', min: '10', confirmations: 12 }),
    chain({ chain: 'SOL', addressKind: 'solana', fee: '1', min: '10', confirmations: 32 }),
  ]),
  coin('BTC', '0.95', '10', [
    chain({ chain: 'BTC', addressKind: 'bitcoin', fee: '0.0002', min: '0.001', confirmations: 2 }),
    chain({
      chain: 'LIGHTNING',
      addressKind: 'lightning',
      fee: '0.00001',
      min: '0.00001',
      confirmations: 1,
    }),
    chain({ chain: 'BEP20', addressKind: 'evm', fee: '0.00001', min: '0.0001', confirmations: 15 }),
  ]),
  coin('ETH', '0.95', '10', [
    chain({ chain: 'ERC20', addressKind: 'evm', fee: '0.001', min: '0.01', confirmations: 12 }),
    chain({
      chain: 'ARBITRUM',
      addressKind: 'evm',
      fee: '0.0002',
      min: '0.005',
      confirmations: 12,
    }),
  ]),
  coin('SOL', '0.85', '5', [
    chain({ chain: 'SOL', addressKind: 'solana', fee: '0.01', min: '0.1', confirmations: 32 }),
  ]),
  coin('XRP', '0.85', '5', [
    chain({
      chain: 'XRP',
      addressKind: 'xrp',
      fee: '0.2',
      min: '20',
      confirmations: 1,
      needsTag: true,
    }),
  ]),
];
