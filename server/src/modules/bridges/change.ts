import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import {
  BridgeFormat,
  bridgeFormatLabels,
  type bridges,
  mostBridges,
} from "@telltale/contract/domains/readings/bridges";
import { applyBridges, type Bridge, refusalOfBroker } from "../../bridges/index.ts";
import { audit } from "../../platform/database/audit.ts";
import { lockPlant } from "../../platform/database/lock-plant.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { lockedBridge, setDevices } from "./queries.ts";

/** `isPrivateAllowed`: whether brokers may have addresses of private networks. */
type Needs = Pick<World, "db" | "clock"> & { isPrivateAllowed: boolean };

const columnsOf = (input: Input<typeof bridges.add>) => ({
  bridge_name: input.bridgeName,
  url: input.url,
  user_name: input.userName,
  password: input.password,
  client_id: input.clientId,
  ca: input.ca,
  format: input.format,
  prefix: input.prefix,
  all_devices: input.allDevices === 1,
  sends_values: input.sendsValues === 1,
  sends_alerts: input.sendsAlerts === 1,
  is_enabled: input.enabled === 1,
});
type Columns = ReturnType<typeof columnsOf>;

/** Sparkplug's names are one level of a topic each. */
const checkTopic = ({ format, prefix, clientId }: Input<typeof bridges.add>): void => {
  if (format === BridgeFormat.sparkplug && /\//.test(`${prefix}${clientId}`))
    throw invalid("With Sparkplug B, group ID and client ID have no slash: each is one level of a topic");
  if (format === BridgeFormat.json && (/^[/$]|\/$/.test(prefix) || prefix.includes("//")))
    throw invalid("A prefix has no empty level, and no $ at its beginning");
};

const checkContent = (input: Input<typeof bridges.add>, isPrivateAllowed: boolean): void => {
  if (input.sendsValues === 0 && input.sendsAlerts === 0)
    throw invalid("Choose values, alerts or both: a bridge without them publishes nothing");
  if (input.allDevices === 0 && input.deviceIds.length === 0) throw invalid("Choose at least one device");
  checkTopic(input);
  const refused = input.enabled === 1 ? refusalOfBroker(input.url, isPrivateAllowed) : undefined;
  if (refused !== undefined) throw invalid(refused);
};

/** What the audit log tells. Of the address only the host, and of the password nothing. */
const described = (bridge: Omit<Columns, "password">, devices: number | undefined) => ({
  name: bridge.bridge_name,
  host: new URL(bridge.url).host,
  user: bridge.user_name,
  format: bridgeFormatLabels[bridge.format],
  prefix: bridge.prefix,
  devices: bridge.all_devices ? "all" : devices,
  values: bridge.sends_values,
  alerts: bridge.sends_alerts,
  enabled: bridge.is_enabled,
});

/** The bridge, locked until the transaction ends; throws when the plant has none with this id. */
export const found = async (db: Database, bridgeId: number, { plantId }: Caller): Promise<Bridge> => {
  const bridge = await lockedBridge(db, plantId, bridgeId);
  if (!bridge) throw notFound();
  return bridge;
};

/** A broker lets one client in for a client ID: a second bridge with it and the first would throw each other out, again and again. */
const demandOwnClientId = async (db: Database, plantId: number, wanted: Columns, bridgeId?: number): Promise<void> => {
  if (!wanted.is_enabled) return;
  const others = await db
    .selectFrom("bridges")
    .select(["bridge_id", "bridge_name", "url"])
    .where("plant_id", "=", plantId)
    .where("client_id", "=", wanted.client_id)
    .where("is_enabled", "=", true)
    .execute();
  const { host } = new URL(wanted.url);
  const other = others.find((each) => each.bridge_id !== bridgeId && new URL(each.url).host === host);
  if (other)
    throw conflict(`The bridge ${other.bridge_name} has this client ID at the same broker: give each bridge its own`);
};

const auditOf = ({ plantId, userId }: Caller, verb: string, detail: Record<string, unknown>, now: Date) => ({
  ...{ plantId, userId, now, detail },
  action: `bridge.${verb}`,
});

const chosenOf = ({ allDevices, deviceIds }: Input<typeof bridges.add>): readonly number[] =>
  allDevices === 1 ? [] : deviceIds;

/** Adds a bridge. What is committed after this is published by it. */
export const addBridge = async (needs: Needs, input: Input<typeof bridges.add>, caller: Caller) => {
  const { db, clock, isPrivateAllowed } = needs;
  checkContent(input, isPrivateAllowed);
  const { plantId, accountId } = caller;
  const added = await db.transaction().execute(async (trx) => {
    const now = clock.date();
    await lockPlant(trx, plantId);
    const { count } = await trx
      .selectFrom("bridges")
      .where("plant_id", "=", plantId)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= mostBridges) throw conflict(`A plant has at most ${mostBridges} bridges. Delete one first`);
    const columns = columnsOf(input);
    await demandOwnClientId(trx, plantId, columns);
    const { bridge_id: bridgeId } = await trx
      .insertInto("bridges")
      .values({ ...columns, plant_id: plantId, created_by: accountId, created_time: now })
      .returning("bridge_id")
      .executeTakeFirstOrThrow();
    if (!(await setDevices(trx, plantId, bridgeId, chosenOf(input)))) throw notFound();
    const detail = { target: input.bridgeName, after: described(columns, input.deviceIds.length) };
    await audit(trx, auditOf(caller, "add", detail, now));
    return { bridgeId };
  });
  await applyBridges({ db }, plantId);
  return added;
};

