import { activeAccounts } from "../accounts/queries.ts";
import { createSupportLink } from "../accounts/support-view.ts";
import { userOf } from "./accounts.ts";
import { Complaint } from "./complaint.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

/** A link that shows support what the user sees: opened once, within 60 minutes, read-only for 60 minutes, audited. The owner sees `madeBy`. */
export const supportLink = async (operator: Operator, email: string, madeBy: string): Promise<Row[]> => {
  const { user_id } = await userOf(operator.db, email);
  const [account] = await activeAccounts(operator.db, user_id);
  if (!account) throw new Complaint(`${email} has no active account`);
  const { account_id: accountId, plant_id: plantId } = account;
  const token = await createSupportLink(operator, { accountId, userId: user_id, plantId, madeBy });
  return [{ link: `${operator.publicUrl}/adminLogin?token=${token}` }];
};
