/**
 * Failures of order and durability that stop the program. All are thrown; none reaches a client.
 */

/**
 * The disk refused a write or a sync, so its content is unknown. Do not retry: stop, and recover by
 * reading.
 */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure';
}

/** A position in a file, as precise as known. */
export interface Place {
  readonly file: string;
  readonly offset: number;
  /** The expected sequence. */
  readonly sequence: number;
}

const placeText = ({ file, offset, sequence }: Place): string =>
  `${file} at byte ${offset}, where sequence ${sequence} was expected`;

/**
 * Acknowledged data may be missing or changed. The start is refused, because it would hide the
 * loss.
 */
export class DamagedJournal extends Error {
  override readonly name = 'DamagedJournal';
  readonly place: Place;
  readonly reason: string;

  constructor(reason: string, place: Place) {
    super(`the journal is damaged in ${placeText(place)}: ${reason}`);
    this.place = place;
    this.reason = reason;
  }
}

/** The end of the journal must be rewritten, but the disk has no room. */
export class NoRoomForRepair extends Error {
  override readonly name = 'NoRoomForRepair';

  constructor(file: string, bytes: number) {
    super(
      `a sync has failed, so ${file} must be rewritten, and the disk has no room for its ` +
        `${bytes} bytes: free some space and start again`,
    );
  }
}

/** The folder was written by a newer program. */
export class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion';
}

/** Replaying the journal gave another result than the first execution. */
export class DivergedReplay extends Error {
  override readonly name = 'DivergedReplay';
}

/** Another program is writing this folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/** A new snapshot does not read back correctly. Older snapshots and the journal are unchanged. */
export class UnprovedSnapshot extends Error {
  override readonly name = 'UnprovedSnapshot';
}
