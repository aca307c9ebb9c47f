/** What an error frame of a stream says. Clients know the codes as numbers. */
const STREAM_CODES = {
  notFound: 30001,
  requestWrong: 30002,
  operationUnknown: 30003,
  loginMissing: 30004,
  loginFailed: 30005,
  loginsTooMany: 30006,
  messagesTooMany: 30007,
  keyWrong: 30011,
  passphraseWrong: 30012,
  timestampWrong: 30013,
  timestampExpired: 30014,
  signatureWrong: 30015,
  parameterWrong: 30016,
} as const;

export interface StreamError {
  readonly code: number;
  readonly msg: string;
}

export const streamError = (reason: keyof typeof STREAM_CODES, msg: string): StreamError => ({
  code: STREAM_CODES[reason],
  msg,
});
