import { type Shift, type Target, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { MessageKind } from "@telltale/contract/notification-channels";
import { Role } from "@telltale/contract/permissions";
import type { Recipient } from "../../notify/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { onCallAt, type RosterTimes } from "./on-call.ts";

/** Whom a plant can notify. */
export interface Directory {
  /** Mail addresses of active accounts by their ids. */
  accounts: ReadonlyMap<number, { email: string; roleType: Role }>;
  /** Ids of the subscribed browsers of accounts. */
  browsers: ReadonlyMap<number, readonly number[]>;
  /** Verified contacts by their ids. */
  contacts: ReadonlyMap<number, Recipient>;
  rosters: ReadonlyMap<number, RosterTimes>;
  /** Ids of enabled webhooks. */
  webhooks: ReadonlySet<number>;
}

const accountsOf = async (db: Database, plantId: number): Promise<Directory["accounts"]> => {
  const rows = await db
    .selectFrom("accounts")
    .innerJoin("users", "users.user_id", "accounts.user_id")
    .where("accounts.plant_id", "=", plantId)
    .where("accounts.activate", "=", true)
    .where("accounts.removed_time", "is", null)
    .select(["accounts.account_id", "accounts.role_type", "users.email"])
    .execute();
  return new Map(rows.map((row) => [row.account_id, { email: row.email, roleType: row.role_type }]));
};

const browsersOf = async (db: Database, plantId: number): Promise<Directory["browsers"]> => {
  const rows = await db
    .selectFrom("push_subscriptions")
    .innerJoin("accounts", "accounts.account_id", "push_subscriptions.account_id")
    .where("accounts.plant_id", "=", plantId)
    .select(["accounts.account_id", "push_id"])
    .orderBy("push_id")
    .execute();
  const groups = Map.groupBy(rows, ({ account_id }) => account_id);
  return new Map([...groups].map(([id, browsers]) => [id, browsers.map(({ push_id }) => push_id)]));
};

const contactsOf = async (db: Database, plantId: number): Promise<Directory["contacts"]> => {
  const rows = await db
    .selectFrom("contacts")
    .where("plant_id", "=", plantId)
    .where("status", "=", ContactStatus.verified)
    .select(["contact_id", "type", "contact_info", "stop_key"])
    .execute();
  return new Map(
    rows.map((row) => [row.contact_id, { kind: row.type, address: row.contact_info, stopKey: row.stop_key }]),
  );
};

/** A roster of a plant, of people who can be notified. */
export interface StoredRoster extends RosterTimes {
  name: string;
  /** With those of people who are no longer there. */
  allShifts: readonly Shift[];
  swaps: readonly {
    swapId: number;
    accountId: number;
    from: number;
    to: number;
    /** Accounts that were on call when it was made; null among them for a gap. */
    insteadOf: readonly (number | null)[];
  }[];
  version: number;
}

/** The rosters of a plant by their ids, by name, with the swaps that end after `since`. Nobody is on call in the shifts of people who have left. */
export const rostersOf = async (db: Database, plantId: number, since: Date): Promise<Map<number, StoredRoster>> => {
  const people = await accountsOf(db, plantId);
  const rows = await db
    .selectFrom("rosters")
    .selectAll()
    .where("plant_id", "=", plantId)
    .orderBy("roster_name")
    .orderBy("roster_id")
    .execute();
  const swaps = await db
    .selectFrom("roster_swaps")
    .innerJoin("rosters", "rosters.roster_id", "roster_swaps.roster_id")
    .where("rosters.plant_id", "=", plantId)
    .where("roster_swaps.to_time", ">", since)
    .selectAll("roster_swaps")
    .orderBy("swap_id")
    .execute();
  const swapsOf = (rosterId: number) =>
    swaps
      .filter((swap) => swap.roster_id === rosterId && people.has(swap.account_id))
      .map((swap) => ({
        swapId: swap.swap_id,
        accountId: swap.account_id,
        from: swap.from_time.getTime(),
        to: swap.to_time.getTime(),
        insteadOf: swap.instead_of,
      }));
  return new Map(
    rows.map((row) => [
      row.roster_id,
      {
        name: row.roster_name,
        timeZoneId: row.time_zone_id,
        allShifts: row.shifts,
        shifts: row.shifts.filter(({ accountId }) => people.has(accountId)),
        swaps: swapsOf(row.roster_id),
        version: row.version,
      },
    ]),
  );
};

const webhooksOf = async (db: Database, plantId: number): Promise<Directory["webhooks"]> => {
  const webhooks = db.selectFrom("webhooks").select("webhook_id").where("plant_id", "=", plantId);
  const rows = await webhooks.where("is_enabled", "=", true).execute();
  return new Set(rows.map(({ webhook_id }) => webhook_id));
};

/** Reads whom a plant can notify now. */
export const directoryOf = async (db: Database, plantId: number, now: Date): Promise<Directory> => {
  const [accounts, contacts] = [await accountsOf(db, plantId), await contactsOf(db, plantId)];
  const [rosters, webhooks] = [await rostersOf(db, plantId, now), await webhooksOf(db, plantId)];
  const browsers = await browsersOf(db, plantId);
  return { accounts, browsers, contacts, rosters, webhooks };
};

const managers: readonly Role[] = [Role.owner, Role.admin];

/** Looks up whom targets stand for at a time (epoch milliseconds), each once: many alerts follow the same plan. */
export const addressBook = (directory: Directory, now: number): ((target: Target) => Recipient[]) => {
  const known = new Map<string, Recipient[]>();
  return (target) => {
    const key = `${target.kind}:${target.id}`;
    const found = known.get(key) ?? addressesOf(directory, target, now);
    known.set(key, found);
    return found;
  };
};

/** Addresses that a target stands for at a time (epoch milliseconds); none for a gap of a roster and for people who are no longer there. */
const addressesOf = (
  { accounts, browsers, contacts, rosters, webhooks }: Directory,
  target: Target,
  now: number,
): Recipient[] => {
  // By mail, and in each browser that they have subscribed.
  const users = (ids: Iterable<number>): Recipient[] =>
    [...ids].flatMap((id): Recipient[] => {
      const account = accounts.get(id);
      if (!account) return [];
      const pushes = browsers.get(id) ?? [];
      return [
        { kind: MessageKind.mail, address: account.email, stopKey: null },
        ...pushes.map((pushId) => ({ kind: MessageKind.push, address: String(pushId), stopKey: null })),
      ];
    });
  switch (target.kind) {
    case TargetKind.managers:
      return users([...accounts].flatMap(([id, { roleType }]) => (managers.includes(roleType) ? [id] : [])));
    case TargetKind.account:
      return users([target.id]);
    case TargetKind.contact: {
      const contact = contacts.get(target.id);
      return contact ? [contact] : [];
    }
    case TargetKind.roster: {
      const roster = rosters.get(target.id);
      return roster ? users(onCallAt(roster, now)) : [];
    }
    case TargetKind.webhook:
      return webhooks.has(target.id) ? [{ kind: MessageKind.webhook, address: String(target.id), stopKey: null }] : [];
  }
};
