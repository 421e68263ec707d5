import { z } from "zod";
import { get, post } from "./call.ts";
import { ChannelValue } from "./channels.ts";
import { page, pageQuery } from "./paging.ts";
import * as wire from "./wire.ts";

/** Most channels that one person watches. */
export const mostWatched = 200;

/** A channel of the watchlist with its newest reading. */
export const WatchedChannel = ChannelValue.extend({
  channelName: z.string(),
  channelCn: z.string(),
  deviceId: z.int(),
  deviceName: z.string(),
});
export type WatchedChannel = z.output<typeof WatchedChannel>;

/** A channel that may be put on the watchlist. */
export const WatchChoice = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  channelAnalogId: z.int(),
  deviceName: z.string(),
  deviceSnId: z.string(),
});
export type WatchChoice = z.output<typeof WatchChoice>;

const ids = wire
  .commaList(wire.int("Choose channels of the list"))
  .refine((list) => list.length > 0, { error: "Please select a channel" })
  .refine((list) => list.length <= mostWatched, { error: `A watchlist holds at most ${mostWatched} channels` });

/** The channels that one keeps an eye on, in an order of one's own: of the account in use, for nobody else. (decisions §4) */
export const personal = {
  list: get("/api/personal/list", {
    access: "personal.read",
    summary: "One's watchlist in its order, with the newest readings; what one may not see now is left out",
    result: z.array(WatchedChannel),
  }),
  choices: get("/api/personal/choices", {
    access: "personal.read",
    summary: "Channels that one may see and does not watch, found by channel, device name or device ID",
    query: z.object({ ...pageQuery, name: wire.text().optional() }),
    result: page(WatchChoice),
  }),
  add: post("/api/personal/add", {
    access: "personal.write",
    summary: "Puts channels at the end of the watchlist; those that are on it stay where they are",
    encoding: "json",
    body: z.object({ deviceChannelIds: ids }),
    result: z.null(),
  }),
  order: post("/api/personal/order", {
    access: "personal.write",
    summary: "Puts the watchlist in another order; all channels that are seen on it have to be named",
    encoding: "json",
    body: z.object({ deviceChannelIds: ids }),
    result: z.null(),
  }),
  remove: post("/api/personal/delete", {
    access: "personal.write",
    summary: "Takes a channel off the watchlist",
    encoding: "json",
    body: z.object({ deviceChannelId: z.int32() }),
    result: z.null(),
  }),
};
