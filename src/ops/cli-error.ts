/** Said to a person and followed by exit code 1. */
export class CliError extends Error {
  override readonly name = 'Complaint';
}
