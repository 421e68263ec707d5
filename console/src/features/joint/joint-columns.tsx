import { Switch } from "@mantine/core";
import { IconAlertTriangle, IconPencil, IconTrash } from "@tabler/icons-react";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import type { JointRow } from "@telltale/contract/domains/joint";
import { alertStatusLook } from "../../domain/alerts/alert-status.ts";
import { isNoData, isOn } from "../../domain/value.ts";
import { useIsLost } from "../../session/live/live.ts";
import { useReading } from "../../session/live/use-live-values.ts";
import { type Column, operationColumn } from "../../table/column.tsx";
import type { FilterInForce } from "../../table/filters/use-filters.ts";
import { Missing } from "../../ui/format/missing.tsx";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";
import { Link } from "../../ui/router/link.tsx";
import { Lamp } from "../../ui/status/lamp.tsx";
import { StatusLabel, type StatusLook } from "../../ui/status/status-label.tsx";
import classes from "./joint.module.css";
import { conditionText, endingText, levelLabel } from "./joint-text.ts";
import { LastCommand } from "./result.tsx";

type JointColumn = Column<JointRow>;

/** Row operations of a joint control. */
export interface JointOperations {
  edit: (row: JointRow) => void;
  remove: (row: JointRow) => void;
  enable: (row: JointRow, enabled: boolean) => void;
}

/** How it is shown whether the condition holds now. */
export const conditionLooks = {
  holds: { ...alertStatusLook(AlertStatus.triggered), tone: "alarm", label: "In alert" },
  rests: { glyph: "disc", tone: "normal", label: "Normal" },
  off: { glyph: "ring-dashed", tone: "inactive", label: "Disabled" },
} as const satisfies Record<string, StatusLook>;

const lookOf = ({ enabled, isActive }: JointRow): StatusLook => {
  if (!enabled) return conditionLooks.off;
  return isActive ? conditionLooks.holds : conditionLooks.rests;
};

const Problem = ({ children }: { children: string }) => (
  <span className={classes.problem}>
    <IconAlertTriangle size={16} aria-hidden />
    {children}
  </span>
);

/** The output's level as the device last reported it. */
const OutputNow = ({ output }: { output: JointRow["output"] }) => {
  const reading = useReading(output);
  const isLost = useIsLost();
  if (isNoData(reading)) return <Missing>N/A</Missing>;
  const on = isOn(reading.value ?? ReadingStatus.alarm);
  return (
    <span className={classes.output} data-lost={isLost || undefined}>
      <Lamp on={on} className={classes.lamp} />
      {levelLabel(on ? 1 : 0)}
    </span>
  );
};

/** A channel, with details and its device below it. */
const Two = ({ first, second, device }: { first: string; second: string; device: string }) => (
  <span className={classes.two} title={`${first}, ${second}, ${device}`}>
    <span>{first}</span>
    <small>
      {second}, {device}
    </small>
  </span>
);

const nameColumn = (filter: FilterInForce): JointColumn => ({
  key: "name",
  head: "NAME",
  width: 170,
  least: 140,
  narrow: "top-main",
  filter,
  cell: ({ jointId, name }) => (
    <Link to="/jointAdd" search={{ jointId }} className={classes.name} title={name}>
      {name}
    </Link>
  ),
});

const columns: readonly JointColumn[] = [
  {
    key: "when",
    head: "WHEN",
    width: 220,
    least: 170,
    narrow: "below-main",
    cell: ({ source, problem }) =>
      problem === "" ? (
        <Two first={source.channelName} second={conditionText(source)} device={source.deviceName} />
      ) : (
        <Problem>{problem}</Problem>
      ),
  },
  { key: "now", head: "CONDITION", width: 100, narrow: "top-end", cell: (row) => <StatusLabel {...lookOf(row)} /> },
  {
    key: "output",
    head: "DRIVES",
    width: 200,
    least: 180,
    cell: (row) => (
      <Two
        first={`${row.output.channelName} ${levelLabel(row.level)}`}
        second={`then ${endingText(row)}`}
        device={row.output.deviceName}
      />
    ),
  },
  {
    key: "outputNow",
    head: "OUTPUT",
    note: "now",
    width: 78,
    narrow: "below-end",
    cell: ({ output }) => <OutputNow output={output} />,
  },
  { key: "last", head: "LAST DRIVEN", width: 190, cell: ({ last }) => <LastCommand last={last} /> },
];

const enabledColumn = (operations: JointOperations | undefined): JointColumn => ({
  key: "enabled",
  head: "ENABLED",
  width: 84,
  narrow: "action",
  cell: (row) =>
    operations ? (
      <Switch
        aria-label={`Enabled: ${row.name}`}
        checked={row.enabled}
        onChange={(event) => operations.enable(row, event.currentTarget.checked)}
      />
    ) : (
      <span>{row.enabled ? "Yes" : "No"}</span>
    ),
});

/** The columns of the joint controls; `operations` are absent in a read-only view. */
export const jointColumns = (name: FilterInForce, operations: JointOperations | undefined): JointColumn[] => [
  nameColumn(name),
  ...columns,
  enabledColumn(operations),
  ...operationColumn<JointRow, JointOperations>(operations, { width: 100, pin: "end" }, (row, { edit, remove }) => (
    <Operations>
      <OperationButton label={`Edit ${row.name}`} icon={IconPencil} onClick={() => edit(row)} />
      <OperationButton label={`Delete ${row.name}`} icon={IconTrash} onClick={() => remove(row)} />
    </Operations>
  )),
];
