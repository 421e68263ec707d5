import type { Page } from "@playwright/test";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertPriority, AlertType } from "@telltale/contract/domains/alerts";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { freshEmail } from "./mailing.ts";
import { clientOf } from "./people.ts";
import { rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, freshName, idsOf, type Unit } from "./unit.ts";

/** What the rule says to do. */
export const response = "1. Look at the inlet screens.\n2. Start the standby pump by hand.";

/** A rule 'Well high' of P1, High at 70, on a new unit's AI1. */
export const addRule = async (server: RunningServer, more: object = {}) => {
  const owner = await clientOf(server);
  const unit = await addUnit(server, { name: freshName("Sump") });
  const { deviceId, channels } = await idsOf(owner, unit.deviceSnId);
  const contactInfo = freshEmail();
  const { notifyUserId } = await owner(contacts.add, {
    type: 1,
    firstName: "Nora",
    lastName: "Quist",
    contactInfo,
  });
  const watched = { deviceId, deviceChannelId: channels.AI1, type: AlertType.high, alarmValue: 70, alarmHysteresis: 1 };
  const rule = { alarmName: "Well high", alarmClass: AlertClass.custom, priority: AlertPriority.high, response };
  const { alarmId } = await owner(alarms.add, { ...watched, ...rule, notifyUserIds: [notifyUserId], ...more });
  return { owner, unit, alarmId };
};

/** The row of the unit's alert in Standing. */
export const standing = (page: Page, unit: Unit) => rowsOf(page, "Standing alerts", unit.name);
