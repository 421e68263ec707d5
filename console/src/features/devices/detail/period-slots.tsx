import { type Icon, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { LogGroup } from "@telltale/contract/domains/channels";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import classes from "./period-slots.module.css";

/** Number of settings periods visible at a time. (spec 1 §9) */
const visibleSlots = 3;

/** The visible periods, oldest first, when the newest visible one is at `offset` in the list, which is newest first. */
export const slotsAt = <T,>(periods: T[], offset: number): T[] =>
  periods.slice(offset, offset + visibleSlots).reverse();

/** The offset one period earlier or later, clamped to the ends of the list. */
export const movedBy = (offset: number, step: number, count: number): number =>
  Math.max(0, Math.min(offset + step, Math.max(0, count - visibleSlots)));

/** The offset at which the period at `index` is visible, with the smallest possible move. */
export const offsetShowing = (index: number, offset: number): number => {
  if (index < offset) return index;
  return index >= offset + visibleSlots ? index - visibleSlots + 1 : offset;
};

interface PeriodSlotsProps {
  /** Newest first. */
  periods: LogGroup[];
  chosen: LogGroup;
  zone: Zone;
  onChoose: (period: LogGroup) => void;
  /** Called when the loaded periods run out. */
  onMore: () => void;
}

interface SlotProps {
  period: LogGroup;
  isChosen: boolean;
  /** Whether Tab stops here; the arrow keys reach the others. */
  isEntry: boolean;
  zone: Zone;
  onChoose: () => void;
}

const Slot = ({ period, isChosen, isEntry, zone, onChoose }: SlotProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a slot looks like a button and behaves like a radio button
  <button
    type="button"
    role="radio"
    aria-checked={isChosen}
    tabIndex={isEntry ? 0 : -1}
    data-period={period.logGroupId}
    className={classes.slot}
    onClick={onChoose}
  >
    <span>{zone.stamp(period.startTime)} ~</span> <span>{period.endTime ? zone.stamp(period.endTime) : "NOW"}</span>
  </button>
);

interface ArrowProps {
  icon: Icon;
  label: string;
  isAtEnd: boolean;
  onClick: () => void;
}

const Arrow = ({ icon: ArrowIcon, label, isAtEnd, onClick }: ArrowProps) => (
  <button type="button" className={classes.arrow} aria-label={label} disabled={isAtEnd} onClick={onClick}>
    <ArrowIcon size={18} stroke={2} aria-hidden />
  </button>
);

const steps: Readonly<Record<string, number>> = { ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1 };

/** The visible periods, and selection by arrow keys among all of them. */
const useSlots = ({ periods, chosen, onChoose, onMore }: PeriodSlotsProps) => {
  const [offset, setOffset] = useState(0);
  const group = useRef<HTMLDivElement>(null);
  const isByKey = useRef(false);

  // Moves the focus with a selection by key.
  useEffect(() => {
    if (!isByKey.current) return;
    isByKey.current = false;
    group.current?.querySelector<HTMLElement>(`[data-period="${chosen.logGroupId}"]`)?.focus();
  }, [chosen]);

  const move = (step: number) => {
    const next = movedBy(offset, step, periods.length);
    setOffset(next);
    if (next + 2 * visibleSlots > periods.length) onMore();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = periods.findIndex(({ logGroupId }) => logGroupId === chosen.logGroupId) + (steps[event.key] ?? 0);
    const next = periods[index];
    if (steps[event.key] === undefined) return;
    event.preventDefault();
    if (!next) return;
    isByKey.current = true;
    setOffset(offsetShowing(index, offset));
    if (index + visibleSlots > periods.length) onMore();
    onChoose(next);
  };
  return { offset, group, move, onKeyDown };
};

/** The settings periods of a channel, three at a time, the newest at the right. (spec 1 §2) */
export const PeriodSlots = (props: PeriodSlotsProps) => {
  const { periods, chosen, zone, onChoose } = props;
  const { offset, group, move, onKeyDown } = useSlots(props);
  const visible = slotsAt(periods, offset);
  // Three or fewer do not scroll.
  const slides = periods.length > visibleSlots;
  // Tab must reach a slot even when the selected one is out of view.
  const entry = visible.find(({ logGroupId }) => logGroupId === chosen.logGroupId) ?? visible.at(-1);
  return (
    <div className={classes.slots} data-slides={slides || undefined}>
      {slides && (
        <Arrow
          icon={IconChevronLeft}
          label="Earlier periods"
          isAtEnd={offset + visibleSlots >= periods.length}
          onClick={() => move(1)}
        />
      )}
      <div
        ref={group}
        className={classes.group}
        data-slots={visible.length}
        role="radiogroup"
        aria-label="Settings periods"
        onKeyDown={onKeyDown}
      >
        {visible.map((period) => (
          <Slot
            key={period.logGroupId}
            period={period}
            isChosen={period.logGroupId === chosen.logGroupId}
            isEntry={period === entry}
            zone={zone}
            onChoose={() => onChoose(period)}
          />
        ))}
      </div>
      {slides && (
        <Arrow icon={IconChevronRight} label="Later periods" isAtEnd={offset === 0} onClick={() => move(-1)} />
      )}
    </div>
  );
};
