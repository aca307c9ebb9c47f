/** The fields of requests and answers in the specification. */
/** Fields of each request; a star marks a required field. */
export const REQUEST_FIELDS: Readonly<Record<string, string>> = {
  placeTriggerOrder: `
    planType* symbol* productType* marginMode* marginCoin* size* price callbackRatio triggerPrice*
    triggerType* side* tradeSide orderType* clientOid reduceOnly stopSurplusTriggerPrice
    stopSurplusExecutePrice stopSurplusTriggerType stopLossTriggerPrice stopLossExecutePrice
    stopLossTriggerType stpMode presetStopSurplusPrice presetStopLossPrice
  `,
  // Three of the five kinds require `size`, so the schema leaves it optional.
  placeTpslOrder: `
    marginCoin* productType* symbol* planType* triggerPrice* triggerType executePrice holdSide*
    size rangeRate clientOid stpMode
  `,
  placePositionTpsl: `
    marginCoin* productType* symbol* stopSurplusTriggerPrice stopSurplusSize stopSurplusTriggerType
    stopSurplusExecutePrice stopLossTriggerPrice stopLossSize stopLossTriggerType
    stopLossExecutePrice holdSide* stpMode stopSurplusClientOid stopLossClientOid
  `,
  cancelTriggerOrders: `
    orderIdList orderIdList[].orderId orderIdList[].clientOid symbol productType* marginCoin
    planType
  `,
  listPendingTriggerOrders:
    'orderId clientOid symbol planType* productType* idLessThan startTime endTime limit',
  listTriggerOrderHistory:
    'orderId clientOid planType* planStatus symbol productType* idLessThan startTime endTime limit',
  getAllPositions: 'productType* marginCoin',
  getSinglePosition: 'productType* symbol* marginCoin*',
  getCurrentPositions: 'category* symbol posSide',
  listIsolatedFills: 'symbol* orderId idLessThan startTime* endTime limit',
  placeBatch: `
    [].category* [].symbol* [].qty* [].price [].side* [].orderType* [].timeInForce [].posSide
    [].clientOid [].stpMode [].reduceOnly
  `,
  getOrder: 'orderId clientOid',
  getAccountSettings: '',
  requestWithdrawal: `
    coin* chain transferType* address* innerToType areaCode tag size* remark clientOid memberCode
    identityType companyName firstName lastName
  `,
  listWithdrawalRecords: 'coin orderId clientOid startTime* endTime* limit cursor',
  listFollowerHistory:
    'productType* symbol traderId startTime endTime limit idLessThan idGreaterThan',
  listLeaderTrackedOrders: 'symbol productType* startTime endTime limit idGreaterThan idLessThan',
  setCopySettings: `
    traderId* autoCopy mode settings* settings[].symbol* settings[].productType*
    settings[].marginType* settings[].marginCoin settings[].leverType* settings[].longLeverage
    settings[].shortLeverage settings[].traceType* settings[].traceValue* settings[].maxHoldSize
    settings[].stopSurplusRatio settings[].stopLossRatio
  `,
  setTrackedOrderTpsl: 'trackingNo* symbol productType* stopSurplusPrice stopLossPrice',
  listFollowLimits: 'productType* symbol',
  listAgentCustomers: 'startTime endTime pageNo pageSize uid referralCode showSub',
  getRebateRatios: 'uid*',
  listAgentCommissions: 'startTime endTime idLessThan limit uid coin symbol showSub',
};

/** Fields of each answer in the specification, in any order. */
export const ANSWER_FIELDS: Readonly<Record<string, string>> = {
  placeTriggerOrder: 'orderId clientOid',
  placeTpslOrder: 'orderId clientOid',
  placePositionTpsl: '[].orderId [].stopSurplusClientOid [].stopLossClientOid',
  cancelTriggerOrders: `
    successList successList[].orderId successList[].clientOid failureList failureList[].orderId
    failureList[].clientOid failureList[].errorMsg
  `,
  getCurrentPositions: `
    list list[].category list[].symbol list[].marginCoin list[].holdMode list[].posSide
    list[].marginMode list[].positionBalance list[].available list[].frozen list[].total
    list[].leverage list[].curRealisedPnl list[].avgPrice list[].positionStatus
    list[].unrealisedPnl list[].liquidationPrice list[].mmr list[].profitRate list[].markPrice
    list[].breakEvenPrice list[].totalFunding list[].openFeeTotal list[].closeFeeTotal
    list[].createdTime list[].updatedTime
  `,
  getSinglePosition: `
    [].symbol [].marginCoin [].holdSide [].openDelegateSize [].marginSize [].available [].locked
    [].total [].leverage [].achievedProfits [].openPriceAvg [].marginMode [].posMode
    [].unrealizedPL [].liquidationPrice [].keepMarginRate [].markPrice [].marginRatio
    [].breakEvenPrice [].totalFee [].deductedFee [].assetMode [].cTime [].uTime [].autoMargin
  `,
  listIsolatedFills: `
    fills fills[].orderId fills[].tradeId fills[].orderType fills[].side fills[].size
    fills[].priceAvg fills[].amount fills[].tradeScope fills[].feeDetail
    fills[].feeDetail.deduction fills[].feeDetail.feeCoin fills[].feeDetail.totalDeductionFee
    fills[].feeDetail.totalFee fills[].cTime fills[].uTime maxId minId
  `,
  placeBatch: '[].orderId [].clientOid [].code [].msg',
  getOrder: `
    orderId clientOid category symbol orderType side price qty amount cumExecQty cumExecValue
    avgPrice timeInForce orderStatus posSide holdMode tradeSide stpMode reduceOnly feeDetail
    feeDetail[].feeCoin feeDetail[].fee cancelReason execType createdTime updatedTime
  `,
  requestWithdrawal: 'orderId clientOid',
  listWithdrawalRecords: `
    [].orderId [].clientOid [].recordId [].coin [].type [].dest [].size [].status [].fromAddress
    [].toAddress [].chain [].fee [].confirm [].tag [].createdTime [].updatedTime
  `,
  listFollowLimits: '[].symbol [].maxFollowSize [].minFollowSize',
  listAgentCustomers: '[].uid [].registerTime',
  getRebateRatios: 'affiliationType userLevel clientSpotRebateRatio clientFuturesRebateRatio',
  setCopySettings: 'data',
  setTrackedOrderTpsl: 'data',
};
