/** A row while it is being put together: the same fields, not yet read-only. */
export type Writable<Row> = { -readonly [Name in keyof Row]: Row[Name] };
