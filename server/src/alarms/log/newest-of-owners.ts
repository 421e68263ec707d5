import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { devicesInScope, isLimited, listedLike, type Scope, userNameIn } from "../../access/index.ts";
import { containing } from "../../platform/database/paging.ts";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";
import type { AlertFilter, Alerts } from "./filter.ts";

/** Up to this many owners are queried one by one, each for its newest alerts; for more, the log is scanned. */
const fewOwners = 1_000;

type OwnerColumn = "device_id" | "channel_id" | "accepted_by";

/** A query that selects ids. */
type Ids = SelectQueryBuilder<Schema, never, { id: number }>;

/** Owners of the requested alerts: those where `column` is an id of the query `all`; `ids` when there are few. */
export interface Owners {
  column: OwnerColumn;
  all: Ids;
  ids: number[] | undefined;
  /** Alerts that belong to the request although no owner of theirs does: confirmed by a contact, who has no account. */
  others?: RawBuilder<boolean>;
}

const devicesAsked = (db: Database, scope: Scope, { deviceName, deviceSnId }: AlertFilter) =>
  (isLimited(scope) || deviceName || deviceSnId) &&
  db
    .selectFrom("listed_devices")
    .where("listed_devices.plant_id", "=", scope.plantId)
    .$if(isLimited(scope), (q) =>
      q.where("listed_devices.device_id", "in", devicesInScope(db, scope).select("devices.device_id")),
    )
    .$if(!!deviceName, (q) => q.where(listedLike("device_name", deviceName ?? "")))
    .$if(!!deviceSnId, (q) => q.where(listedLike("device_sn_id", deviceSnId ?? "")))
    .select("listed_devices.device_id as id");

const channelsAsked = (db: Database, scope: Scope, { channelName }: AlertFilter) =>
  channelName &&
  db
    .selectFrom("channels")
    .innerJoin("devices", "devices.device_id", "channels.device_id")
    .where("devices.plant_id", "=", scope.plantId)
    .where("channels.channel_name", "ilike", containing(channelName))
    .select("channels.channel_id as id");

/** Accounts whose e-mail or name contains `email`; for viewers whose name as the log shows it, because they must not find out addresses. */
const peopleAsked = (db: Database, scope: Scope, { email }: AlertFilter) =>
  email &&
  db
    .selectFrom("accounts")
    .innerJoin("users", "users.user_id", "accounts.user_id")
    .where("accounts.plant_id", "=", scope.plantId)
    .where(({ eb, or, fn, val }) =>
      isLimited(scope)
        ? eb(userNameIn("users"), "ilike", containing(email))
        : or([
            eb("users.email", "ilike", containing(email)),
            eb(fn("concat_ws", [val(" "), "users.first_name", "users.last_name"]), "ilike", containing(email)),
          ]),
    )
    .select("accounts.account_id as id");

/** Alerts that were confirmed by a contact of this name: the name is kept, contacts come and go. */
const confirmedByContact = ({ email }: AlertFilter): RawBuilder<boolean> | undefined =>
  email
    ? sql<boolean>`(alerts.accepted_name is not null and alerts.accepted_name ilike ${containing(email)})`
    : undefined;

const ownersOf = async (column: OwnerColumn, all: Ids, filter: AlertFilter): Promise<Owners> => {
  const found = await all.limit(fewOwners + 1).execute();
  const ids = found.length > fewOwners ? undefined : found.map(({ id }) => id);
  const others = column === "accepted_by" ? confirmedByContact(filter) : undefined;
  return { column, all, ids, ...(others ? { others } : {}) };
};

const countOf = ({ ids }: Owners): number => ids?.length ?? Number.POSITIVE_INFINITY;

/** The owners (devices, channels, confirmers) that scope and name filters restrict the alerts to, fewest first; empty when unrestricted. */
export const alertOwners = async (db: Database, scope: Scope, filter: AlertFilter): Promise<Owners[]> => {
  const requested = [
    ["device_id", devicesAsked(db, scope, filter)],
    ["channel_id", channelsAsked(db, scope, filter)],
    ["accepted_by", peopleAsked(db, scope, filter)],
  ] as const;
  const owners = await Promise.all(requested.flatMap(([column, all]) => (all ? [ownersOf(column, all, filter)] : [])));
  return owners.sort((a, b) => countOf(a) - countOf(b));
};

const ofOwners = (entries: Alerts, { column, all, ids, others = sql<boolean>`false` }: Owners): Alerts =>
  ids
    ? entries.where(sql<boolean>`(${sql.ref(`alerts.${column}`)} = any(${ids}::int[]) or ${others})`)
    : entries.where(
        sql<boolean>`(exists (select from (${all}) as owner where owner.id = ${sql.ref(`alerts.${column}`)}) or ${others})`,
      );

/**
 * The newest `limit` alerts of the owners, possibly a few more, unordered. A few devices may have raised a few of millions of alerts, or nearly all
 * of them: querying each for its newest takes the same time either way.
 */
export const newestOfOwners = (db: Database, entries: Alerts, owners: readonly Owners[], limit: number) => {
  const [fewest, ...others] = owners;
  const narrowed = others.reduce(ofOwners, entries);
  const cut = (from: Alerts) =>
    from.selectAll("alerts").orderBy("alerts.created_time", "desc").orderBy("alerts.alert_id", "desc").limit(limit);
  if (!fewest?.ids) return db.selectFrom(cut(fewest ? ofOwners(narrowed, fewest) : narrowed).as("alerts"));
  const ofOne = narrowed.where(sql<boolean>`${sql.ref(`alerts.${fewest.column}`)} = owner.id`);
  const ofEach = db
    .selectFrom(sql<{ id: number }>`unnest(${fewest.ids}::int[])`.as<"owner">(sql`owner(id)`))
    .innerJoinLateral(cut(ofOne).as("alerts"), (join) => join.onTrue())
    .selectAll("alerts");
  const { others: ofContacts } = fewest;
  const all = ofContacts ? ofEach.unionAll(({ parens }) => parens(cut(narrowed.where(ofContacts)))) : ofEach;
  return db.selectFrom(all.as("alerts"));
};
