import type { FirmwareFacts } from "@telltale/contract/device-api";
import type { World } from "../../world.ts";
import { evaluateReport } from "./report.rules.ts";
import { endUpdate, lockedUpdate, recordStep } from "./update-queries.ts";

/** Records a device's firmware report during an update. Resolves after the commit with whether an update is open. */
export const takeFirmwareReport = (
  { db, clock }: Pick<World, "db" | "clock">,
  deviceId: number,
  reported: FirmwareFacts,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const update = await lockedUpdate(trx, deviceId);
    if (!update) return false;
    const now = clock.date();
    const verdict = evaluateReport(update, reported);
    if (verdict.kind === "step") await recordStep(trx, update.update_id, verdict.step, now);
    if (verdict.kind === "installed") await endUpdate(trx, update, null, now);
    if (verdict.kind === "failed") await endUpdate(trx, update, verdict.failure.slice(0, 300), now);
    return true;
  });

/** Ends the update of a device that refuses it. */
export const refuseUpdate = (needs: Pick<World, "db" | "clock">, deviceId: number, error: string): Promise<boolean> =>
  takeFirmwareReport(needs, deviceId, { fw_state: "FAILED", fw_error: error });
