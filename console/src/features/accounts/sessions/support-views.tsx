import { type SupportViewRow, signIns } from "@telltale/contract/domains/people/sign-ins";
import { CellText, type Column, NarrowText } from "../../../table/column.tsx";
import { ListSection } from "../../../table/list-page.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { dateTime, recent } from "../../../ui/format/time.ts";
import classes from "./sign-ins.module.css";

const rowKey = ({ supportViewId }: SupportViewRow) => supportViewId;
const filters = {};

const columns: Column<SupportViewRow>[] = [
  {
    key: "opened",
    head: "OPENED",
    width: 160,
    narrow: "top-main",
    cell: ({ openedTime }) => <b className={classes.name}>{dateTime(openedTime)}</b>,
  },
  {
    key: "ends",
    head: "UNTIL",
    width: 160,
    narrow: "top-end",
    cell: ({ endsTime }) => (
      <span>
        <NarrowText>until</NarrowText>
        {recent(endsTime)}
      </span>
    ),
  },
  {
    key: "by",
    head: "OPENED BY",
    width: 180,
    narrow: "below",
    cell: ({ openedBy }) => (
      <CellText>
        <NarrowText>by</NarrowText>
        {openedBy}
      </CellText>
    ),
  },
  {
    key: "as",
    head: "AS",
    width: 200,
    narrow: "below-main",
    cell: ({ email }) => (
      <CellText title={email}>
        <NarrowText>as</NarrowText>
        {email}
      </CellText>
    ),
  },
  {
    key: "address",
    head: "ADDRESS",
    width: 150,
    cell: ({ address }) => <CellText>{address}</CellText>,
  },
];

/** Support views of the plant: when, opened by whom, and the user that support viewed as. (decisions §5) */
export const SupportViews = () => {
  const pages = usePages(signIns.supportViews, filters);
  return (
    <ListSection
      title="Support views"
      label="Support views"
      pages={pages}
      columns={columns}
      rowKey={rowKey}
      empty="Support has never viewed this plant"
    />
  );
};
