import { lowCredit } from "@telltale/contract/sms";
import { ownersAndAdmins } from "../accounts/responsible-queries.ts";
import { chargeSms, returnSms } from "../sms/movement-queries.ts";
import type { Database, World } from "../world.ts";
import { alertLetter } from "./alert-letter.ts";
import { creditLetter } from "./credit-letter.ts";
import { alertOf } from "./message.ts";
import { queueMail } from "./outbox.ts";
import { type QueuedMessage, settle } from "./outbox-queries.ts";

/** Takes SMS credit for alerts that go out by SMS. */
export interface SmsCharging {
  /**
   * Whether the SMS may go out: it is paid for, now or at an earlier try, or costs nothing. When there is no credit the message is
   * settled: owners and admins are told of the alert by mail instead.
   */
  take(message: QueuedMessage): Promise<boolean>;
  /** Gives back what an SMS cost that certainly did not go out. Call it in the transaction that says so. */
  giveBack(db: Database, message: QueuedMessage): Promise<void>;
}

type Needs = Pick<World, "db" | "clock" | "publicUrl">;

const tellAdmins = async (
  db: Database,
  plantId: number,
  now: Date,
  letterTo: (recipient: string) => Parameters<typeof queueMail>[1]["letter"],
): Promise<void> => {
  for (const recipient of await ownersAndAdmins(db, plantId))
    await queueMail(db, { recipient, letter: letterTo(recipient), now, plantId });
};

const noCredit = "There was no SMS credit: owners and admins were told by mail";

/** Only alerts are charged: the code that a new contact's phone is sent is free. */
export const createSmsCharging = ({ db, clock, publicUrl }: Needs): SmsCharging => ({
  take: async (message) => {
    const { plant_id: plantId, message_id: messageId, recipient: phone } = message;
    const alert = alertOf(message);
    if (!alert || plantId === null) return true;
    const now = clock.date();
    return db.transaction().execute(async (trx) => {
      const charge = await chargeSms(trx, { plantId, messageId, now });
      if (charge.isPaid) {
        const { left } = charge;
        if (left === lowCredit || left === 0) await tellAdmins(trx, plantId, now, () => creditLetter(left, publicUrl));
        return true;
      }
      await settle(trx, messageId, { status: "failed", fault: noCredit });
      await tellAdmins(trx, plantId, now, (recipient) =>
        alertLetter(alert, { publicUrl, recipient, insteadOf: phone }),
      );
      return false;
    });
  },
  giveBack: async (trx, { plant_id: plantId, message_id: messageId }) => {
    if (plantId !== null) await returnSms(trx, { plantId, messageId, now: clock.date() });
  },
});
