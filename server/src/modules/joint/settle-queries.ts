import { CommandStatus, type JointEnding, type OutputLevel } from "@telltale/contract/domains/joint";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { holds } from "./queries.ts";
import { type EnabledRule, type RequiredLevel, requiredLevel } from "./rules.ts";

/** Advisory lock that serialises settling; an arbitrary number that must be the same on every node. */
const turn = 4_719_020;

/** A command to insert: `jointId` is null when its rule is being deleted. */
export interface NewCommand {
  plantId: number;
  outputId: number;
  level: OutputLevel;
  jointId: number | null;
}

interface RuleRecord {
  joint_id: number;
  plant_id: number;
  output_channel_id: number;
  level: OutputLevel;
  ending: JointEnding;
  was_active: boolean;
  holds: boolean;
  commanded: number;
}

/** Takes the events left by alerts: the rules whose alert has opened or ended. */
const takeEvents = async (db: Database): Promise<ReadonlyMap<number, boolean>> => {
  const events = await db.deleteFrom("joint_events").returning(["joint_id", "is_raised"]).execute();
  const raised = new Map<number, boolean>();
  for (const { joint_id, is_raised } of events) raised.set(joint_id, is_raised || (raised.get(joint_id) ?? false));
  return raised;
};

/** The enabled rules of the outputs that these rules drive; with `all`, of every output that differs from its settled state. */
const standingRules = async (db: Database, jointIds: readonly number[], all: boolean): Promise<RuleRecord[]> => {
  const due = all
    ? sql`select r.output_channel_id from joint_rules r where r.enabled and (r.is_active <> ${holds} or r.joint_id = any(${jointIds}::int[]))`
    : sql`select r.output_channel_id from joint_rules r where r.joint_id = any(${jointIds}::int[])`;
  const { rows } = await sql<RuleRecord>`
    select r.joint_id, r.plant_id, r.output_channel_id, r.level, r.ending, r.is_active as was_active, ${holds} as holds,
           coalesce((select k.level from joint_commands k where k.output_channel_id = r.output_channel_id order by command_id desc limit 1), 0) as commanded
      from joint_rules r
     where r.enabled and r.output_channel_id in (${due})
     order by r.joint_id
       for update of r`.execute(db);
  return rows;
};

/** Inserts commands, one per output; a waiting command of the output is superseded. */
export const writeCommands = async (db: Database, commands: readonly NewCommand[], now: Date): Promise<void> => {
  if (commands.length === 0) return;
  const outputs = commands.map(({ outputId }) => outputId);
  await db
    .updateTable("joint_commands")
    .set({ status: CommandStatus.superseded, settled_time: now })
    .where("status", "=", CommandStatus.waiting)
    .where(sql<boolean>`output_channel_id = any(${outputs}::int[])`)
    .execute();
  const rows = commands.map(({ plantId, outputId, level, jointId }) => ({
    plant_id: plantId,
    joint_id: jointId,
    output_channel_id: outputId,
    level,
    status: CommandStatus.waiting,
    created_time: now,
    next_time: now,
  }));
  await db.insertInto("joint_commands").values(rows).execute();
};

const noteActive = async (db: Database, rules: readonly RuleRecord[]): Promise<void> => {
  const changed = rules.filter((rule) => rule.was_active !== rule.holds).map((rule) => rule.joint_id);
  if (changed.length === 0) return;
  await sql`update joint_rules set is_active = not is_active where joint_id = any(${changed}::int[])`.execute(db);
};

const standing = (rule: RuleRecord, raised: ReadonlyMap<number, boolean>): EnabledRule => ({
  jointId: rule.joint_id,
  level: rule.level,
  ending: rule.ending,
  wasActive: rule.was_active,
  holds: rule.holds,
  isRaised: raised.get(rule.joint_id) ?? false,
});

/** Serialises settling and changes of rules until the transaction ends. */
export const waitTurn = async (db: Database): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${turn})`.execute(db);
};

/**
 * Settles outputs: for events left by alerts, and with `all` for everything that differs from its settled state. Call in a transaction. Returns the
 * plants in which something changed.
 */
export const settle = async (db: Database, now: Date, all: boolean): Promise<ReadonlySet<number>> => {
  await waitTurn(db);
  const raised = await takeEvents(db);
  if (raised.size === 0 && !all) return new Set();
  const rules = await standingRules(db, [...raised.keys()], all);
  const commands = [...Map.groupBy(rules, (rule) => rule.output_channel_id).values()].flatMap((group): NewCommand[] => {
    const [first] = group;
    if (!first) return [];
    const wanted: RequiredLevel | undefined = requiredLevel(
      group.map((rule) => standing(rule, raised)),
      first.commanded,
    );
    return wanted ? [{ plantId: first.plant_id, outputId: first.output_channel_id, ...wanted }] : [];
  });
  await noteActive(db, rules);
  await writeCommands(db, commands, now);
  return new Set(rules.map((rule) => rule.plant_id));
};
