/** A row under construction: the same fields, not yet read-only. */
export type Writable<Row> = { -readonly [Name in keyof Row]: Row[Name] };
