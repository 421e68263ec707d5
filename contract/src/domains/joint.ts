import { z } from "zod";
import { get, post } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";
import { namedField } from "../text/text-fields.ts";
import { AlertType } from "./alerts.ts";

/** The level of a digital output. */
export const OutputLevel = { off: 0, on: 1 } as const;
export type OutputLevel = (typeof OutputLevel)[keyof typeof OutputLevel];
export const outputLevelLabels: Record<OutputLevel, string> = { 0: "OFF", 1: "ON" };
/** The other level, to which an output returns. */
export const oppositeLevel = (level: OutputLevel): OutputLevel =>
  level === OutputLevel.on ? OutputLevel.off : OutputLevel.on;

/** What happens to the output when the condition ends. */
export const JointEnding = { back: 1, stay: 2 } as const;
export type JointEnding = (typeof JointEnding)[keyof typeof JointEnding];

/** Outcome of a command to an output. A superseded command was never sent: a newer one replaced it before the device connected. */
export const CommandStatus = { waiting: 1, confirmed: 2, refused: 3, superseded: 4 } as const;
export type CommandStatus = (typeof CommandStatus)[keyof typeof CommandStatus];

/** A channel with its name and device. `deviceId` is null when the device has been removed from the plant. */
const NamedChannel = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  channelCn: z.string(),
  deviceId: z.int().nullable(),
  deviceName: z.string(),
  deviceSnId: z.string(),
});

/** An alert that can drive an output: a limit in an input's settings, or, with `alarmId`, an alert rule of class 1. `threshold` is in `unit`. */
export const JointSource = NamedChannel.extend({
  alarmType: z.enum(AlertType),
  alarmId: z.int().nullable(),
  alarmName: z.string(),
  threshold: z.number().nullable(),
  unit: z.string(),
});
export type JointSource = z.output<typeof JointSource>;

/** A digital output; `drivenBy` names the enabled rules that already drive it. */
export const JointOutput = NamedChannel.extend({ drivenBy: z.array(z.string()) });
export type JointOutput = z.output<typeof JointOutput>;

/** A command to an output: `reason` says why it was refused, or why it is still waiting. */
export const JointCommand = z.object({
  commandId: z.int(),
  level: z.enum(OutputLevel),
  status: z.enum(CommandStatus),
  createdTime: wire.time(),
  settledTime: wire.time().nullable(),
  reason: z.string(),
});
export type JointCommand = z.output<typeof JointCommand>;

/** A rule that drives a digital output while an alert is open. */
export const JointRow = z.object({
  jointId: z.int(),
  name: z.string(),
  source: JointSource,
  output: JointOutput.omit({ drivenBy: true }).extend({
    /** The level that the device reported last; null before its first report. */
    value: z.number().nullable(),
    status: z.int(),
  }),
  level: z.enum(OutputLevel),
  ending: z.enum(JointEnding),
  enabled: z.boolean(),
  /** The alert is currently open. */
  isActive: z.boolean(),
  /** Why the rule cannot drive its output; empty when it can. */
  problem: z.string(),
  /** The newest command of this rule. */
  last: JointCommand.nullable(),
  /** Incremented by every change: see `edit`. */
  version: z.int(),
});
export type JointRow = z.output<typeof JointRow>;

const chooseSource = "Choose what triggers it";
const chooseLevel = "Choose ON or OFF";
const chooseEnding = "Choose what happens afterwards";

/** Runs even when other fields are invalid, so that all errors are shown together. */
const together = { when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null };

/** Without an id it creates a rule. What is left out stays as it was; a new rule goes back afterwards, and is enabled. `version` is the one the client read: if it has changed since, nothing is saved (409). */
const Edited = z
  .object({
    jointId: z.int32().optional(),
    name: namedField("Joint control name cannot be blank"),
    /** Either an alert rule of class 1 … */
    alarmId: z.int32({ error: chooseSource }).optional(),
    /** … or a limit of this channel, by its `AlertType`. */
    sourceChannelId: z.int32({ error: chooseSource }).optional(),
    alarmType: z.int32({ error: chooseSource }).optional(),
    outputChannelId: z.int32({ error: "Choose an output" }),
    level: z.union([z.literal(0), z.literal(1)], { error: chooseLevel }),
    ending: z.union([z.literal(1), z.literal(2)], { error: chooseEnding }).optional(),
    enabled: z.boolean({ error: "Choose whether it is enabled" }).optional(),
    version: z.int32().optional(),
  })
  .refine(
    ({ alarmId, sourceChannelId, alarmType }) =>
      alarmId !== undefined || (sourceChannelId !== undefined && alarmType !== undefined),
    { error: chooseSource, path: ["sourceChannelId"], ...together },
  );

const named = { ...pageQuery, name: wire.text().optional() };

/** Rules that drive digital outputs from alerts. (decisions §4) */
export const joint = {
  list: get("/api/joint/list", {
    access: "joint.read",
    summary: "The plant's joint controls by creation: source, output and last result of each",
    query: z.object(named),
    result: page(JointRow),
  }),
  info: get("/api/joint/info", {
    access: "joint.read",
    summary: "One joint control",
    query: z.object({ jointId: wire.int() }),
    result: JointRow,
  }),
  log: get("/api/joint/log", {
    access: "joint.read",
    summary: "The commands of a joint control, newest first",
    query: z.object({ ...pageQuery, jointId: wire.int() }),
    result: page(JointCommand),
  }),
  sources: get("/api/joint/sources", {
    access: "joint.read",
    summary:
      "Possible sources of an output: limits set on inputs, and alert rules; searched by channel, device or alert",
    query: z.object(named),
    result: page(JointSource),
  }),
  outputs: get("/api/joint/outputs", {
    access: "joint.read",
    summary: "The plant's digital outputs, searched by channel, device name or device ID",
    query: z.object(named),
    result: page(JointOutput),
  }),
  edit: post("/api/joint/edit", {
    access: "joint.write",
    summary: "Creates or updates a joint control; refused when it contradicts another or triggers itself",
    encoding: "json",
    body: Edited,
    result: z.object({ jointId: z.int() }),
  }),
  enable: post("/api/joint/enable", {
    access: "joint.write",
    summary: "Enables or disables a joint control; disabling releases its output",
    encoding: "json",
    body: z.object({ jointId: z.int32(), enabled: z.boolean(), version: z.int32().optional() }),
    result: z.null(),
  }),
  remove: post("/api/joint/delete", {
    access: "joint.write",
    summary: "Deletes a joint control and releases its output",
    encoding: "json",
    body: z.object({ jointId: z.int32() }),
    result: z.null(),
  }),
};
