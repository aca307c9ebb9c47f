/** A branded type: the same value at run time, but the compiler does not let two brands mix. */
declare const brand: unique symbol;
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
