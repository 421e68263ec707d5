import { Code } from "@telltale/contract/call/codes";
import type { FastifyInstance } from "fastify";
import type { World } from "../../world.ts";
import { fieldOf } from "../fault.ts";

/**
 * A change is answered when this server has heard of it, so that a reading sent after the answer is judged by what was saved. The changes that
 * the specification makes by GET wait for nothing: no reading is judged by them.
 */
export const readYourWrites = (calls: FastifyInstance, notices: World["notices"]): void => {
  calls.addHook("preSerialization", async ({ method }, _reply, answer) => {
    if (method === "POST" && fieldOf(answer, "code") === Code.success) await notices.caughtUp();
    return answer;
  });
};
