import { type SupportViewRow, signIns } from "@telltale/contract/domains/people/sign-ins";
import { type Column, NarrowText } from "../../../table/column.tsx";
import { ListScreen } from "../../../table/list-screen.tsx";
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
      <span className={classes.text}>
        <NarrowText>by</NarrowText>
        {openedBy}
      </span>
    ),
  },
  {
    key: "as",
    head: "AS",
    width: 200,
    narrow: "below-main",
    cell: ({ email }) => (
      <span className={classes.text} title={email}>
        <NarrowText>as</NarrowText>
        {email}
      </span>
    ),
  },
  {
    key: "address",
    head: "ADDRESS",
    width: 150,
    cell: ({ address }) => <span className={classes.text}>{address}</span>,
  },
];

/** Support views of the plant: when, opened by whom, and the user that support viewed as. (decisions §5) */
export const SupportViews = () => {
  const pages = usePages(signIns.supportViews, filters);
  return (
    <section>
      <h2 className={classes.title}>Support views</h2>
      <ListScreen
        label="Support views"
        pages={pages}
        columns={columns}
        rowKey={rowKey}
        empty="Support has never viewed this plant"
      />
    </section>
  );
};
