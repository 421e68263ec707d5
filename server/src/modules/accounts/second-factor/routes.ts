import type { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { conflict, invalid } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { Handlers } from "../../../platform/http/mount.ts";
import { createAttempts } from "../../../platform/limits/create-attempts.ts";
import type { World } from "../../../world.ts";
import { createPasswordConfirmation } from "../passwords/change.ts";
import {
  dropSecondFactor,
  mailSecondFactorChange,
  newSecret,
  renewRecoveryCodes,
  secondFactorState,
  turnOnSecondFactor,
  useCode,
  wrongCode,
} from "./queries.ts";
import { enrolment } from "./rules.ts";

/** Most wrong codes of a signed-in user per window, in milliseconds. */
const limit = { most: 10, window: 300_000 };

/** Runs `work`, which returns undefined for a wrong code, in a transaction, with a limit on wrong codes. */
const createCodeLimit = (world: Pick<World, "db" | "pool" | "clock" | "node">) => {
  const { db } = world;
  const tries = createAttempts(world, "codes of a signed-in user", limit);
  return async <T>({ userId }: Caller, work: (trx: Database) => Promise<T | undefined>): Promise<T> => {
    const key = String(userId);
    await tries.count(key);
    const result = await db.transaction().execute(work);
    if (result === undefined) throw invalid(wrongCode);
    await tries.forget(key);
    return result;
  };
};

interface Change {
  password: string;
  code: string;
}

export const secondFactorRoutes = (
  world: Pick<World, "db" | "pool" | "clock" | "node" | "publicUrl" | "passwords">,
): Handlers<typeof secondFactor> => {
  const { db, clock } = world;
  const confirmPassword = createPasswordConfirmation(world);
  const limited = createCodeLimit(world);
  const note = async (trx: Database, { userId, plantId }: Caller, change: "on" | "off" | "renewed") => {
    const now = clock.date();
    await audit(trx, { plantId, userId, action: `secondFactor.${change}`, now });
    await mailSecondFactorChange(trx, world, { userId, change, now });
  };
  const change = async <T>(caller: Caller, { password, code }: Change, work: (trx: Database) => Promise<T>) => {
    await confirmPassword(caller.userId, password);
    if (!(await secondFactorState(db, caller.userId)).isOn) throw conflict("The second factor is off");
    return limited(caller, async (trx) =>
      (await useCode(trx, caller.userId, code, clock.date())) ? work(trx) : undefined,
    );
  };

  return {
    state: (_input, { userId }) => secondFactorState(db, userId),
    begin: async ({ password }, { userId }) => {
      await confirmPassword(userId, password);
      const secret = await newSecret(db, userId, clock.date());
      const user = db.selectFrom("users").select("email").where("user_id", "=", userId);
      return enrolment(secret, (await user.executeTakeFirstOrThrow()).email);
    },
    turnOn: async ({ code }, caller) => ({
      recoveryCodes: await limited(caller, async (trx) => {
        const codes = await turnOnSecondFactor(trx, caller.userId, code, clock.date());
        if (codes) await note(trx, caller, "on");
        return codes;
      }),
    }),
    turnOff: (input, caller) =>
      change(caller, input, async (trx) => {
        await dropSecondFactor(trx, caller.userId);
        await note(trx, caller, "off");
        return null;
      }),
    renewRecoveryCodes: (input, caller) =>
      change(caller, input, async (trx) => {
        await note(trx, caller, "renewed");
        return { recoveryCodes: await renewRecoveryCodes(trx, caller.userId) };
      }),
  };
};
