import { type alerts, unconfirmedLimit } from "@telltale/contract/alerts";
import { LiveCommand } from "@telltale/contract/live";
import { areChannelsInScope, isDeviceInScope, type Scope } from "../devices/scope-queries.ts";
import type { Handlers } from "../http/mount.ts";
import { invalid, notFound } from "../http/refusal.ts";
import type { Database, World } from "../world.ts";
import { alertById, saveAllConfirmations, saveConfirmation } from "./confirm-queries.ts";
import type { AlertFilter } from "./filter-queries.ts";
import { alertLog, newestNotifications, notificationLog, unconfirmedAlerts } from "./queries.ts";
import { canConfirm, confirmationBy } from "./rules.ts";

/** A list of a channel's or a device's alerts needs to know whose, and that the account may see it. */
const checkSource = async (db: Database, scope: Scope, source: Pick<AlertFilter, "deviceChannelId" | "deviceId">) => {
  const { deviceChannelId, deviceId } = source;
  if (deviceChannelId === undefined && deviceId === undefined) throw invalid("Choose a channel or a device");
  const isChannel = deviceChannelId === undefined || (await areChannelsInScope(db, scope, [deviceChannelId]));
  const isDevice = deviceId === undefined || (await isDeviceInScope(db, scope, deviceId));
  if (!isChannel || !isDevice) throw notFound();
};

/** Notifications in the strip above the log. */
const stripLength = 3;

export const alertRoutes = ({ db, bus, clock }: Pick<World, "db" | "bus" | "clock">): Handlers<typeof alerts> => {
  const announce = (plantId: number, deviceId: number) =>
    bus.emit("live", { plantId, message: { cmd: LiveCommand.alertChange, deviceId } });
  return {
    log: async (filter, caller) => {
      const [page, notifications] = await Promise.all([
        alertLog(db, caller, filter),
        newestNotifications(db, caller, stripLength),
      ]);
      return { ...page, notifications };
    },
    notifications: (filter, caller) => notificationLog(db, caller, filter),
    ofChannel: async (filter, caller) => {
      await checkSource(db, caller, filter);
      return alertLog(db, caller, filter);
    },
    unconfirmed: (_, caller) => unconfirmedAlerts(db, caller, unconfirmedLimit),
    confirm: async ({ alarmLogId }, caller) => {
      const alert = await alertById(db, caller, alarmLogId);
      if (!alert) throw notFound();
      if (!canConfirm(alert)) return null;
      const confirmed = confirmationBy(caller.accountId, clock.date());
      if (await saveConfirmation(db, alarmLogId, confirmed)) announce(caller.plantId, alert.device_id);
      return null;
    },
    confirmAll: async (_, caller) => {
      const devices = await saveAllConfirmations(db, caller, confirmationBy(caller.accountId, clock.date()));
      for (const deviceId of new Set(devices)) announce(caller.plantId, deviceId);
      return { confirmed: devices.length };
    },
  };
};
