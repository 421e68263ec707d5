import { timingSafeEqual } from "node:crypto";
import { type ProvisionAnswer, RefusalReason } from "@telltale/contract/device-api";
import { ApiError } from "../../platform/http/api-error.ts";
import { createAttempts } from "../../platform/limits/create-attempts.ts";
import { createNetworkTries } from "../../platform/limits/network.ts";
import { createTurns } from "../../platform/turns.ts";
import type { Refusals } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { hashOfSecret } from "./keys.ts";
import { countRefusal, registerDevice } from "./register.ts";
import { type DeviceRequest, requestIn } from "./request.rules.ts";

/** Wrong keys, secrets and requests of one network per window, in milliseconds. A unit that repeats a wrong request all day stays below. */
const wrongLimit = { most: 100, window: 300_000 };

/** Requests with one key per window. A whole fleet may be switched on at once. */
const keyLimit = { most: 1_000, window: 300_000 };

/** Registrations at once, each of another plant: each holds a connection to the database, which devices and users need too. */
const atOnce = 2;

/** Most registrations that wait. */
const mostWaiting = 2_000;

const noSuchKey = "There is no such provisioning key, or its secret is another";
const busy = "The server is busy. Try again in a minute";

/** Answers the requests of devices that register themselves. Rejects when the database is unavailable. */
export interface Registration {
  /** `address`: the client's. */
  answer(payload: unknown, address: string): Promise<ProvisionAnswer>;
}

interface Needs extends Pick<World, "db" | "pool" | "clock" | "node" | "notices" | "closed"> {
  refusals: Pick<Refusals, "count">;
}

const failure = (errorMsg: string, status: "FAILURE" | "NOT_FOUND" = "FAILURE"): ProvisionAnswer => ({
  status,
  errorMsg,
});

/** The sentence of a limit that was reached; undefined when none was. */
const limitSentence = (tried: Promise<void>): Promise<string | undefined> =>
  tried.then(
    () => undefined,
    (fault: unknown) => {
      if (fault instanceof ApiError) return fault.message;
      throw fault;
    },
  );

export const createRegistration = ({ refusals, ...world }: Needs): Registration => {
  const { db, clock, closed } = world;
  const wrong = createNetworkTries(world, "provisioning", wrongLimit);
  const byKey = createAttempts(world, "provisioning key", keyLimit);
  const inTurn = createTurns(atOnce);
  let waiting = 0;

  const refuse = (answer: ProvisionAnswer, serial = "", deviceId: number | null = null): ProvisionAnswer => {
    refusals.count(deviceId, RefusalReason.notProvisioned, "errorMsg" in answer ? answer.errorMsg : "", serial);
    return answer;
  };

  const refuseWrong = async (answer: ProvisionAnswer, address: string): Promise<ProvisionAnswer> => {
    await limitSentence(wrong.count(address));
    return refuse(answer);
  };

  /** The key of a request, and whether its secret is right; undefined also for one that was made in a demonstration that is closed. */
  const keyOf = async ({ provisionKey, secret }: DeviceRequest) => {
    const key = await db
      .selectFrom("provisioning_keys as k")
      .innerJoin("accounts", "accounts.account_id", "k.created_by")
      .select(["k.key_id", "k.plant_id", "k.secret_hash", "accounts.user_id"])
      .where("k.provision_key", "=", provisionKey.replaceAll("\u0000", ""))
      .executeTakeFirst();
    if (!key || closed.userIds.has(key.user_id)) return undefined;
    return { ...key, isRight: timingSafeEqual(key.secret_hash, hashOfSecret(secret)) };
  };

  const waitInTurn = async <T>(plantId: number, work: () => Promise<T>): Promise<T | undefined> => {
    if (waiting >= mostWaiting) return undefined;
    waiting += 1;
    return inTurn(plantId, work).finally(() => {
      waiting -= 1;
    });
  };

  return {
    answer: async (payload, address) => {
      const limited = await limitSentence(wrong.check(address));
      if (limited !== undefined) return refuse(failure(limited));
      const request = requestIn(payload);
      if (typeof request === "string") return refuseWrong(failure(request), address);
      const key = await keyOf(request);
      if (!key) return refuseWrong(failure(noSuchKey, "NOT_FOUND"), address);
      const { key_id: keyId, plant_id: plantId } = key;
      if (!key.isRight) {
        await waitInTurn(plantId, () => countRefusal(db, keyId, "The secret was another", clock.date()));
        return refuseWrong(failure(noSuchKey, "NOT_FOUND"), address);
      }
      const tooMany = await limitSentence(byKey.count(String(keyId)));
      if (tooMany !== undefined) return refuse(failure(tooMany), request.serial);
      const registered = await waitInTurn(plantId, () => registerDevice(world, keyId, request));
      if (!registered) return refuse(failure(busy), request.serial);
      if ("refusal" in registered) return refuse(failure(registered.refusal), request.serial, registered.deviceId);
      // The token before no longer works on this server once the answer is given.
      if (!registered.isNew) await world.notices.caughtUp();
      return { status: "SUCCESS", credentialsType: "ACCESS_TOKEN", credentialsValue: registered.token };
    },
  };
};
