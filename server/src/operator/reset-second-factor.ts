import { dropSecondFactor, mailSecondFactorChange } from "../accounts/second-factor-queries.ts";
import { audit } from "../database/audit.ts";
import { userOf } from "./accounts.ts";
import { Complaint } from "./complaint.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

/** Lets a user sign in with the password alone again; make sure first that it is who asks. Audited with `madeBy`. */
export const resetSecondFactor = async (
  { db, clock, publicUrl }: Operator,
  email: string,
  madeBy: string,
): Promise<Row[]> => {
  const user = await userOf(db, email);
  await db.transaction().execute(async (trx) => {
    if (!(await dropSecondFactor(trx, user.user_id))) throw new Complaint(`${user.email} has no second factor`);
    const now = clock.date();
    const reset = { plantId: null, userId: user.user_id, action: "secondFactor.reset", detail: { madeBy } };
    await audit(trx, { ...reset, now });
    await mailSecondFactorChange(trx, { publicUrl }, { userId: user.user_id, change: "off", now });
  });
  return [{ email: user.email, secondFactor: "off" }];
};
