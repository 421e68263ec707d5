import { Switch } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import type { AlarmRecipient, AlarmRow } from "@telltale/contract/domains/alarms";
import { ContactStatus, contactStatusLabels } from "@telltale/contract/domains/people/contacts";
import type { ReactNode } from "react";
import { PriorityPlate } from "../../domain/alerts/priority-plate.tsx";
import { ContactTypeIcon } from "../../domain/contact-type-icon.tsx";
import { CellName, CellText, type Column, NarrowText, operationColumn } from "../../table/column.tsx";
import type { FilterInForce } from "../../table/filters/use-filters.ts";
import { Missing } from "../../ui/format/missing.tsx";
import { dateTime, day } from "../../ui/format/time.ts";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";
import { Link } from "../../ui/router/link.tsx";
import { StatusLabel } from "../../ui/status/status-label.tsx";
import classes from "./alarm-columns.module.css";
import { classLabels, limitText, typeText } from "./alarm-text.ts";

const inFull = ({ name, contactInfo, status }: AlarmRecipient): string =>
  `${name}, ${contactInfo} (${contactStatusLabels[status]})`;

/** Recipients of an alert: a verified one if any, how many more, and the contact's status when none is verified. */
const RecipientsCell = ({ recipients }: { recipients: readonly AlarmRecipient[] }): ReactNode => {
  const [first, ...others] = recipients.toSorted((a, b) => b.status - a.status);
  if (!first) return <Missing />;
  return (
    <span className={classes.recipients} title={recipients.map(inFull).join("\n")}>
      <ContactTypeIcon type={first.type} />
      <CellText>{first.name}</CellText>
      {others.length > 0 && <small>+{others.length}</small>}
      {first.status !== ContactStatus.verified && <small>{contactStatusLabels[first.status]}</small>}
    </span>
  );
};

type AlarmColumn = Column<AlarmRow>;
type By = Readonly<Record<string, FilterInForce>>;

/** Row operations of a configured alert. */
export interface AlarmOperations {
  edit: (alarm: AlarmRow) => void;
  remove: (alarm: AlarmRow) => void;
  /** Switches it on, or off. */
  toggle: (alarm: AlarmRow) => void;
}

const nameColumn = (by: By): AlarmColumn => ({
  key: "name",
  head: "NAME",
  width: 140,
  least: 98,
  narrow: "top-main",
  filter: by.name,
  cell: ({ alarmName, enabled }) => <CellName isOff={enabled === 0}>{alarmName}</CellName>,
});

const priorityColumn: AlarmColumn = {
  key: "priority",
  head: "P",
  width: 52,
  narrow: "top",
  cell: ({ priority }) => <PriorityPlate priority={priority} />,
};

/** ENABLED: the switch, or its state in a read-only view. */
const enabledColumn = (operations: AlarmOperations | undefined): AlarmColumn => ({
  key: "enabled",
  head: "ENABLED",
  width: 86,
  least: 80,
  narrow: "action-end",
  cell: (alarm) =>
    operations ? (
      <Switch
        size="sm"
        checked={alarm.enabled === 1}
        onChange={() => operations.toggle(alarm)}
        label={alarm.enabled === 1 ? "On" : "Off"}
        aria-label={`Enabled: ${alarm.alarmName}`}
      />
    ) : (
      <StatusLabel
        glyph={alarm.enabled === 1 ? "disc" : "ring-dashed"}
        tone={alarm.enabled === 1 ? "plain" : "faint"}
        label={alarm.enabled === 1 ? "On" : "Off"}
      />
    ),
});

const deviceColumns = (by: By): AlarmColumn[] => [
  {
    key: "device",
    head: "DEVICE NAME",
    width: 130,
    least: 100,
    narrow: "below-main",
    cell: ({ deviceName, channelName }) => (
      <>
        <CellText title={deviceName}>{deviceName}</CellText>
        {channelName !== null && <NarrowText>{`, ${channelName}`}</NarrowText>}
      </>
    ),
  },
  {
    key: "deviceSnId",
    head: "DEVICE ID",
    width: 118,
    least: 106,
    filter: by.deviceSnId,
    cell: ({ deviceId, deviceSnId }) => (
      <Link className={classes.id} to="/devicesDetail" search={{ deviceId }}>
        {deviceSnId}
      </Link>
    ),
  },
];

const endColumns = (by: By, operations: AlarmOperations | undefined): AlarmColumn[] => [
  {
    key: "recipients",
    head: "RECIPIENTS",
    width: 150,
    least: 98,
    narrow: "action",
    cell: ({ notifyUsers }) => <RecipientsCell recipients={notifyUsers} />,
  },
  {
    key: "created",
    head: "CREATED",
    width: 100,
    least: 94,
    filter: by.created,
    cell: ({ createdTime }) => <span title={dateTime(createdTime)}>{day(createdTime)}</span>,
  },
  {
    key: "createdBy",
    head: "CREATED BY",
    width: 96,
    least: 84,
    cell: ({ createdBy }) => (createdBy === "" ? <Missing /> : <CellText title={createdBy}>{createdBy}</CellText>),
  },
  enabledColumn(operations),
  ...operationColumn<AlarmRow, AlarmOperations>(
    operations,
    { width: 82, pin: "end", narrow: "below-end" },
    (alarm, { edit, remove }) => (
      <Operations>
        <OperationButton label={`Edit ${alarm.alarmName}`} icon={IconPencil} onClick={() => edit(alarm)} />
        <OperationButton label={`Delete ${alarm.alarmName}`} icon={IconTrash} onClick={() => remove(alarm)} />
      </Operations>
    ),
  ),
];

const classColumn = (by: By): AlarmColumn => ({
  key: "alert",
  head: "ALERT",
  width: 130,
  narrow: "top-end",
  filter: by.alert,
  cell: ({ alarmClass }) => classLabels[alarmClass],
});

/** The columns of limit and notification alerts; without `operations` the list is read-only. (spec 2 §2) */
export const systemColumns = (by: By, operations: AlarmOperations | undefined): AlarmColumn[] => [
  priorityColumn,
  nameColumn(by),
  classColumn(by),
  ...deviceColumns(by),
  ...endColumns(by, operations),
];

const limitColumns: AlarmColumn[] = [
  {
    key: "channel",
    head: "CHANNEL",
    width: 130,
    least: 88,
    cell: ({ channelName }) =>
      channelName === null ? <Missing /> : <CellText title={channelName}>{channelName}</CellText>,
  },
  {
    key: "type",
    head: "TYPE",
    width: 88,
    least: 60,
    cell: (alarm) => <CellText title={typeText(alarm)}>{typeText(alarm)}</CellText>,
  },
  {
    key: "value",
    head: "VALUE",
    width: 90,
    align: "end",
    narrow: "top-end",
    cell: (alarm) => (
      <>
        <NarrowText>{`${typeText(alarm)} `}</NarrowText>
        {limitText(alarm.alarmValue, alarm)}
      </>
    ),
  },
  {
    key: "hysteresis",
    head: "HYSTERESIS",
    width: 96,
    align: "end",
    cell: (alarm) => limitText(alarm.alarmHysteresis, alarm),
  },
];

/** The columns of the custom alerts. */
export const customColumns = (by: By, operations: AlarmOperations | undefined): AlarmColumn[] => [
  priorityColumn,
  nameColumn(by),
  ...deviceColumns(by),
  ...limitColumns,
  ...endColumns(by, operations),
];
