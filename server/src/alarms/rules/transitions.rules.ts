import { AlertStatus } from "@telltale/contract/domains/alerts";

/** Columns written by a confirmation. */
export interface Confirmation {
  status: AlertStatus;
  acceptTime: Date;
  /** The confirmer's account. */
  acceptedBy: number;
}

/** Only a triggered alert can be confirmed; a confirmed or cleared one stays as it is. (decisions §1) */
export const canConfirm = ({ status }: { status: number }): boolean => status === AlertStatus.triggered;

/** A confirmation by an account. */
export const confirmationBy = (accountId: number, now: Date): Confirmation => ({
  status: AlertStatus.confirmed,
  acceptTime: now,
  acceptedBy: accountId,
});
