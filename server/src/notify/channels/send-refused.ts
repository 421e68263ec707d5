/** Whoever sends our messages has answered that this one is not taken; `isFinal` when the answer would be the same again. */
export class SendingRefused extends Error {
  readonly isFinal: boolean;
  /** The answer says that its reader wants none. */
  readonly isUnwanted: boolean;
  constructor(message: string, { isFinal, isUnwanted = false }: { isFinal: boolean; isUnwanted?: boolean }) {
    super(message);
    this.name = "SendingRefused";
    this.isFinal = isFinal;
    this.isUnwanted = isUnwanted;
  }
}
