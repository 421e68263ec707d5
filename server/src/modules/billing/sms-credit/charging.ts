import { lowCredit } from "@telltale/contract/domains/billing";
import { counted } from "@telltale/contract/text/counted";
import { ownersAndAdmins } from "../../../access/index.ts";
import { alertLetterOf, type Letter, queueMail, type SmsCharging, settle } from "../../../notify/index.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import type { World } from "../../../world.ts";
import { chargeSms, returnSms } from "./ledger.ts";

/** The notice to owners and admins that few or no SMS are left. */
const creditLetter = (left: number, publicUrl: string): Letter => ({
  subject: left === 0 ? "No SMS credit is left" : `Only ${counted(left, "SMS is", "SMS are")} left`,
  paragraphs: [
    left === 0
      ? "The last SMS of your plant's credit has just been used. Alerts for SMS recipients now go to owners and admins by mail."
      : `Your plant has credit for ${left} more SMS. When it is used up, alerts for SMS recipients go to owners and admins by mail.`,
  ],
  action: { label: "Buy SMS", url: `${publicUrl}/sms` },
  footnotes: ["You receive this because you are an owner or admin of this plant."],
});

type Needs = Pick<World, "db" | "clock" | "publicUrl">;

const tellAdmins = async (
  db: Database,
  plantId: number,
  now: Date,
  letterTo: (recipient: string) => Letter | undefined,
): Promise<void> => {
  for (const recipient of await ownersAndAdmins(db, plantId)) {
    const letter = letterTo(recipient);
    if (letter) await queueMail(db, { recipient, letter, now, plantId });
  }
};

const noCredit = "No SMS credit: owners and admins were notified by mail";

/** Creates the charging of SMS. Only alerts are charged; the code for a new contact's phone is free. */
export const createSmsCharging = ({ db, clock, publicUrl }: Needs): SmsCharging => ({
  take: async (message) => {
    const { plant_id: plantId, message_id: messageId, recipient: phone } = message;
    const letterTo = (recipient: string) => alertLetterOf(message, { publicUrl, recipient, insteadOf: phone });
    if (!letterTo("") || plantId === null) return true;
    const now = clock.date();
    return db.transaction().execute(async (trx) => {
      const charge = await chargeSms(trx, { plantId, messageId, now });
      if (charge.isPaid) {
        const { left } = charge;
        if (left === lowCredit || left === 0) await tellAdmins(trx, plantId, now, () => creditLetter(left, publicUrl));
        return true;
      }
      // Another sender that has taken the message since tells them itself.
      if (!(await settle(trx, message, { status: "failed", fault: noCredit }))) return false;
      await tellAdmins(trx, plantId, now, letterTo);
      return false;
    });
  },
  giveBack: async (trx, { plant_id: plantId, message_id: messageId }) => {
    if (plantId !== null) await returnSms(trx, { plantId, messageId, now: clock.date() });
  },
});
