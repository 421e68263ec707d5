import { dropSecondFactor } from "../accounts/second-factor-queries.ts";
import { audit } from "../database/audit.ts";
import { Complaint, userOf } from "./accounts.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

/** Lets a user sign in with the password alone again; make sure first that it is who asks. Audited with `madeBy`. */
export const resetSecondFactor = async ({ db, clock }: Operator, email: string, madeBy: string): Promise<Row[]> => {
  const user = await userOf(db, email);
  await db.transaction().execute(async (trx) => {
    if (!(await dropSecondFactor(trx, user.user_id))) throw new Complaint(`${user.email} has no second factor`);
    const reset = { plantId: null, userId: user.user_id, action: "secondFactor.reset", detail: { madeBy } };
    await audit(trx, { ...reset, now: clock.date() });
  });
  return [{ email: user.email, secondFactor: "off" }];
};
