import type { alertLinks, LinkedAlert } from "@telltale/contract/domains/alerting/links";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import { messageKindLabels } from "@telltale/contract/notification-channels";
import { confirmByLink, type LinkedEntry, linkedEntry } from "../../alarms/index.ts";
import { type LinkMessage, messageOfLink } from "../../notify/index.ts";
import { conflict, invalid, notAllowed } from "../../platform/http/api-error.ts";
import type { Visitor } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { createAttempts } from "../../platform/limits/create-attempts.ts";
import { createNetworkTries } from "../../platform/limits/network.ts";
import type { World } from "../../world.ts";
import { type Recipient, recipientOf } from "./recipient.ts";
import { trendOf } from "./trend.ts";

type Needs = Pick<World, "db" | "pool" | "bus" | "clock" | "closed" | "node">;

/** How long a link works after its message, milliseconds. */
const linkLife = 7 * 24 * 3_600_000;

/**
 * Wrong links of a network, and uses of one link, that is of one alert and recipient. Only wrong links are refused for wrong ones: many people share a
 * network, and a MAC of 96 bits cannot be guessed.
 */
const limits = { wrong: { most: 20, window: 300_000 }, uses: { most: 60, window: 300_000 } };

const refusals = {
  unknown: "This link is not valid. Open the complete link from the message",
  expired: "This link has expired: it works for seven days. Sign in to see the alert",
  stranger: "This link is no longer valid: its recipient no longer gets alerts of this plant",
  gone: "This alert no longer exists, or its recipient may no longer see it",
} as const;

/** A link that works: its message, whom it is for, and the alert. */
interface Opened {
  message: LinkMessage;
  recipient: Recipient;
  entry: LinkedEntry;
}

const untilTime = ({ created_time }: LinkMessage): Date => new Date(created_time.getTime() + linkLife);

/** Creates the look-up of a link, which refuses it with the reason when it does not work (any more). */
const createOpening = (world: Needs) => {
  const byNetwork = createNetworkTries(world, "alert links", limits.wrong);
  const byLink = createAttempts(world, "alert link", limits.uses);
  const messageOf = async (link: string, { address }: Visitor): Promise<LinkMessage> => {
    const message = await messageOfLink(world.db, link);
    if (!message) {
      await byNetwork.count(address);
      throw invalid(refusals.unknown);
    }
    await byLink.count(String(message.message_id));
    return message;
  };
  return async (link: string, visitor: Visitor): Promise<Opened> => {
    const message = await messageOf(link, visitor);
    if (untilTime(message) <= world.clock.date()) throw invalid(refusals.expired);
    const recipient = await recipientOf(world, message);
    if (!recipient) throw invalid(refusals.stranger);
    const entry = await linkedEntry(world, recipient.scope, message.alert_id);
    if (!entry) throw invalid(refusals.gone);
    return { message, recipient, entry };
  };
};

const plantNameOf = async ({ db }: Needs, plantId: number): Promise<string> =>
  (await db.selectFrom("plants").select("name").where("plant_id", "=", plantId).executeTakeFirstOrThrow()).name;

const linkedAlert = async (world: Needs, { message, recipient, entry }: Opened): Promise<LinkedAlert> => ({
  alert: entry,
  plantName: await plantNameOf(world, message.plant_id),
  now: entry.now,
  response: entry.response,
  trend: await trendOf(world, recipient.scope, entry),
  recipient: { name: recipient.name, by: message.kind },
  mayConfirm: recipient.mayConfirm,
  untilTime: untilTime(message),
});

const confirmOpened = async (world: Needs, { message, recipient, entry }: Opened, note?: string): Promise<void> => {
  if (!recipient.mayConfirm) throw notAllowed(`${recipient.name} may see this alert, and not confirm it`);
  if (entry.status !== AlertStatus.triggered) throw conflict("This alert has been confirmed or has cleared already");
  await confirmByLink(world, recipient.author, {
    alertId: entry.alarmLogId,
    deviceId: entry.deviceId,
    note,
    target: `${recipient.name}, by ${messageKindLabels[message.kind]}`,
  });
};

/** The alert of a message's link. Only the POST confirms: mail scanners and previews open every link. */
export const alertLinkRoutes = (world: Needs): Handlers<typeof alertLinks> => {
  const open = createOpening(world);
  return {
    info: async ({ link }, visitor) => linkedAlert(world, await open(link, visitor)),
    confirm: async ({ link, note }, visitor) => {
      await confirmOpened(world, await open(link, visitor), note);
      return null;
    },
  };
};