/** The password after a change. One that is kept goes to no other host, and with no other user. */
const passwordOf = (before: Bridge, columns: Columns): string => {
  if (columns.password !== "" || columns.user_name === "") return columns.password;
  const isSame = new URL(before.url).host === new URL(columns.url).host && before.user_name === columns.user_name;
  if (!isSame && before.password !== "") throw invalid("Enter the password again: the host or the user is another one");
  return before.password;
};

/** Changes a bridge; refused when it has been changed since `version`. */
export const updateBridge = async (
  { db, clock, isPrivateAllowed }: Needs,
  { bridgeId, version, ...input }: Input<typeof bridges.update>,
  caller: Caller,
): Promise<void> => {
  checkContent(input, isPrivateAllowed);
  await db.transaction().execute(async (trx) => {
    const now = clock.date();
    await lockPlant(trx, caller.plantId);
    const before = await found(trx, bridgeId, caller);
    if (version !== undefined && version !== before.version) throw conflict(Message.changedMeanwhile);
    const devicesBefore = await trx
      .selectFrom("bridge_devices")
      .where("bridge_id", "=", bridgeId)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    const columns = columnsOf(input);
    await demandOwnClientId(trx, caller.plantId, columns, bridgeId);
    if (!(await setDevices(trx, caller.plantId, bridgeId, chosenOf(input)))) throw notFound();
    await trx
      .updateTable("bridges")
      // It connects anew; the state of before says nothing about this.
      .set({ ...columns, password: passwordOf(before, columns), version: before.version + 1 })
      .set({ connected_since: null, failing_since: null, fault: "" })
      .where("bridge_id", "=", bridgeId)
      .execute();
    const change = {
      before: described(before, devicesBefore.count),
      after: described(columns, input.deviceIds.length),
    };
    await audit(trx, auditOf(caller, "edit", { target: input.bridgeName, ...change }, now));
  });
  await applyBridges({ db }, caller.plantId);
};

/** Deletes a bridge; what waits for it goes with it. */
export const removeBridge = async (
  { db, clock }: Pick<World, "db" | "clock">,
  bridgeId: number,
  caller: Caller,
): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    const bridge = await found(trx, bridgeId, caller);
    const before = described(bridge, undefined);
    await trx.deleteFrom("bridges").where("bridge_id", "=", bridgeId).execute();
    await audit(trx, auditOf(caller, "delete", { target: bridge.bridge_name, before }, clock.date()));
  });
  await applyBridges({ db }, caller.plantId);
};
