/** An error shown to the user, with exit code 1. */
export class CliError extends Error {
  override readonly name = 'Complaint';
}
