import { AlertStatus } from "@telltale/contract/domains/alerts";

/** Columns written by a confirmation. */
export interface Confirmation {
  status: AlertStatus;
  acceptTime: Date;
  /** The confirmer's account; null for a contact. */
  acceptedBy: number | null;
  /** The contact's name; null for an account. */
  acceptedName: string | null;
}

/** Only a triggered alert can be confirmed; a confirmed or cleared one stays as it is. (decisions §1) */
export const canConfirm = ({ status }: { status: number }): boolean => status === AlertStatus.triggered;

/** A confirmation by an account, or by a contact of this name. */
export const confirmationBy = (
  { accountId, name = null }: { accountId: number | null; name?: string | null },
  now: Date,
): Confirmation => ({
  status: AlertStatus.confirmed,
  acceptTime: now,
  acceptedBy: accountId,
  acceptedName: accountId === null ? name : null,
});
