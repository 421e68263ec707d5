import { IconAlertTriangle } from "@tabler/icons-react";
import type { OnCall } from "@telltale/contract/domains/alerting/escalation";
import type { Zone } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import { initialsOf } from "../../../domain/alerts/initials.ts";
import { type Block, blocksOf, endText, type WeekDay } from "./week.ts";
import classes from "./week-grid.module.css";

const hours = [0, 3, 6, 9, 12, 15, 18, 21];
const percent = (share: number): string => `${share * 100}%`;

/** When a block begins and ends on its day. */
const timesOf = (zone: Zone, { start, end }: WeekDay, { from, to }: OnCall): string => {
  const begin = from.getTime() < start ? "00:00" : zone.clock(from);
  return `${begin} to ${to.getTime() >= end ? "24:00" : endText(zone, to)}`;
};

interface ShiftProps {
  zone: Zone;
  day: WeekDay;
  block: Block;
  now: number;
}

const Shift = ({ zone, day, block, now }: ShiftProps): ReactNode => {
  const { span, left, width, lane } = block;
  const { accountId, name, insteadOf } = span;
  const isNow = accountId !== null && span.from.getTime() <= now && span.to.getTime() > now;
  const times = timesOf(zone, day, span);
  const kind = accountId === null ? "gap" : isNow ? "now" : insteadOf === null ? "shift" : "swap";
  const instead = insteadOf === null ? "" : `for ${insteadOf}`;
  const style = { left: percent(left), width: `calc(${percent(width)} - 3px)`, "--lane": lane };
  const text = accountId === null ? `Gap ${times}` : [name, instead, isNow && "on duty"].filter(Boolean).join(", ");
  return (
    <li
      className={classes.shift}
      data-kind={kind}
      data-narrow={(accountId !== null && width < 0.1) || undefined}
      data-swapped={insteadOf === null ? undefined : true}
      style={style}
      title={accountId === null ? text : `${text}, ${times}`}
    >
      {accountId === null ? (
        <>
          <IconAlertTriangle size={15} aria-hidden />
          <span className={classes.name}>{text}</span>
        </>
      ) : (
        <>
          <span className={classes.initials} aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span className={classes.name}>{name}</span>
          <span className={classes.times}>{times}</span>
          {(instead || isNow) && <em>{[instead, isNow && "on duty"].filter(Boolean).join(", ")}</em>}
        </>
      )}
    </li>
  );
};

interface WeekGridProps {
  zone: Zone;
  week: readonly WeekDay[];
  spans: readonly OnCall[];
  now: number;
}

/** A roster's week: a row for each day, people as grey blocks, gaps amber. */
export const WeekGrid = ({ zone, week, spans, now }: WeekGridProps): ReactNode => (
  <div className={classes.grid}>
    <div className={classes.hours} aria-hidden="true">
      {hours.map((hour) => (
        <span key={hour}>{`${String(hour).padStart(2, "0")}:00`}</span>
      ))}
    </div>
    {week.map((day) => {
      const blocks = blocksOf(zone, day, spans);
      const lanes = Math.max(1, ...blocks.map(({ lane }) => lane + 1));
      const isToday = day.start <= now && day.end > now;
      const line = (now + zone.offset(now) - day.wall) / 86_400_000;
      return (
        <div key={day.wall} className={classes.row}>
          <div className={classes.day} data-today={isToday || undefined}>
            {day.name}
            <span>{day.date}</span>
          </div>
          <ul className={classes.shifts} style={{ "--lanes": lanes }} aria-label={`${day.name} ${day.date}`}>
            {blocks.map((block) => (
              <Shift
                key={`${block.span.from.getTime()} ${block.span.accountId}`}
                zone={zone}
                day={day}
                block={block}
                now={now}
              />
            ))}
            {isToday && <li aria-hidden="true" className={classes.now} style={{ left: percent(line) }} />}
          </ul>
        </div>
      );
    })}
  </div>
);
