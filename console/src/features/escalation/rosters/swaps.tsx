import { type Roster, rosters, type Swap } from "@telltale/contract/domains/alerting/escalation";
import type { Zone } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import { Person } from "../../../domain/alerts/person.tsx";
import { useConfirmedAction } from "../../../form/use-confirmed-action.tsx";
import { Button } from "../../../ui/control/button.tsx";
import { changedByRoster } from "../changed-calls.ts";
import classes from "./roster-panel.module.css";
import { dateClock, dayClock } from "./week.ts";

const timesOf = (zone: Zone, { from, to }: Swap): string => {
  const isOneDay = zone.day(from) === zone.day(to.getTime() - 1);
  return `${dateClock(zone, from)} to ${isOneDay ? dayClock(zone, to).slice(4) : dateClock(zone, to)}`;
};

const takes = ({ insteadOf }: Swap): string => (insteadOf === "" ? "fills a gap" : `takes the shift of ${insteadOf}`);

/** The swaps that have not ended, to take back. */
export const Swaps = ({ roster, zone }: { roster: Roster; zone: Zone }): ReactNode => {
  const { ask, dialog } = useConfirmedAction({
    call: rosters.endSwap,
    inputOf: ({ swapId }: Swap) => ({ swapId }),
    invalidates: changedByRoster,
    success: "Swap taken back",
    title: () => "Take back swap",
    action: () => "Take back",
    question: (swap) => (
      <>
        Are you sure that you want to take back this swap?
        <p>
          <b>{swap.name}</b>, {timesOf(zone, swap)}. The shifts of the roster count again.
        </p>
      </>
    ),
  });
  return (
    <>
      {roster.swaps.length > 0 && (
        <ul className={classes.swaps} aria-label="Swaps">
          {roster.swaps.map((swap) => (
            <li key={swap.swapId}>
              <Person name={swap.name} />
              <span>
                {takes(swap)}, {timesOf(zone, swap)}
              </span>
              {swap.mayEnd && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Take back the swap of ${swap.name}, ${timesOf(zone, swap)}`}
                  onClick={() => ask(swap)}
                >
                  Take back
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {dialog}
    </>
  );
};
