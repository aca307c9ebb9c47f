/**
 * Claims that must hold. A broken one stops the program, because a wrong state must never be
 * acknowledged.
 */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

export function invariant(claim: boolean, sentence: string): asserts claim {
  if (!claim) throw new BrokenInvariant(sentence);
}

/** Ends a `switch` over a closed union: a new member does not compile until it has a case. */
export function unreachable(value: never): never {
  throw new BrokenInvariant(`unreachable: ${JSON.stringify(value)}`);
}
