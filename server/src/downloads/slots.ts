import type { Readable } from "node:stream";
import { Code } from "@telltale/contract/codes";
import { Refusal } from "../http/refusal.ts";

/** Spreadsheets that one account may have under way at a time: making one keeps a processor busy. */
const slotsOfAnAccount = 3;

/** Runs `open` if the account has a slot left, and keeps the slot until the stream that it gives is closed. */
export type WithSlot = <T extends { content: Readable }>(accountId: number, open: () => Promise<T>) => Promise<T>;

export const createSlots = (): WithSlot => {
  const taken = new Map<number, number>();
  const change = (accountId: number, by: number): void => {
    const count = (taken.get(accountId) ?? 0) + by;
    if (count > 0) taken.set(accountId, count);
    else taken.delete(accountId);
  };
  return async (accountId, open) => {
    if ((taken.get(accountId) ?? 0) >= slotsOfAnAccount) {
      throw new Refusal(Code.tooManyTries, "Wait until one of your downloads is finished");
    }
    change(accountId, 1);
    try {
      const opened = await open();
      opened.content.once("close", () => change(accountId, -1));
      return opened;
    } catch (fault) {
      change(accountId, -1);
      throw fault;
    }
  };
};
