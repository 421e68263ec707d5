import { Code } from "@telltale/contract/call/codes";
import type { FastifyInstance } from "fastify";
import type { World } from "../../world.ts";
import { fieldOf } from "../fault.ts";

/**
 * Delays the answer to a change until this server has processed its notice, so that a reading sent after the answer is evaluated by the saved
 * settings. Changes that the specification makes by GET do not wait: they do not affect readings.
 */
export const readYourWrites = (calls: FastifyInstance, notices: World["notices"]): void => {
  calls.addHook("preSerialization", async ({ method }, _reply, answer) => {
    if (method === "POST" && fieldOf(answer, "code") === Code.success) await notices.caughtUp();
    return answer;
  });
};
