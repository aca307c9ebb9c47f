/** Said to a person and followed by exit code 1. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
}
