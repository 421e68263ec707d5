import { z } from "zod";
import { get, post } from "./call.ts";
import { page, pageQuery } from "./paging.ts";
import * as wire from "./wire.ts";

/** A package of SMS credit. */
export const SmsPackage = z.object({
  packageId: z.int(),
  /** SMS that it holds. */
  smsNum: z.int(),
  money: wire.money(),
});
export type SmsPackage = z.output<typeof SmsPackage>;

/** SMS used in a month of the plant's clock. `time` is the month, as 2026-11. */
export const SmsUsage = z.object({ time: z.string(), num: z.int() });
export type SmsUsage = z.output<typeof SmsUsage>;

/** A purchase of SMS credit that was paid; email and nickname are whoever bought. `payAmount` is what was paid. */
export const SmsPurchase = z.object({
  orderSn: z.string(),
  email: z.string(),
  nickname: z.string(),
  payAmount: wire.money(),
  smsNum: z.int(),
  createdTime: wire.time(),
});
export type SmsPurchase = z.output<typeof SmsPurchase>;

/** From so few SMS on, owners and admins are warned. */
export const lowCredit = 20;

/** SMS credit of the plant. (spec 2 §2) */
export const sms = {
  left: get("/api/order/findLeftSms", {
    access: "sms.read",
    summary: "How many SMS the plant may still send",
    result: z.object({ leftSms: z.int() }),
  }),
  packages: get("/api/order/findSmsConfig", {
    access: "sms.read",
    summary: "The packages of SMS credit on offer, smallest first",
    result: z.array(SmsPackage),
  }),
  usage: get("/api/order/smsUsedList", {
    access: "sms.read",
    summary: "SMS used in each month of a year by the plant's clock, newest first; months without any are left out",
    query: z.object({ ...pageQuery, year: wire.intBetween(2000, 9999, "Choose a year") }),
    result: page(SmsUsage),
  }),
  purchases: get("/api/order/list", {
    access: "sms.read",
    summary: "The plant's paid purchases of SMS credit, newest first",
    query: z.object(pageQuery),
    result: page(SmsPurchase),
  }),
  create: post("/api/order/createSms", {
    access: "devices.pay",
    summary: "Orders a package of SMS credit; the server knows the price and gives the order's number",
    body: z.object({ packageId: wire.int("Choose a package") }),
    result: z.object({ orderSn: z.string() }),
  }),
};
