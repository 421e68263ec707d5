import { IconTrash } from "@tabler/icons-react";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { type ExpectedRow, provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { type ReactNode, useMemo } from "react";
import { useRemoval } from "../../form/use-confirmed-action.tsx";
import { useSession } from "../../session/session.ts";
import { CellName, CellText, type Column, NarrowText, operationColumn } from "../../table/column.tsx";
import { ListSection } from "../../table/list-page.tsx";
import type { Pages } from "../../table/use-pages.ts";
import { Missing } from "../../ui/format/missing.tsx";
import { dateTime } from "../../ui/format/time.ts";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";
import { Link } from "../../ui/router/link.tsx";
import classes from "./provisioning.module.css";

const announcerOf = ({ announcedBy, apiKeyName }: ExpectedRow): string =>
  [announcedBy, apiKeyName && `API key ${apiKeyName}`].filter(Boolean).join(", ");

const AnnouncedBy = ({ device }: { device: ExpectedRow }) => {
  const announcer = announcerOf(device);
  if (announcer === "") return <Missing />;
  return (
    <CellText title={announcer}>
      <NarrowText>by</NarrowText>
      {announcer}
    </CellText>
  );
};

/** The columns of expected devices; without `remove` the list is read-only. */
const columnsWith = (remove: ((device: ExpectedRow) => void) | undefined): Column<ExpectedRow>[] => [
  {
    key: "serial",
    head: "SERIAL NUMBER",
    width: 170,
    least: 130,
    narrow: "top-main",
    cell: ({ serial }) => (
      <code className={classes.key} title={serial}>
        {serial}
      </code>
    ),
  },
  {
    key: "name",
    head: "NAME",
    width: 180,
    least: 110,
    narrow: "below-main",
    cell: ({ deviceName }) => <CellName>{deviceName}</CellName>,
  },
  { key: "model", head: "P/N", width: 112, least: 104, narrow: "top-end", cell: ({ deviceSn }) => deviceSn },
  {
    key: "since",
    head: "EXPECTED SINCE",
    width: 160,
    least: 150,
    narrow: "below",
    cell: ({ expectedTime }) => dateTime(expectedTime),
  },
  {
    key: "by",
    head: "ANNOUNCED BY",
    width: 260,
    least: 150,
    narrow: "action",
    cell: (device) => <AnnouncedBy device={device} />,
  },
  ...operationColumn<ExpectedRow, (device: ExpectedRow) => void>(
    remove,
    { width: 104, least: 98 },
    (device, removeDevice) => (
      <Operations>
        <OperationButton label={`Delete ${device.deviceName}`} icon={IconTrash} onClick={() => removeDevice(device)} />
      </Operations>
    ),
  ),
];

const keyOf = ({ deviceId }: ExpectedRow) => deviceId;

/** Devices that were announced by their serial numbers and have not registered themselves yet. */
export const ExpectedDevices = ({ pages }: { pages: Pages<typeof provisioning.expected> }): ReactNode => {
  const isEditor = useSession().can("devices.delete");
  const { ask, dialog } = useRemoval({
    call: deviceConfiguration.remove,
    inputOf: ({ deviceId }: ExpectedRow) => ({ deviceId }),
    invalidates: [provisioning.expected, devices.list],
    title: "Delete device",
    question: ({ deviceName, serial }) => (
      <>
        Are you sure that you want to delete this Device?
        <p>
          <b>{deviceName}</b>, {serial}, is no longer expected. Its settings, alerts and tiles are deleted with it.
        </p>
      </>
    ),
  });
  const columns = useMemo(() => columnsWith(isEditor ? ask : undefined), [isEditor, ask]);
  return (
    <>
      <ListSection
        title="Expected devices"
        label="Expected devices"
        pages={pages}
        columns={columns}
        rowKey={keyOf}
        empty={
          <>
            No device is expected.{" "}
            <Link to="/support" search={{ tab: "documentation", tutorial: "programs" }}>
              A plant file or a CSV
            </Link>{" "}
            announces devices by their serial numbers.
          </>
        }
      />
      {dialog}
    </>
  );
};
