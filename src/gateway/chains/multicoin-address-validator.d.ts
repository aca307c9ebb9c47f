/** The library says nothing about its types; this is the part of it that is used. */
declare module 'multicoin-address-validator' {
  interface Validator {
    validate(address: string, currency: string): boolean;
  }
  const validator: Validator;
  export = validator;
}
