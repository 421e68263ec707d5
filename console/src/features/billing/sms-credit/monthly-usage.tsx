import { Select } from "@mantine/core";
import { type SmsUsage, sms } from "@telltale/contract/domains/billing";
import { count } from "@telltale/contract/text/counted";
import { type ReactNode, useMemo } from "react";
import type { Column } from "../../../table/column.tsx";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { text, useSearchOf } from "../../../ui/page/search.ts";
import { useNavigate } from "../../../ui/router/hooks.ts";
import { serverNow } from "../../../ui/server-time.ts";
import classes from "./monthly-usage.module.css";

/** `2026-11` as `November 2026`. */
const monthName = (month: string): string =>
  new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

const columns: Column<SmsUsage>[] = [
  {
    key: "time",
    head: "DATE",
    width: 240,
    narrow: "top-main",
    cell: ({ time }) => <time dateTime={time}>{monthName(time)}</time>,
  },
  { key: "num", head: "USAGE", width: 140, narrow: "top-end", align: "end", cell: ({ num }) => `${count(num)} SMS` },
];

/** Number of past years that can be selected. */
const yearsBack = 10;

const thisYear = (): number => new Date(serverNow()).getFullYear();

/** Address parameters of the usage list. */
const usageSearch = { year: text };

const useYear = (): [number, (year: number) => void] => {
  const { year = "" } = useSearchOf(usageSearch);
  const navigate = useNavigate();
  const now = thisYear();
  const chosen = /^\d{4}$/.test(year) ? Number(year) : now;
  const choose = (next: number) =>
    void navigate({ to: ".", search: next === now ? {} : { year: String(next) }, replace: true });
  return [chosen, choose];
};

/** SMS used per month of a year. */
export const MonthlyUsage = (): ReactNode => {
  const [year, choose] = useYear();
  const filters = useMemo(() => ({ year }), [year]);
  const pages = usePages(sms.usage, filters);
  const years = Array.from({ length: yearsBack }, (_, back) => String(thisYear() - back));
  return (
    <>
      <Select
        label="Year"
        className={classes.year ?? ""}
        data={years}
        value={String(year)}
        allowDeselect={false}
        onChange={(next) => choose(Number(next))}
      />
      <ListScreen
        label="Monthly usage records"
        pages={pages}
        columns={columns}
        rowKey={({ time }) => time}
        empty={`No SMS were used in ${year}`}
      />
    </>
  );
};
