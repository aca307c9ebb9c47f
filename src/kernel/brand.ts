/**
 * A branded type: the same value at run time, but two brands cannot be mixed up at compile time.
 */
declare const brand: unique symbol;
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
