import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import { AlertClass, alertTypeLabels } from "@telltale/contract/domains/alerts";
import { JointEnding, type joint, oppositeLevel, outputLevelLabels } from "@telltale/contract/domains/joint";
import { sql } from "kysely";
import { areChannelsInScope } from "../../access/index.ts";
import { ruleKey } from "../../alarms/index.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { jointInfo } from "./queries.ts";
import { enableError, type OtherRule } from "./rules.ts";
import { waitTurn, writeCommands } from "./settle-queries.ts";
import { type FoundSource, foundOutput, foundSource } from "./source-queries.ts";

type Needs = Pick<World, "db" | "bus" | "clock">;
type RequestInput = Input<typeof joint.edit>;

/** Reads a rule of the plant and locks the plant's rules until the transaction ends. */
const standing = async (db: Database, plantId: number, jointId: number) => {
  const rule = await db
    .selectFrom("joint_rules")
    .selectAll()
    .where("joint_id", "=", jointId)
    .where("plant_id", "=", plantId)
    .executeTakeFirst();
  if (!rule) throw notFound();
  return rule;
};

type Standing = Awaited<ReturnType<typeof standing>>;

/** The plant's enabled rules except one. */
const otherRules = async (db: Database, plantId: number, besides: number | undefined): Promise<OtherRule[]> => {
  const { rows } = await sql<OtherRule>`
    select r.joint_id as "jointId", r.name, coalesce(a.channel_id, r.source_channel_id) as source, r.output_channel_id as output, r.level, r.ending
      from joint_rules r left join alarms a using (alarm_id)
     where r.plant_id = ${plantId} and r.enabled and r.joint_id <> ${besides ?? -1} order by r.joint_id`.execute(db);
  return rows;
};

/** Releases an output that a rule should no longer drive, as if its condition had ended. */
const release = async (db: Database, rule: Standing, jointId: number | null, now: Date): Promise<void> => {
  if (!rule.enabled || !rule.is_active || rule.ending !== JointEnding.back) return;
  const others = await db
    .selectFrom("joint_rules")
    .where("output_channel_id", "=", rule.output_channel_id)
    .where("joint_id", "<>", rule.joint_id)
    .where("enabled", "=", true)
    .where("is_active", "=", true)
    .select("joint_id")
    .executeTakeFirst();
  if (others) return;
  const { plant_id: plantId, output_channel_id: outputId, level } = rule;
  await writeCommands(db, [{ plantId, outputId, level: oppositeLevel(level), jointId }], now);
};

/** A rule as recorded in the audit log. */
const recorded = async (db: Database, plantId: number, jointId: number) => {
  const row = await jointInfo(db, plantId, jointId);
  if (!row) throw notFound();
  const { source, output, name, enabled } = row;
  return {
    name,
    source: `${source.deviceName}, ${source.channelName}: ${source.alarmName || alertTypeLabels[source.alarmType]}`,
    output: `${output.deviceName}, ${output.channelName}`,
    level: outputLevelLabels[row.level],
    afterwards: row.ending === JointEnding.back ? "Back" : "Stays",
    enabled,
  };
};

const findSource = async (db: Database, input: RequestInput, caller: Caller): Promise<FoundSource> => {
  const source = await foundSource(db, caller.plantId, input);
  if (source) return source;
  const { alarmId, sourceChannelId } = input;
  if (
    alarmId !== undefined ||
    sourceChannelId === undefined ||
    !(await areChannelsInScope(db, caller, [sourceChannelId]))
  )
    throw notFound();
  throw invalid("This limit is not set. Set it in the device's configuration first");
};

/** The columns of a rule from the form's fields; what they leave out is as before. */
const columnsOf = async (db: Database, input: RequestInput, before: Standing | undefined, caller: Caller) => {
  const source = await findSource(db, input, caller);
  if ((await foundOutput(db, caller.plantId, input.outputChannelId)) === undefined) throw notFound();
  const isCustom = source.alarm_id !== null;
  return {
    name: input.name,
    source_key: isCustom ? null : ruleKey.threshold(source.channel_id, source.alarm_type),
    source_channel_id: source.channel_id,
    alarm_class: isCustom ? AlertClass.custom : AlertClass.threshold,
    alarm_type: source.alarm_type,
    alarm_id: source.alarm_id,
    output_channel_id: input.outputChannelId,
    level: input.level,
    ending: input.ending ?? before?.ending ?? JointEnding.back,
    enabled: input.enabled ?? before?.enabled ?? true,
  };
};

