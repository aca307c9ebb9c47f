/** Refusals of withdrawals and of their approval. */
import type { ErrorRows } from './error-row.ts';

export const withdrawalErrors = {
  coinNotWithdrawn: {
    code: '13002',
    en: 'The coin[ {detail}] does not exist',
    zh: '币种[ {detail} ]不存在',
  },
  unknownChain: {
    code: '49050',
    en: 'The chain[ {detail}] is not supported for this coin',
    zh: '该币种不支持网络[ {detail}]',
  },
  withdrawalsHalted: {
    code: '42015',
    en: 'Withdrawals of[ {detail}] are suspended',
    zh: '[{detail} ]暂停提币',
  },
  chainClosed: {
    code: '43126',
    en: 'Withdrawals on this chain are closed[: {detail}]',
    zh: '该网络暂停提币[:{detail}]',
  },
  addressInvalid: {
    code: '47002',
    en: 'The withdrawal address failed verification',
    zh: '提币地址校验失败',
  },
  tagNeeded: {
    code: '43116',
    en: 'The chain[ {detail}] needs a valid address tag',
    zh: '网络[ {detail} ]需要有效的地址标签',
  },
  withdrawalTooFine: {
    code: '43125',
    en: 'The withdrawal amount has too many decimal places[, at most {detail}]',
    zh: '提币数量的小数位过多[,最多{detail}位]',
  },
  withdrawalOffStep: {
    code: '43124',
    en: 'The withdrawal amount must be a multiple of[ {detail}]',
    zh: '提币数量必须为[ {detail} ]的整数倍',
  },
  withdrawalTooSmall: {
    code: '43114',
    en: 'The withdrawal amount is below the minimum[ {detail}]',
    zh: '提币数量低于最小值[ {detail}]',
  },
  withdrawalNotAboveFee: {
    code: '43112',
    en: 'The withdrawal amount must be greater than the fee[ {detail}]',
    zh: '提币数量必须大于手续费[ {detail}]',
  },
  withdrawalTooLarge: {
    code: '13212',
    en: 'The withdrawal is above the maximum[ of {detail} USD]',
    zh: '单次提币超过最大值[,{detail} USD]',
  },
  dailyLimitExceeded: {
    code: '43113',
    en: 'The withdrawal exceeds the daily limit[ of {detail} USD]',
    zh: '提币超过每日限额[ {detail} USD]',
  },
  transferToSelf: {
    code: '43121',
    en: 'The recipient of a transfer must be another user',
    zh: '不能转账给自己',
  },
  unknownRecipient: { code: '40034', en: 'The recipient does not exist', zh: '收款人不存在' },
  unknownWithdrawal: {
    code: { v2: '40768', v3: '25204' },
    en: 'The withdrawal does not exist',
    zh: '提币记录不存在',
  },
  withdrawalOutOfTurn: {
    code: '40057',
    en: 'The withdrawal is not at this step',
    zh: '提币当前状态不允许此操作',
  },
  secondOperatorNeeded: {
    code: '40057',
    en: 'This operator has approved already, another one is needed[: {detail}]',
    zh: '该操作员已审批,需要另一名操作员[:{detail}]',
  },
  reserveTooSmall: {
    code: '40937',
    en: 'The exchange does not hold enough[ {detail}] for this',
    zh: '平台持有的[ {detail} ]不足',
  },
  depositsClosed: {
    code: '47001',
    en: 'Deposits on this chain are closed[: {detail}]',
    zh: '该网络暂停充币[:{detail}]',
  },
} as const satisfies ErrorRows;
