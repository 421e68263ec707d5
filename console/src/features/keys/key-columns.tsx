import type { ApiKeyRow } from "@telltale/contract/domains/people/api-keys";
import { roleNames } from "@telltale/contract/permissions";
import { CellName, CellText, type Column, NarrowText, operationColumn } from "../../table/column.tsx";
import { Button } from "../../ui/control/button.tsx";
import { day, recent } from "../../ui/format/time.ts";
import { serverNow } from "../../ui/server-time.ts";
import classes from "./keys.module.css";

const LastUse = ({ apiKey: { usedTime, usedAddress } }: { apiKey: ApiKeyRow }) =>
  usedTime === null ? (
    <span>Not used yet</span>
  ) : (
    <CellText title={`${recent(usedTime)} from ${usedAddress}`}>
      <NarrowText>last used</NarrowText>
      {recent(usedTime)} from {usedAddress}
    </CellText>
  );

const endOf = ({ expiresTime }: ApiKeyRow): string => {
  if (expiresTime === null) return "When revoked";
  return expiresTime.getTime() <= serverNow() ? `Ended ${day(expiresTime)}` : day(expiresTime);
};

interface Shown {
  /** Absent in a read-only view. */
  onRevoke: ((apiKey: ApiKeyRow) => void) | undefined;
  /** Whether keys of several members are listed. */
  hasOthers: boolean;
}

/** The columns of API keys. */
export const keyColumns = ({ onRevoke, hasOthers }: Shown): Column<ApiKeyRow>[] => [
  {
    key: "name",
    head: "NAME",
    width: 190,
    narrow: "top-main",
    cell: ({ keyName }) => <CellName>{keyName}</CellName>,
  },
  {
    key: "beginning",
    head: "KEY",
    width: 180,
    cell: ({ beginning }) => <span className={classes.beginning}>{beginning}…</span>,
  },
  {
    key: "role",
    head: "ROLE",
    width: 190,
    narrow: "below-main",
    cell: ({ roleType, readOnly }) => <CellText>{`${roleNames[roleType]}${readOnly ? ", read-only" : ""}`}</CellText>,
  },
  ...(hasOthers
    ? [
        {
          key: "member",
          head: "MEMBER",
          width: 190,
          cell: ({ email }: ApiKeyRow) => <CellText title={email}>{email}</CellText>,
        } satisfies Column<ApiKeyRow>,
      ]
    : []),
  { key: "used", head: "LAST USED", width: 220, narrow: "below", cell: (apiKey) => <LastUse apiKey={apiKey} /> },
  { key: "ends", head: "ENDS", width: 120, cell: endOf },
  ...operationColumn<ApiKeyRow, (apiKey: ApiKeyRow) => void>(
    onRevoke,
    { width: 120, align: "end", narrow: "top-end" },
    (apiKey, revoke) => (
      <Button variant="default" size="xs" aria-label={`Revoke ${apiKey.keyName}`} onClick={() => revoke(apiKey)}>
        Revoke
      </Button>
    ),
  ),
];
