import { Readable } from "node:stream";
import { addDeviceLink } from "@telltale/contract/domains/fleet/add-device-link";
import { type labels, mostLabels } from "@telltale/contract/domains/fleet/labels";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { createAttempts } from "../../platform/limits/create-attempts.ts";
import type { World } from "../../world.ts";
import { labelsPdf } from "./labels-pdf.ts";

/** Files of a plant per window, in milliseconds: rendering takes processor time. */
const limit = { most: 30, window: 300_000 };

/** Devices of the plant: these, or all that can be added by their ID again. */
const devicesOf = (db: Database, plantId: number, deviceIds: readonly number[]) =>
  db
    .selectFrom("devices")
    .select(["device_name", "device_sn", "device_sn_id"])
    .where("plant_id", "=", plantId)
    .$if(deviceIds.length > 0, (q) => q.where("device_id", "in", deviceIds))
    .$if(deviceIds.length === 0, (q) => q.where("modbus_address", "is", null))
    .orderBy("device_name")
    .orderBy("device_id")
    .limit(mostLabels + 1)
    .execute();

type Needs = Pick<World, "db" | "pool" | "clock" | "node" | "publicUrl">;

export const labelRoutes = (world: Needs): Handlers<typeof labels> => {
  const { db, publicUrl } = world;
  const files = createAttempts(world, "labels", limit);
  return {
    pdf: async ({ sheet, deviceIds = [], skip = 0 }, { plantId }) => {
      const wanted = [...new Set(deviceIds)];
      const found = await devicesOf(db, plantId, wanted);
      if (found.length < wanted.length) throw notFound();
      if (found.length === 0) throw conflict("There are no devices to label yet");
      if (found.length > mostLabels) throw invalid(`A file has at most ${mostLabels} labels. Choose devices`);
      await files.count(String(plantId));
      const printed = found.map(({ device_name: name, device_sn: partNumber, device_sn_id: deviceSnId }) => ({
        ...{ name, partNumber, deviceSnId, link: addDeviceLink(publicUrl, deviceSnId) },
      }));
      const content = Readable.from([await labelsPdf(plantId, { sheet, skip, labels: printed })]);
      return { name: "device-labels.pdf", content };
    },
  };
};
