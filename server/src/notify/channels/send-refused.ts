/** The provider refused a message; `isFinal` when a retry would be refused again. */
export class SendingRefused extends Error {
  readonly isFinal: boolean;
  /** The recipient has unsubscribed. */
  readonly isUnwanted: boolean;
  constructor(message: string, { isFinal, isUnwanted = false }: { isFinal: boolean; isUnwanted?: boolean }) {
    super(message);
    this.name = "SendingRefused";
    this.isFinal = isFinal;
    this.isUnwanted = isUnwanted;
  }
}
