import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { count } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import { useUnconfirmed } from "../../session/live/use-unconfirmed.ts";
import { useCall } from "../../session/use-call.ts";
import { Link } from "../../ui/router/link.tsx";
import classes from "./alert-views.module.css";
import { useLiveLists } from "./live/use-live-lists.ts";

/** Rows per page of what stands: nearly always all of it, so that live messages can tell what becomes of it. What follows a row that ends is known then. */
export const standingSize = 200;

/** The first page of what stands, without filters: its total is the number on the switch, and the list starts with it. */
export const useStanding = () =>
  useCall(alertEntries.standing, { page: 1, size: standingSize }, { meta: { quiet: true } });

interface AlertViewsProps {
  view: "unconfirmed" | "standing" | "all";
  /** The note about what came and went. */
  passed: ReactNode;
}

/** The switch of the ALERT page: the unconfirmed alerts, those that stand, or all of the log. */
export const AlertViews = ({ view, passed }: AlertViewsProps): ReactNode => {
  useLiveLists(alertEntries.standing);
  const { data } = useStanding();
  const { label, isPending, isUnknown } = useUnconfirmed();
  const current = (which: AlertViewsProps["view"]) => (view === which ? { "aria-current": "page" as const } : {});
  return (
    <>
      <nav className={classes.views} aria-label="Alerts shown">
        <Link to="/alarms" search={{ view: "unconfirmed" }} {...current("unconfirmed")}>
          Unconfirmed {!isPending && !isUnknown && <b>{label}</b>}
        </Link>
        <Link to="/alarms" search={{ view: "standing" }} {...current("standing")}>
          Standing {data && <b>{count(data.total)}</b>}
        </Link>
        <Link to="/alarms" search={{}} {...current("all")}>
          All
        </Link>
      </nav>
      {passed}
    </>
  );
};
