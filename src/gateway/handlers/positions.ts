/** Open positions in v2 and v3 form, at the current mark price. */
import type { ResponseOf } from '../../contract/endpoint.ts';
import type { positionRows } from '../../contract/positions.ts';
import { positionModeWords, wireWord } from '../../contract/wire-words.ts';
import { idText } from '../../kernel/ids.ts';
import { minus, moneyText, negate, plus } from '../../kernel/money.ts';
import { ok } from '../../kernel/result.ts';
import { type PositionFigures, positionFigures } from '../../views/position-figures.ts';
import type { PositionTpsl } from '../../views/triggers.ts';
import type { HandlersOf } from './handler.ts';
import { textOr } from './order-texts.ts';
import type { HandlerParts } from './parts.ts';

export function positionText(figures: PositionFigures) {
  const { row } = figures;
  return {
    symbol: row.symbol,
    marginCoin: row.marginCoin,
    holdSide: row.side,
    openDelegateSize: moneyText(figures.openOrderSize),
    marginSize: moneyText(figures.margin),
    available: moneyText(minus(row.size, figures.lockedSize)),
    locked: moneyText(figures.lockedSize),
    total: moneyText(row.size),
    leverage: moneyText(figures.leverage),
    achievedProfits: moneyText(row.realisedProfit),
    openPriceAvg: moneyText(figures.entryPrice),
    marginMode: row.marginMode,
    posMode: wireWord(positionModeWords, row.positionMode),
    unrealizedPL: moneyText(figures.unrealised),
    liquidationPrice: moneyText(figures.liquidationPrice),
    keepMarginRate: moneyText(figures.maintenanceRate),
    markPrice: moneyText(figures.mark),
    marginRatio: moneyText(figures.marginRatio),
    breakEvenPrice: moneyText(figures.breakEvenPrice),
    totalFee: textOr(row.funding, ''),
    deductedFee: moneyText(negate(plus(row.openFees, row.closeFees))),
    assetMode: 'union',
    cTime: String(row.createdAt),
    uTime: String(row.updatedAt),
  } as const;
}

/** The take-profit and stop-loss triggers of the position. */
function tpslText({ takeProfit, stopLoss }: PositionTpsl) {
  return {
    takeProfit: textOr(takeProfit?.triggerPrice, ''),
    stopLoss: textOr(stopLoss?.triggerPrice, ''),
    takeProfitId: takeProfit === undefined ? '' : idText(takeProfit.triggerId),
    stopLossId: stopLoss === undefined ? '' : idText(stopLoss.triggerId),
  } as const;
}

type UnifiedPosition = ResponseOf<typeof positionRows.getCurrentPositions>['list'][number];

export function unifiedPositionText(figures: PositionFigures): UnifiedPosition {
  const { row } = figures;
  return {
    category: row.category,
    symbol: row.symbol,
    marginCoin: row.marginCoin,
    holdMode: wireWord(positionModeWords, row.positionMode),
    posSide: row.side,
    marginMode: row.marginMode,
    positionBalance: moneyText(figures.margin),
    available: moneyText(minus(row.size, figures.lockedSize)),
    frozen: moneyText(figures.lockedSize),
    total: moneyText(row.size),
    leverage: moneyText(figures.leverage),
    curRealisedPnl: moneyText(row.realisedProfit),
    avgPrice: moneyText(figures.entryPrice),
    positionStatus: 'normal',
    unrealisedPnl: moneyText(figures.unrealised),
    liquidationPrice: moneyText(figures.liquidationPrice),
    mmr: moneyText(figures.maintenanceRate),
    profitRate: moneyText(figures.profitRate),
    markPrice: moneyText(figures.mark),
    breakEvenPrice: moneyText(figures.breakEvenPrice),
    totalFunding: textOr(row.funding, '0'),
    openFeeTotal: moneyText(negate(row.openFees)),
    closeFeeTotal: moneyText(negate(row.closeFees)),
    createdTime: String(row.createdAt),
    updatedTime: String(row.updatedAt),
  } as const;
}

export const positionHandlers = ({ views }: HandlerParts): HandlersOf<typeof positionRows> => ({
  getAllPositions: ({ productType, marginCoin }, { uid }) => {
    const found = positionFigures(
      views,
      uid,
      (row) =>
        row.category === productType && (marginCoin === undefined || row.marginCoin === marginCoin),
    );
    const tpslOf = views.triggers.tpsl(uid);
    return ok(
      found.map((figures) => ({ ...positionText(figures), ...tpslText(tpslOf(figures.row)) })),
    );
  },

  getSinglePosition: ({ productType, symbol, marginCoin }, { uid }) => {
    const found = positionFigures(
      views,
      uid,
      (row) =>
        row.category === productType && row.symbol === symbol && row.marginCoin === marginCoin,
    );
    return ok(found.map((figures) => ({ ...positionText(figures), autoMargin: 'off' as const })));
  },

  getCurrentPositions: ({ category, symbol, posSide }, { uid }) => {
    const found = positionFigures(
      views,
      uid,
      (row) =>
        row.category === category &&
        (symbol === undefined || row.symbol === symbol) &&
        (posSide === undefined || row.side === posSide),
    );
    return ok({ list: found.map(unifiedPositionText) });
  },
});
