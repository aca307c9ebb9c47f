/** Refusals of trigger orders, take-profits and stop-losses. */
import type { ErrorRows } from './error-row.ts';

export const triggerErrors = {
  triggerFieldsConflict: {
    code: '43011',
    en: 'The trigger order parameter[ {field}] breaks a rule[: {detail}]',
    zh: '计划委托参数[ {field} ]不符合规则[:{detail}]',
  },
  tooManyTriggers: {
    code: '40889',
    en: 'The number of trigger orders of this symbol has reached the maximum[ {detail}]',
    zh: '该交易对的计划委托数量已达上限[ {detail}]',
  },
  tooManySpotTriggers: {
    code: { v2: '43071', v3: '40889' },
    en: 'The number of trigger orders of this trading pair has reached the maximum[ {detail}]',
    zh: '该币对的计划委托数量已达上限[ {detail}]',
  },
  tooManyTpsl: {
    code: '40890',
    en: 'The number of take-profit and stop-loss orders of this symbol has reached the maximum[ {detail}]',
    zh: '该交易对的止盈止损委托数量已达上限[ {detail}]',
  },
  longTakeProfitTooLow: {
    code: '40830',
    en: 'The take-profit price of a long position must be above the current price[ {detail}]',
    zh: '多仓止盈价必须高于当前价格[ {detail}]',
  },
  shortTakeProfitTooHigh: {
    code: '40832',
    en: 'The take-profit price of a short position must be below the current price[ {detail}]',
    zh: '空仓止盈价必须低于当前价格[ {detail}]',
  },
  longStopLossTooHigh: {
    code: '40834',
    en: 'The stop-loss price of a long position must be below the current price[ {detail}]',
    zh: '多仓止损价必须低于当前价格[ {detail}]',
  },
  shortStopLossTooLow: {
    code: '40836',
    en: 'The stop-loss price of a short position must be above the current price[ {detail}]',
    zh: '空仓止损价必须高于当前价格[ {detail}]',
  },
  longTakeProfitBelowMark: {
    code: '40915',
    en: 'The take-profit price of a long position must be above the mark price[ {detail}]',
    zh: '多仓止盈价必须高于标记价格[ {detail}]',
  },
  shortTakeProfitAboveMark: {
    code: '45135',
    en: 'The take-profit price of a short position must be below the mark price[ {detail}]',
    zh: '空仓止盈价必须低于标记价格[ {detail}]',
  },
  longStopLossAboveMark: {
    code: '40917',
    en: 'The stop-loss price of a long position must be below the mark price[ {detail}]',
    zh: '多仓止损价必须低于标记价格[ {detail}]',
  },
  shortStopLossBelowMark: {
    code: '45122',
    en: 'The stop-loss price of a short position must be above the mark price[ {detail}]',
    zh: '空仓止损价必须高于标记价格[ {detail}]',
  },
  takeProfitExists: {
    code: { v2: '43030', v3: '25594' },
    en: 'The position has a take-profit order already',
    zh: '该仓位已有止盈委托',
  },
  stopLossExists: {
    code: { v2: '43031', v3: '25594' },
    en: 'The position has a stop-loss order already',
    zh: '该仓位已有止损委托',
  },
  unknownTrigger: {
    code: { v2: '43025', v3: '25597' },
    en: 'The trigger order does not exist',
    zh: '计划委托不存在',
  },
  unknownTpsl: {
    code: { v2: '43020', v3: '25597' },
    en: 'The take-profit or stop-loss order does not exist',
    zh: '止盈止损委托不存在',
  },
} as const satisfies ErrorRows;
