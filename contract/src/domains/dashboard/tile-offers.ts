import { z } from "zod";
import { get, post } from "../../call/call.ts";

/** A device of the last days whose tiles were not added, because the dashboard has many. */
export const TileOffer = z.object({
  deviceId: z.int(),
  deviceName: z.string(),
  /** Number of its channels that would be added; null of a motor controller, which is one tile. */
  channels: z.int().nullable(),
});
export type TileOffer = z.output<typeof TileOffer>;

/** Most tiles of a dashboard to which those of a new device are added; beyond, they are offered. */
export const mostUnaskedTiles = 24;

/** New devices whose tiles the dashboard does not show. */
export const tileOffers = {
  list: get("/api/dashboard/offers", {
    access: "dashboards.write",
    summary:
      "Devices of the last seven days that the account's dashboard does not show because it has many tiles, the newest first, at most 20",
    result: z.array(TileOffer),
  }),
  add: post("/api/dashboard/offers/add", {
    access: "dashboards.write",
    summary:
      "Adds the first channels of a device, or a motor controller, to the account's dashboard; nothing when it is shown there",
    encoding: "json",
    body: z.object({ deviceId: z.int32() }),
    result: z.null(),
  }),
};
