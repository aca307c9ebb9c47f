/**
 * The ways order and durability can fail the program. All are thrown; none is ever answered to a
 * client.
 */

/**
 * The disk refused a write or a sync. What it holds is unknown from here on, so nothing is tried
 * again: stop, and recover by reading.
 */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure';
}

/** A spot in a file, as precisely as it is known. */
export interface Place {
  readonly file: string;
  readonly offset: number;
  /** The sequence that was expected there. */
  readonly sequence: number;
}

const placeText = ({ file, offset, sequence }: Place): string =>
  `${file} at byte ${offset}, where sequence ${sequence} was expected`;

/**
 * Something acknowledged may be missing or changed. Starting would hide it, so the start is
 * refused.
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

/** The end of the journal has to be written afresh, and there is no room for it. */
export class NoRoomForRepair extends Error {
  override readonly name = 'NoRoomForRepair';

  constructor(file: string, bytes: number) {
    super(
      `a sync has failed, so ${file} has to be written afresh, and the disk has no room for its ${bytes} bytes: make room and start again`,
    );
  }
}

/** The folder was written by a newer program. */
export class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion';
}

/** Executing the journal again did something else than the first time. */
export class DivergedReplay extends Error {
  override readonly name = 'DivergedReplay';
}

/** Another program writes this folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * A snapshot was written and does not read back as what it should be. The older ones and the
 * journal stay as they are.
 */
export class UnprovedSnapshot extends Error {
  override readonly name = 'UnprovedSnapshot';
}
