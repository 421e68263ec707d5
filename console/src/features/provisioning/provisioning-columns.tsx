import { IconBan } from "@tabler/icons-react";
import { KeyState, type ProvisioningKeyRow } from "@telltale/contract/domains/fleet/provisioning";
import { CellName, CellText, type Column, NarrowText, operationColumn } from "../../table/column.tsx";
import { Missing } from "../../ui/format/missing.tsx";
import { dateTime, day, recent, recentShort } from "../../ui/format/time.ts";
import { OperationButton, Operations } from "../../ui/operation-button.tsx";
import { StatusLabel, type StatusLook } from "../../ui/status/status-label.tsx";
import classes from "./provisioning.module.css";

/** How a key's state is shown. Red is reserved for equipment. */
export const keyLooks: Record<KeyState, StatusLook> = {
  [KeyState.valid]: { label: "Valid", glyph: "ring-tick", tone: "plain" },
  [KeyState.full]: { label: "Used up", glyph: "ring-x", tone: "strong" },
  [KeyState.expired]: { label: "Expired", glyph: "ring-dashed", tone: "inactive" },
  [KeyState.revoked]: { label: "Revoked", glyph: "ring-dashed", tone: "inactive" },
};

/** Refused requests with the last one's time and reason. */
const Refused = ({ row: { refusedCount, lastRefusedTime, lastRefusal } }: { row: ProvisioningKeyRow }) => {
  const last = lastRefusedTime === null ? "" : `${lastRefusal}, ${recent(lastRefusedTime)}`;
  return (
    <CellText title={last}>
      {refusedCount} <NarrowText>refused</NarrowText>
      {last}
    </CellText>
  );
};

/** The columns of the keys; without `revoke` the list is read-only. */
export const provisioningColumns = (
  revoke: ((row: ProvisioningKeyRow) => void) | undefined,
): Column<ProvisioningKeyRow>[] => [
  {
    key: "status",
    head: "STATUS",
    width: 108,
    least: 104,
    narrow: "top",
    cell: ({ state }) => <StatusLabel {...keyLooks[state]} />,
  },
  {
    key: "name",
    head: "NAME",
    width: 160,
    least: 110,
    narrow: "top-main",
    cell: ({ keyName, createdBy, createdTime }) => (
      <CellName title={`${keyName}, made by ${createdBy} ${dateTime(createdTime)}`}>{keyName}</CellName>
    ),
  },
  { key: "model", head: "P/N", width: 112, least: 104, narrow: "below", cell: ({ deviceSn }) => deviceSn },
  {
    key: "key",
    head: "KEY",
    width: 190,
    least: 178,
    cell: ({ provisionKey }) => <code className={classes.key}>{provisionKey}</code>,
  },
  {
    key: "devices",
    head: "DEVICES",
    width: 104,
    least: 92,
    narrow: "below",
    cell: ({ deviceCount, deviceLimit }) => `${deviceCount} of ${deviceLimit}`,
  },
  {
    key: "used",
    head: "LAST USE",
    width: 112,
    least: 100,
    cell: ({ lastUsedTime }) => (lastUsedTime === null ? <Missing /> : recentShort(lastUsedTime)),
  },
  {
    key: "refused",
    head: "REFUSED",
    width: 220,
    least: 120,
    narrow: "below-main",
    cell: (row) => <Refused row={row} />,
  },
  {
    key: "until",
    head: "VALID UNTIL",
    width: 108,
    least: 104,
    narrow: "below",
    cell: ({ expireTime }) => day(expireTime),
  },
  ...operationColumn<ProvisioningKeyRow, (row: ProvisioningKeyRow) => void>(
    revoke,
    { width: 104, least: 98 },
    (row, revokeRow) => (
      <Operations>
        {row.state !== KeyState.revoked && (
          <OperationButton label={`Revoke ${row.keyName}`} icon={IconBan} onClick={() => revokeRow(row)} />
        )}
      </Operations>
    ),
  ),
];
