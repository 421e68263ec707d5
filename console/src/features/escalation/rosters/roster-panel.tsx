import { Select } from "@mantine/core";
import {
  IconAlertTriangle,
  IconArrowsExchange,
  IconChevronLeft,
  IconChevronRight,
  IconPencil,
  IconTrash,
} from "@tabler/icons-react";
import { type OnCall, type Roster, rosters } from "@telltale/contract/domains/alerting/escalation";
import { Role } from "@telltale/contract/permissions";
import { type Zone, zoneOf } from "@telltale/contract/text/wall-clock";
import { type ReactNode, useState } from "react";
import { Person } from "../../../domain/alerts/person.tsx";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { IconButton } from "../../../ui/control/icon-button.tsx";
import { OperationButton } from "../../../ui/operation-button.tsx";
import { ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import classes from "./roster-panel.module.css";
import { Swaps } from "./swaps.tsx";
import { dayClock, dutyAt, gapsOf, lengthText, weekOf, weekText } from "./week.ts";
import { WeekGrid } from "./week-grid.tsx";

const day = 86_400_000;

/** Who is on duty now, until when, and who is then. */
const OnDuty = ({ roster: { rosterId }, zone, now }: { roster: Roster; zone: Zone; now: number }): ReactNode => {
  const { data } = useCall(rosters.onCall, { rosterId, from: new Date(now), to: new Date(now + 7 * day) });
  if (!data) return <div className={classes.duty} />;
  const { people, until, next } = dutyAt(data, now);
  const isLong = until && until.getTime() >= now + 7 * day;
  const end = until && !isLong ? ` until ${dayClock(zone, until)}` : "";
  return (
    <div className={classes.duty}>
      {people.length === 0 ? (
        <span className={classes.nobody}>
          <IconAlertTriangle size={16} aria-hidden />
          <b>Nobody is on duty</b>
          {end}
        </span>
      ) : (
        <span className={classes.people}>
          {people.map(({ name }) => (
            <b key={name}>
              <Person name={name} />
            </b>
          ))}
          {people.length === 1 ? "is on duty" : "are on duty"}
          {end}
        </span>
      )}
      {next.length > 0 && (
        <span className={classes.then}>
          then{" "}
          {next.map(({ name }) => (
            <Person key={name} name={name} />
          ))}
        </span>
      )}
    </div>
  );
};

interface GapsProps {
  zone: Zone;
  spans: readonly OnCall[];
  now: number;
  /** Undefined for those who may not fill a gap. */
  onFill: ((gap: OnCall) => void) | undefined;
}

/** How long nobody is on call in the week, and what follows from that. */
const Gaps = ({ zone, spans, now, onFill }: GapsProps): ReactNode => {
  const gaps = gapsOf(spans);
  const [first] = gaps;
  if (!first) return null;
  const sum = gaps.reduce((total, { from, to }) => total + to.getTime() - from.getTime(), 0);
  const toFill = gaps.find(({ to }) => to.getTime() > now);
  const when =
    gaps.length === 1 ? `${dayClock(zone, first.from)} to ${dayClock(zone, first.to)}` : `${gaps.length} gaps`;
  return (
    <div className={classes.gaps} role="note">
      <IconAlertTriangle size={18} aria-hidden />
      <span>
        <b>{lengthText(sum)} without anybody</b>, {when}: the next step is notified at once.
      </span>
      {onFill && toFill && (
        <Button variant="default" size="xs" onClick={() => onFill(toFill)}>
          {gaps.length === 1 ? "Fill the gap" : "Fill a gap"}
        </Button>
      )}
    </div>
  );
};

/** What the panel's buttons do; undefined for those who may not. */
export interface RosterOperations {
  edit: ((roster: Roster) => void) | undefined;
  remove: ((roster: Roster) => void) | undefined;
  swap: ((roster: Roster, initial?: OnCall) => void) | undefined;
}

interface RosterPanelProps {
  all: readonly Roster[];
  roster: Roster;
  onChoose: (rosterId: number) => void;
  operations: RosterOperations;
  /** Epoch milliseconds, at a whole minute. */
  now: number;
}

const Title = ({ all, roster, onChoose }: Pick<RosterPanelProps, "all" | "roster" | "onChoose">) => (
  <>
    {all.length > 1 ? (
      <Select
        aria-label="Roster"
        size="xs"
        data={all.map(({ rosterId, rosterName }) => ({ value: String(rosterId), label: rosterName }))}
        value={String(roster.rosterId)}
        onChange={(id) => id !== null && onChoose(Number(id))}
        allowDeselect={false}
      />
    ) : (
      <h2>{roster.rosterName}</h2>
    )}
    <span className={classes.zone}>{roster.timeZoneId}</span>
  </>
);

/** A roster's week: who is on call when, the gaps, and the swaps. */
export const RosterPanel = ({ all, roster, onChoose, operations, now }: RosterPanelProps): ReactNode => {
  const { account } = useSession();
  const [weeks, setWeeks] = useState(0);
  const zone = zoneOf(roster.timeZoneId);
  const week = weekOf(zone, now, weeks);
  const times = { from: new Date(week[0]?.start ?? 0), to: new Date(week.at(-1)?.end ?? 0) };
  const { data, error, refetch } = useCall(rosters.onCall, { rosterId: roster.rosterId, ...times });
  const { edit, remove, swap } = operations;
  // An installer swaps only their own shifts, which a gap is not.
  const fill = account.roleType === Role.installer ? undefined : swap;
  return (
    <Panel>
      <div className={classes.head}>
        <Title all={all} roster={roster} onChoose={onChoose} />
        <span className={classes.week}>
          <IconButton aria-label="Previous week" onClick={() => setWeeks(weeks - 1)}>
            <IconChevronLeft size={16} aria-hidden />
          </IconButton>
          <b aria-live="polite">{weekText(week)}</b>
          <IconButton aria-label="Next week" onClick={() => setWeeks(weeks + 1)}>
            <IconChevronRight size={16} aria-hidden />
          </IconButton>
          <Button variant="default" size="xs" onClick={() => setWeeks(0)}>
            Today
          </Button>
        </span>
        {swap && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowsExchange size={16} aria-hidden />}
            onClick={() => swap(roster)}
          >
            Swap a shift
          </Button>
        )}
        {edit && <OperationButton label={`Edit ${roster.rosterName}`} icon={IconPencil} onClick={() => edit(roster)} />}
        {remove && (
          <OperationButton label={`Delete ${roster.rosterName}`} icon={IconTrash} onClick={() => remove(roster)} />
        )}
      </div>
      <OnDuty roster={roster} zone={zone} now={now} />
      {!data && error && <ErrorState error={error} onRetry={refetch} />}
      <WeekGrid zone={zone} week={week} spans={data ?? []} now={now} />
      <Gaps zone={zone} spans={data ?? []} now={now} onFill={fill && ((gap) => fill(roster, gap))} />
      <Swaps roster={roster} zone={zone} />
    </Panel>
  );
};
