/** Error text for an unknown name: suggests the nearest one and lists all. */

/** Edit distance: letters to change, add or remove to turn one word into the other. */
function lettersBetween(input: string, name: string): number {
  let above = Array.from({ length: name.length + 1 }, (_, at) => at);
  for (let row = 0; row < input.length; row++) {
    const line = [row + 1];
    for (let at = 0; at < name.length; at++)
      line.push(
        Math.min(above[at + 1]! + 1, line[at]! + 1, above[at]! + (input[row] === name[at] ? 0 : 1)),
      );
    above = line;
  }
  return above.at(-1)!;
}

/** A name that differs in a third of its letters is another word. */
const FARTHEST_SHARE = 3;
/** A longer input is not a typo, and the comparison has quadratic cost. */
const INPUT_LENGTH_MAX = 64;

function nearestName(input: string, names: readonly string[]): string | undefined {
  if (input.length > INPUT_LENGTH_MAX) return undefined;
  const distances = names.map((name) => ({
    name,
    letters: lettersBetween(input.toLowerCase(), name.toLowerCase()),
  }));
  const near = distances.filter(({ name, letters }) => letters * FARTHEST_SHARE <= name.length);
  return near.sort((left, right) => left.letters - right.letters)[0]?.name;
}

/** For example: `there is no call getUsr; is it getUser? There are …`. */
export function noSuchName(kind: string, input: string, names: readonly string[]): string {
  const nearest = nearestName(input, names);
  const none = `there is no ${kind} ${input.slice(0, INPUT_LENGTH_MAX)}`;
  return nearest === undefined
    ? `${none}; there are ${names.join(', ')}`
    : `${none}; is it ${nearest}? There are ${names.join(', ')}`;
}
