import type { Readable } from "node:stream";
import { Code } from "@telltale/contract/call/codes";
import { ApiError } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";

/** Most concurrent spreadsheets per account: generating one keeps a processor busy. */
const slotsOfAnAccount = 3;

type Downloader = Pick<Caller, "accountId" | "tokenHash">;

/** Runs `open` if the account has a free slot, and keeps the slot until the returned stream is closed; what is there as a whole needs it no longer. */
export type WithSlot = <T extends { content: Readable | string }>(
  caller: Downloader,
  open: () => Promise<T>,
) => Promise<T>;

/**
 * Creates the slots of downloads. One that runs is cut off when its session or key ends or its account's rights change: it is generated while it is read,
 * and a client that reads slowly would get readings for as long as it likes.
 */
export const createSlots = ({ bus }: Pick<World, "bus">): WithSlot => {
  const taken = new Map<number, number>();
  const running = new Map<Readable, Downloader>();
  const change = (accountId: number, by: number): void => {
    const count = (taken.get(accountId) ?? 0) + by;
    if (count > 0) taken.set(accountId, count);
    else taken.delete(accountId);
  };
  const cut = (isOver: (caller: Downloader) => boolean): void => {
    for (const [content, caller] of running) if (isOver(caller)) content.destroy();
  };
  bus.on("signOut", ({ tokenHash }) => cut((caller) => caller.tokenHash === tokenHash));
  bus.on("rightsChange", ({ accountId }) => cut((caller) => caller.accountId === accountId));
  return async (caller, open) => {
    const { accountId } = caller;
    if ((taken.get(accountId) ?? 0) >= slotsOfAnAccount) {
      throw new ApiError(Code.tooManyTries, "Wait until one of your downloads is finished");
    }
    change(accountId, 1);
    try {
      const opened = await open();
      const { content } = opened;
      if (typeof content === "string") change(accountId, -1);
      else {
        running.set(content, caller);
        content.once("close", () => {
          running.delete(content);
          change(accountId, -1);
        });
      }
      return opened;
    } catch (fault) {
      change(accountId, -1);
      throw fault;
    }
  };
};