type Columns = Awaited<ReturnType<typeof columnsOf>>;

type Driven = Pick<Standing, "source_channel_id" | "output_channel_id" | "level" | "ending">;

const refuseContradiction = async (db: Database, plantId: number, rule: Driven, besides?: number): Promise<void> => {
  const drive = {
    source: rule.source_channel_id,
    output: rule.output_channel_id,
    level: rule.level,
    ending: rule.ending,
  };
  const validationError = enableError(drive, await otherRules(db, plantId, besides));
  if (validationError) throw invalid(validationError);
};

const isSameDrive = (before: Standing, after: Columns): boolean =>
  before.source_key === after.source_key &&
  before.alarm_id === after.alarm_id &&
  before.output_channel_id === after.output_channel_id &&
  before.level === after.level &&
  before.ending === after.ending &&
  before.enabled === after.enabled;

const make = async (db: Database, columns: Columns, { plantId, accountId }: Caller, now: Date): Promise<number> => {
  const { joint_id } = await db
    .insertInto("joint_rules")
    .values({ ...columns, plant_id: plantId, created_by: accountId, created_time: now, modified_time: now })
    .returning("joint_id")
    .executeTakeFirstOrThrow();
  return joint_id;
};

const change = async (db: Database, before: Standing, columns: Columns, now: Date): Promise<void> => {
  const isSame = isSameDrive(before, columns);
  if (!isSame) await release(db, before, before.joint_id, now);
  await db
    .updateTable("joint_rules")
    .set({
      ...columns,
      is_active: isSame && before.is_active,
      modified_time: now,
      version: before.version + 1,
    })
    .where("joint_id", "=", before.joint_id)
    .execute();
};

const checkVersion = (looked: number | undefined, { version }: Standing): void => {
  if (looked !== undefined && looked !== version) throw conflict(Message.changedMeanwhile);
};

/** Creates or updates a rule. Returns its id. */
export const editJoint = async ({ db, bus, clock }: Needs, input: RequestInput, caller: Caller): Promise<number> => {
  const { plantId, userId } = caller;
  const jointId = await db.transaction().execute(async (trx) => {
    await waitTurn(trx);
    const now = clock.date();
    const before = input.jointId === undefined ? undefined : await standing(trx, plantId, input.jointId);
    if (before) checkVersion(input.version, before);
    const columns = await columnsOf(trx, input, before, caller);
    if (columns.enabled) await refuseContradiction(trx, plantId, columns, before?.joint_id);
    const known = before && (await recorded(trx, plantId, before.joint_id));
    if (before) await change(trx, before, columns, now);
    const id = before?.joint_id ?? (await make(trx, columns, caller, now));
    const after = await recorded(trx, plantId, id);
    const detail = { target: input.name, ...(known && { before: known }), after };
    await audit(trx, { plantId, userId, action: before ? "joint.edit" : "joint.add", detail, now });
    return id;
  });
  bus.emit("jointRules", { plantId });
  return jointId;
};

/** Enables or disables a rule. */
export const enableJoint = async (
  { db, bus, clock }: Needs,
  { jointId, enabled, version }: Input<typeof joint.enable>,
  { plantId, userId }: Caller,
): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    await waitTurn(trx);
    const now = clock.date();
    const before = await standing(trx, plantId, jointId);
    checkVersion(version, before);
    if (before.enabled === enabled) return;
    if (enabled) await refuseContradiction(trx, plantId, before, jointId);
    else await release(trx, before, jointId, now);
    await trx
      .updateTable("joint_rules")
      .set({ enabled, is_active: false, modified_time: now, version: before.version + 1 })
      .where("joint_id", "=", jointId)
      .execute();
    const action = enabled ? "joint.enable" : "joint.disable";
    await audit(trx, { plantId, userId, action, detail: { target: before.name }, now });
  });
  bus.emit("jointRules", { plantId });
};

/** Deletes a rule. */
export const removeJoint = async (
  { db, bus, clock }: Needs,
  jointId: number,
  { plantId, userId }: Caller,
): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    await waitTurn(trx);
    const now = clock.date();
    const before = await standing(trx, plantId, jointId);
    const known = await recorded(trx, plantId, jointId);
    await release(trx, before, null, now);
    await trx.deleteFrom("joint_rules").where("joint_id", "=", jointId).execute();
    await audit(trx, { plantId, userId, action: "joint.delete", detail: { target: before.name, before: known }, now });
  });
  bus.emit("jointRules", { plantId });
};
