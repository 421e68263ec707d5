import { Switch } from "@mantine/core";
import { IconArrowsMove, IconPencil, IconTrash } from "@tabler/icons-react";
import { type DashboardRow, DashboardStatus } from "@telltale/contract/domains/dashboard/dashboards";
import { CellName, CellText, type Column, NarrowText, operationColumn } from "../../../table/column.tsx";
import type { FilterInForce } from "../../../table/filters/use-filters.ts";
import { Missing } from "../../../ui/format/missing.tsx";
import { dateTime, day } from "../../../ui/format/time.ts";
import { OperationButton, Operations } from "../../../ui/operation-button.tsx";
import classes from "./configure.module.css";
import type { dashboardFilters } from "./dashboard-filters.ts";

type Operation = (dashboard: DashboardRow) => void;
type DashboardColumn = Column<DashboardRow>;

/** Row operations of a dashboard. */
export interface DashboardOperations {
  edit: Operation;
  arrange: Operation;
  remove: Operation;
  makeDefault: Operation;
}

interface DefaultCellProps {
  dashboard: DashboardRow;
  makeDefault: Operation | undefined;
}

/** Another dashboard can become the default; the default itself cannot be switched off. */
const DefaultCell = ({ dashboard, makeDefault }: DefaultCellProps) => {
  const isDefault = dashboard.status === DashboardStatus.standard;
  if (!makeDefault) return isDefault ? "Default" : <Missing />;
  return (
    <Switch
      className={classes.switch}
      aria-label={`Default: ${dashboard.name}`}
      title={isDefault ? "To change it, make another dashboard the default" : "Make it the default"}
      checked={isDefault}
      disabled={isDefault}
      onChange={() => makeDefault(dashboard)}
    />
  );
};

const Moment = ({ moment, word }: { moment: Date; word?: string }) => (
  <time dateTime={moment.toISOString()} title={dateTime(moment)}>
    {word && <NarrowText>{word}</NarrowText>}
    <span className={classes.wide}>{dateTime(moment)}</span>
    <span className={classes.short}>{day(moment)}</span>
  </time>
);

/** The columns of the dashboards; `operations` are absent in a read-only view. (spec 2 §2) */
export const dashboardColumns = (
  by: Readonly<Record<keyof typeof dashboardFilters, FilterInForce>>,
  operations: DashboardOperations | undefined,
): DashboardColumn[] => [
  {
    key: "name",
    head: "NAME",
    width: 180,
    narrow: "top-main",
    filter: by.name,
    cell: ({ name }) => <CellName>{name}</CellName>,
  },
  {
    key: "notes",
    head: "NOTES",
    width: 220,
    least: 150,
    narrow: "below-main",
    cell: ({ notes }) => (notes === "" ? <Missing /> : <CellText title={notes}>{notes}</CellText>),
  },
  {
    key: "default",
    head: "DEFAULT",
    width: 90,
    narrow: "top-end",
    cell: (dashboard) => <DefaultCell dashboard={dashboard} makeDefault={operations?.makeDefault} />,
  },
  {
    key: "created",
    head: "CREATED",
    width: 160,
    filter: by.created,
    cell: ({ createdTime }) => <Moment moment={createdTime} />,
  },
  {
    key: "modified",
    head: "MODIFIED",
    width: 160,
    narrow: "below-end",
    cell: ({ modifiedTime }) => <Moment moment={modifiedTime} word="modified" />,
  },
  {
    key: "createdBy",
    head: "CREATED BY",
    width: 140,
    cell: ({ createdBy }) => (createdBy === "" ? <Missing /> : <CellText title={createdBy}>{createdBy}</CellText>),
  },
  ...operationColumn<DashboardRow, DashboardOperations>(
    operations,
    { width: 120, pin: "end" },
    (dashboard, { edit, arrange, remove }) => (
      <Operations>
        <OperationButton label={`Edit ${dashboard.name}`} icon={IconPencil} onClick={() => edit(dashboard)} />
        <OperationButton label={`Arrange ${dashboard.name}`} icon={IconArrowsMove} onClick={() => arrange(dashboard)} />
        <OperationButton label={`Delete ${dashboard.name}`} icon={IconTrash} onClick={() => remove(dashboard)} />
      </Operations>
    ),
  ),
];
