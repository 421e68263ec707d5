import type { UserRow } from "@telltale/contract/domains/people/users";
import { CellName, CellText, type Column, NarrowText, operationColumn } from "../../table/column.tsx";
import type { FilterInForce } from "../../table/filters/use-filters.ts";
import { Missing } from "../../ui/format/missing.tsx";
import { dateTime, day, orMissing, recentShort } from "../../ui/format/time.ts";
import { StatusLabel } from "../../ui/status/status-label.tsx";
import { OperationCell, type UserOperations } from "./operation-cell.tsx";
import classes from "./user-columns.module.css";
import { userStatusLook } from "./user-status.ts";

type UserColumn = Column<UserRow>;
type By = Readonly<Record<string, FilterInForce>>;

const statusColumn = (by: By): UserColumn => ({
  key: "status",
  head: "STATUS",
  width: 110,
  narrow: "top",
  filter: by.status,
  cell: ({ activate }) => <StatusLabel {...userStatusLook(activate)} />,
});

const accountColumn = (by: By): UserColumn => ({
  key: "account",
  head: "ACCOUNT",
  width: 260,
  least: 190,
  narrow: "top-main",
  filter: by.account,
  cell: ({ userEmail }) => <CellText title={userEmail}>{userEmail}</CellText>,
});

const nameColumn = (by: By): UserColumn => ({
  key: "name",
  head: "NAME",
  width: 170,
  least: 110,
  narrow: "below-main",
  filter: by.name,
  cell: ({ name }) => (name === "" ? <Missing /> : <CellName>{name}</CellName>),
});

const typeColumn = (by: By, head: string): UserColumn => ({
  key: "type",
  head,
  width: 130,
  least: 120,
  narrow: "below-end",
  filter: by.type,
  cell: ({ roleName }) => roleName,
});

/** The columns of CONFIGURATION-USER; without `operations` the list is read-only. (spec 2 §2) */
export const configureColumns = (by: By, operations: UserOperations | undefined): UserColumn[] => [
  statusColumn(by),
  accountColumn(by),
  {
    key: "phone",
    head: "PHONE",
    width: 120,
    filter: by.phone,
    cell: ({ cellNumber }) => cellNumber || <Missing />,
  },
  nameColumn(by),
  typeColumn(by, "TYPE"),
  {
    key: "created",
    head: "CREATED",
    width: 120,
    filter: by.created,
    cell: ({ createdTime }) => day(createdTime),
  },
  ...operationColumn<UserRow, UserOperations>(operations, { width: 116 }, (user, given) => (
    <OperationCell user={user} operations={given} />
  )),
];

const figures: UserColumn[] = [
  {
    key: "channels",
    head: "CHANNELS",
    width: 90,
    align: "end",
    cell: ({ channelNum }) => channelNum,
  },
  { key: "alerts", head: "ALERTS", width: 80, align: "end", cell: ({ alarmNum }) => alarmNum },
];

/** The columns of USERS. (spec 2 §2) */
export const userColumns = (by: By): UserColumn[] => [
  statusColumn(by),
  typeColumn(by, "USER TYPE"),
  nameColumn(by),
  accountColumn(by),
  {
    key: "login",
    head: "LAST LOGIN",
    width: 170,
    narrow: "action",
    filter: by.login,
    cell: ({ loginTime }) => (
      <>
        <span className={classes.wide}>{loginTime === null ? <Missing /> : dateTime(loginTime)}</span>
        <span className={classes.short}>
          <NarrowText>last login</NarrowText>
          {orMissing(loginTime, recentShort)}
        </span>
      </>
    ),
  },
  { key: "created", head: "CREATED", width: 170, cell: ({ createdTime }) => dateTime(createdTime) },
  ...figures,
];
