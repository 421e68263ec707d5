import type { Input } from "@telltale/contract/call/call";
import { DeviceType } from "@telltale/contract/domains/devices";
import type { registration } from "@telltale/contract/domains/people/registration";
import { queueMail } from "../../../notify/index.ts";
import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { invalid } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";
import { claimMainDevice, freeUnit } from "../../devices/index.ts";
import { alreadyRegisteredLetter, confirmationLetter } from "../mail/letters.ts";
import { endMailLinks, lockMailLinks, newMailLink, takeMailLink } from "../mail/links.ts";
import { hashNewPassword } from "../passwords/password.ts";
import { createPlant, insertUser } from "../records/create.ts";
import { userByEmail } from "../records/queries.ts";

type Needs = Pick<World, "db" | "clock" | "publicUrl" | "closed">;

/** Data of an unconfirmed registration. */
interface Pending {
  deviceSnId: string;
  passwordHash: string;
  timeZoneId: string;
}

const mailConfirmation = async (db: Database, { publicUrl }: Needs, email: string, pending: Pending, now: Date) => {
  const secret = await newMailLink(db, { purpose: "registration", email, detail: pending, now });
  await queueMail(db, { recipient: email, letter: confirmationLetter({ publicUrl, email, secret }), now });
};

/** Mails a confirmation link, or a notice that the address is registered already. The unit stays unclaimed until the confirmation. */
export const register = async (world: Needs, input: Input<typeof registration.register>): Promise<void> => {
  const { email, password, timeZoneId } = input;
  const unit = await freeUnit(world, input.telltaleId);
  if (unit.device_type !== DeviceType.main)
    throw invalid("A sub-device reports through a main device: register with that one's ID");
  const passwordHash = await hashNewPassword(password);
  const now = world.clock.date();
  await world.db.transaction().execute(async (trx) => {
    await lockMailLinks(trx, email);
    await endMailLinks(trx, "registration", email);
    if ((await userByEmail(trx, email))?.password_hash) {
      await queueMail(trx, { recipient: email, letter: alreadyRegisteredLetter(world), now });
    } else {
      await mailConfirmation(trx, world, email, { deviceSnId: unit.device_sn_id, passwordHash, timeZoneId }, now);
    }
  });
};

/** Mails a new link if the address has an unconfirmed registration. */
export const resendConfirmation = (world: Needs, email: string): Promise<void> =>
  world.db.transaction().execute(async (trx) => {
    await lockMailLinks(trx, email);
    const pending = await endMailLinks<Pending>(trx, "registration", email);
    if (pending) await mailConfirmation(trx, world, email, pending, world.clock.date());
  });

const tooOld = "This link has been used or is too old. Sign in, or register again for a new one";

/** Creates the user, or sets the password of an invited user without one. */
const userFor = async (db: Database, email: string, passwordHash: string, now: Date): Promise<number> => {
  const made = await insertUser(db, { email, passwordHash }, now);
  if (made !== undefined) return made;
  // The condition is part of the UPDATE: of two concurrent confirmations one sets the password.
  const invited = await db
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where(({ eb, fn }) => eb(fn<string>("lower", ["email"]), "=", email.toLowerCase()))
    .where("password_hash", "is", null)
    .returning("user_id")
    .executeTakeFirst();
  if (!invited) throw invalid(tooOld);
  return invited.user_id;
};

/** Creates the user and a plant, and adds the unit unless it has been claimed meanwhile. */
export const confirmRegistration = async (
  { db, clock }: Needs,
  { accessToken, email }: Input<typeof registration.confirm>,
): Promise<void> => {
  const now = clock.date();
  await db.transaction().execute(async (trx) => {
    const link = { purpose: "registration" as const, email, secret: accessToken, now };
    const pending = await takeMailLink<Pending>(trx, link);
    if (!pending) throw invalid(tooOld);
    const { deviceSnId, passwordHash, timeZoneId } = pending;
    const userId = await userFor(trx, email, passwordHash, now);
    const plantId = await createPlant(trx, { userId, plantName: email, timeZoneId, firstSms: 0 }, now);
    const isAdded = await claimMainDevice(trx, { deviceSnId, plantId, userId, now });
    await audit(trx, { plantId, userId, action: "user.register", detail: { deviceSnId, isAdded }, now });
  });
};
