import type { imports } from "@telltale/contract/domains/readings/imports";
import { audit } from "../../platform/database/audit.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { Telemetry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { end } from "./ends.ts";
import { createPace, type Devices } from "./pace.ts";
import { addImport, devicesOfImport, importDevices, openImport, progressOf } from "./queries.ts";
import { storePortion } from "./store.ts";

export { createImportExpiry } from "./ends.ts";

interface Packing {
  packing: Pick<Telemetry["packing"], "hasten">;
}

type Needs = Pick<World, "db" | "pool" | "clock">;

/** The open import of a file, or a new one, which the audit log tells of once. */
const begin = ({ db, clock }: Needs, caller: Caller, file: { fileName: string; digest: string }) =>
  db.transaction().execute(async (trx) => {
    const { plantId, userId, accountId } = caller;
    const now = clock.date();
    const added = await addImport(trx, { plantId, accountId, ...file, now });
    if (added) await audit(trx, { plantId, userId, action: "readings.import", detail: { target: file.fileName }, now });
    const open = added ?? (await openImport(trx, plantId, file.digest));
    // It ended in between.
    if (!open) throw notFound();
    return progressOf(open);
  });

/** `telemetry`: past readings are stored after what its devices send, and it packs them. */
export const importRoutes = (world: Needs, telemetry?: Devices & Packing): Handlers<typeof imports> => {
  const inTurn = createPace(world, telemetry);
  return {
    devices: ({ names }, caller) => importDevices(world.db, caller, names, world.clock.now()),
    begin: (file, caller) => begin(world, caller, file),
    store: (portion, { plantId }) => inTurn(plantId, () => storePortion(world, plantId, portion)),
    end: ({ importId }, caller) => end(world, caller, importId),
    packing: async ({ importId }, { plantId }) => {
      const deviceIds = await devicesOfImport(world.db, plantId, importId);
      if (!deviceIds) throw notFound();
      return { hours: (await telemetry?.packing.hasten(deviceIds)) ?? 0 };
    },
  };
};
