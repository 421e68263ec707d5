import { type alarms, systemClasses } from "@telltale/contract/domains/alarms";
import type { alertEntries } from "@telltale/contract/domains/alerting/entries";
import type { plans, rosters } from "@telltale/contract/domains/alerting/escalation";
import type { silences } from "@telltale/contract/domains/alerting/silences";
import type { silentNow } from "@telltale/contract/domains/alerting/silent-now";
import { AlertClass, type alerts, stripLength, unconfirmedLimit } from "@telltale/contract/domains/alerts";
import { areChannelsInScope, isDeviceInScope, type Scope } from "../access/index.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { invalid, notFound } from "../platform/http/api-error.ts";
import type { Handlers } from "../platform/http/mount.ts";
import type { World } from "../world.ts";
import { alarmChannels, gateChannels, isPlantsDevice } from "./configuration/channels.ts";
import { addAlarm, removeAlarm, updateAlarm } from "./configuration/configure.ts";
import { alarmInfo, alarmNames, alarmPage } from "./configuration/list.ts";
import { confirm, confirmAll } from "./confirm.ts";
import { alertInfo } from "./entries/info.ts";
import { assign, assignees, note } from "./entries/notes.ts";
import { passedSinceVisit } from "./entries/passed.ts";
import { standingAlerts } from "./entries/standing.ts";
import { addPlan, makeDefaultPlan, plansOf, planTargets, removePlan, updatePlan } from "./escalation/plans.ts";
import { endSwap, swapShift } from "./escalation/roster-swaps.ts";
import { addRoster, onCallOf, removeRoster, rosterList, updateRoster } from "./escalation/rosters.ts";
import type { AlertFilter } from "./log/filter.ts";
import {
  alertLog,
  confirmedAlerts,
  newestNotifications,
  notificationLog,
  sourceAlerts,
  unconfirmedAlerts,
} from "./log/queries.ts";
import { addSilence, endSilence, updateSilence } from "./silences/change.ts";
import { listedSilences } from "./silences/queries.ts";
import { silentCounts, whatIsSilent } from "./silences/silent-now.ts";

/** Requires a channel or device that the account may see. */
const checkSource = async (db: Database, scope: Scope, source: Pick<AlertFilter, "deviceChannelId" | "deviceId">) => {
  const { deviceChannelId, deviceId } = source;
  if (deviceChannelId === undefined && deviceId === undefined) throw invalid("Choose a channel or a device");
  const isChannel = deviceChannelId === undefined || (await areChannelsInScope(db, scope, [deviceChannelId]));
  const isDevice = deviceId === undefined || (await isDeviceInScope(db, scope, deviceId));
  if (!isChannel || !isDevice) throw notFound();
};

export const alertRoutes = (world: Pick<World, "db" | "bus" | "clock">): Handlers<typeof alerts> => {
  const { db, clock } = world;
  return {
    log: async (filter, caller) => {
      const [page, notifications] = await Promise.all([
        alertLog(db, caller, filter, clock.date()),
        newestNotifications(db, caller, { limit: stripLength, now: clock.date() }),
      ]);
      return { ...page, notifications };
    },
    notifications: (filter, caller) => notificationLog(db, caller, filter, clock.date()),
    ofChannel: async (filter, caller) => {
      await checkSource(db, caller, filter);
      return sourceAlerts(db, caller, filter, clock.date());
    },
    confirmed: (_, caller) => confirmedAlerts(db, caller, { limit: unconfirmedLimit, now: clock.date() }),
    unconfirmed: (_, caller) => unconfirmedAlerts(db, caller, { limit: unconfirmedLimit, now: clock.date() }),
    confirm: async ({ alarmLogId, note }, caller) => {
      await confirm(world, caller, alarmLogId, note);
      return null;
    },
    confirmAll: async ({ untilId }, caller) => ({ confirmed: await confirmAll(world, caller, untilId) }),
  };
};

