import { CommandStatus, type JointCommand } from "@telltale/contract/domains/joint";
import type { ReactNode } from "react";
import { Missing } from "../../ui/format/missing.tsx";
import { dateTime, recent } from "../../ui/format/time.ts";
import { StatusLabel, type StatusLook } from "../../ui/status/status-label.tsx";
import classes from "./joint.module.css";
import { levelLabel } from "./joint-text.ts";

/** How the outcome of a command is shown. */
const resultLooks: Readonly<Record<CommandStatus, StatusLook>> = {
  [CommandStatus.waiting]: { glyph: "clock", tone: "strong", label: "Waiting for the device" },
  [CommandStatus.confirmed]: { glyph: "tick", tone: "plain", label: "Confirmed by the device" },
  [CommandStatus.refused]: { glyph: "ring-x", tone: "due", label: "Refused by the device" },
  [CommandStatus.superseded]: { glyph: "ring-slash", tone: "faint", label: "Not sent: a newer one came first" },
};

/** The outcome of a command, and its reason. */
export const Result = ({ command }: { command: JointCommand }): ReactNode => (
  <span className={classes.result}>
    <StatusLabel {...resultLooks[command.status]} />
    {command.reason !== "" && <small>{command.reason}</small>}
  </span>
);

/** When the rule last drove its output, to which level, and the outcome. */
export const LastCommand = ({ last }: { last: JointCommand | null }): ReactNode => {
  if (!last) return <Missing>Never yet</Missing>;
  return (
    <span className={classes.two}>
      <span>
        {levelLabel(last.level)},{" "}
        <time dateTime={last.createdTime.toISOString()} title={dateTime(last.createdTime)}>
          {recent(last.createdTime)}
        </time>
      </span>
      <Result command={last} />
    </span>
  );
};