export const alarmRoutes = (world: Pick<World, "db" | "bus" | "clock">): Handlers<typeof alarms> => ({
  systemList: (filter, caller) => alarmPage(world.db, caller.plantId, systemClasses, filter),
  list: (filter, caller) => alarmPage(world.db, caller.plantId, [AlertClass.custom], filter),
  info: async ({ alarmId }, caller) => {
    const info = await alarmInfo(world.db, caller.plantId, alarmId);
    if (!info) throw notFound();
    return info;
  },
  names: (_, caller) => alarmNames(world.db, caller.plantId),
  channels: async ({ deviceId }, caller) => {
    if (!(await isPlantsDevice(world.db, caller.plantId, deviceId))) throw notFound();
    return alarmChannels(world.db, caller.plantId, deviceId);
  },
  gateChannels: async ({ deviceId }, caller) => {
    if (!(await isPlantsDevice(world.db, caller.plantId, deviceId))) throw notFound();
    return gateChannels(world.db, caller.plantId, deviceId);
  },
  add: async (input, caller) => ({ alarmId: await addAlarm(world, input, caller) }),
  update: async (input, caller) => {
    await updateAlarm(world, input, caller);
    return null;
  },
  remove: async ({ alarmId }, caller) => {
    await removeAlarm(world, alarmId, caller);
    return null;
  },
});

export const alertEntryRoutes = (
  world: Pick<World, "db" | "pool" | "bus" | "clock">,
): Handlers<typeof alertEntries> => ({
  standing: (filter, caller) => standingAlerts(world, caller, filter),
  info: ({ alarmLogId }, caller) => alertInfo(world, caller, alarmLogId),
  note: async ({ alarmLogId, note: text }, caller) => {
    await note(world, caller, alarmLogId, text);
    return null;
  },
  assignees: (_, caller) => assignees(world.db, caller),
  assign: async ({ alarmLogId, accountId }, caller) => {
    await assign(world, caller, alarmLogId, accountId);
    return null;
  },
  passed: (_, caller) => passedSinceVisit(world.db, caller, world.clock.date()),
});

export const silenceRoutes = (world: Pick<World, "db" | "bus" | "clock">): Handlers<typeof silences> => ({
  add: async (input, caller) => ({ silenceId: await addSilence(world, input, caller) }),
  update: async (input, caller) => {
    await updateSilence(world, input, caller);
    return null;
  },
  end: async (input, caller) => {
    await endSilence(world, input, caller);
    return null;
  },
  list: (_, caller) => listedSilences(world.db, caller, world.clock.date()),
});

export const silentNowRoutes = (world: Pick<World, "db" | "clock">): Handlers<typeof silentNow> => ({
  list: (_, caller) => whatIsSilent(world.db, caller, world.clock.date()),
  counts: (_, caller) => silentCounts(world.db, caller, world.clock.date()),
});

export const planRoutes = (world: Pick<World, "db" | "clock">): Handlers<typeof plans> => ({
  list: (_, caller) => plansOf(world.db, caller.plantId, world.clock.date()),
  people: (_, caller) => planTargets(world.db, caller.plantId, world.clock.date()),
  add: async (input, caller) => ({ planId: await addPlan(world, input, caller) }),
  update: async (input, caller) => {
    await updatePlan(world, input, caller);
    return null;
  },
  makeDefault: async ({ planId }, caller) => {
    await makeDefaultPlan(world, planId, caller);
    return null;
  },
  remove: async ({ planId }, caller) => {
    await removePlan(world, planId, caller);
    return null;
  },
});

export const rosterRoutes = (world: Pick<World, "db" | "clock">): Handlers<typeof rosters> => ({
  list: (_, caller) => rosterList(world.db, caller, world.clock.date()),
  onCall: (asked, caller) => onCallOf(world.db, caller.plantId, asked),
  add: async (input, caller) => ({ rosterId: await addRoster(world, input, caller) }),
  update: async (input, caller) => {
    await updateRoster(world, input, caller);
    return null;
  },
  remove: async ({ rosterId }, caller) => {
    await removeRoster(world, rosterId, caller);
    return null;
  },
  swap: async (input, caller) => ({ swapId: await swapShift(world, input, caller) }),
  endSwap: async ({ swapId }, caller) => {
    await endSwap(world, swapId, caller);
    return null;
  },
});
