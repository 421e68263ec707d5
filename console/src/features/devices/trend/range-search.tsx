import { DateTimePicker } from "@mantine/dates";
import { IconCalendar, IconSearch } from "@tabler/icons-react";
import { dayOn, dayText, type Zone } from "@telltale/contract/text/wall-clock";
import { type FormEvent, useState } from "react";
import { validationError } from "../../../form/text-field.tsx";
import { Button } from "../../../ui/control/button.tsx";
import { useCloseOnBack } from "../../../ui/router/hooks.ts";
import { serverNow } from "../../../ui/server-time.ts";
import { useIsPhone } from "../../../ui/use-is-phone.ts";
import { type Range, type RangeText, rangeError, rangeOf } from "../readings/range.ts";
import classes from "./range-search.module.css";

/** The shown range of a settings period, or of a window up to now. */
export interface SlotRange extends Range {
  /** It follows the present: searching for it always means the last readings. */
  isLatest: boolean;
}

interface RangeSearchProps {
  /** The searched range; without one, the last 24 hours are shown. */
  range: Range | undefined;
  /** The shown range, instead; it may move on with the readings. */
  slot: SlotRange | undefined;
  zone: Zone;
  onSearch: (range: Range | undefined) => void;
}

const textOf = ({ start, end }: Range, zone: Zone): [string, string] => [zone.stamp(start), zone.stamp(end)];

const isSame = (a: RangeText, b: RangeText): boolean => a[0] === b[0] && a[1] === b[1];

const day = 24 * 60 * 60 * 1000;

const last24Of = (now: number, zone: Zone) => textOf({ start: new Date(now - day), end: new Date(now) }, zone);

/** Presets. All but the first extend to the end of today, so that new readings are included. */
const presetsOf = (last24: [string, string], zone: Zone) => {
  const today = dayOn(zone, serverNow());
  const since = (days: number): [string, string] => [`${dayText(today - days)} 00:00:00`, `${dayText(today)} 23:59:59`];
  return [
    { label: "Last 24 hours", value: last24 },
    { label: "Today", value: since(0) },
    { label: "Last 7 days", value: since(6) },
    { label: "Last 30 days", value: since(29) },
    { label: "Last 365 days", value: since(364) },
  ];
};

/** Whether the calendar is open: Back closes it. The picker has no way to be closed from outside but to be made anew. */
const useCalendar = () => {
  const [isOpen, setOpen] = useState(false);
  const [closings, setClosings] = useState(0);
  useCloseOnBack(isOpen, () => {
    setOpen(false);
    setClosings((count) => count + 1);
  });
  return { closings, onOpened: () => setOpen(true), onClosed: () => setOpen(false) };
};

/** The range of the whole screen, in the device's time zone. Searching for the last 24 hours always means the most recent ones. */
export const RangeSearch = ({ range, slot, zone, onSearch }: RangeSearchProps) => {
  const [last24] = useState(() => last24Of(serverNow(), zone));
  const given = slot ?? range;
  const first = given ? textOf(given, zone) : last24;
  const [typed, setTyped] = useState<RangeText>();
  const text = typed ?? first;
  const [wrong, setWrong] = useState<string>();
  const isPhone = useIsPhone();
  const calendar = useCalendar();

  const search = (event: FormEvent) => {
    event.preventDefault();
    const found = rangeError(text, zone);
    setWrong(found);
    if (found) return;
    const isLatest = isSame(text, last24) || (slot?.isLatest && isSame(text, first));
    // A slot ends within a second: rounded to text it would reach into the next one.
    onSearch(isLatest ? undefined : slot && isSame(text, first) ? slot : rangeOf(text, zone));
  };
  return (
    <form className={classes.form} onSubmit={search} noValidate>
      <DateTimePicker
        key={calendar.closings}
        type="range"
        size="xs"
        aria-label={`Date range ${text.join(" ~ ")}, time zone ${zone.name}`}
        placeholder="Start date ~ End date"
        className={classes.field}
        value={text}
        valueFormat="YYYY-MM-DD HH:mm:ss"
        labelSeparator="~"
        withSeconds
        // Red is reserved for equipment, so Sundays are not red.
        weekendDays={[]}
        allowSingleDateInRange
        presets={presetsOf(last24, zone)}
        dropdownType={isPhone ? "modal" : "popover"}
        clearable
        clearButtonProps={{ "aria-label": "Clear date range" }}
        leftSection={<IconCalendar size={17} stroke={1.6} aria-hidden />}
        error={validationError(wrong)}
        modalProps={{ yOffset: 72, classNames: { content: classes.sheet }, onExitTransitionEnd: calendar.onClosed }}
        onClick={calendar.onOpened}
        onDropdownClose={calendar.onClosed}
        classNames={classes}
        onChange={([start, end]) => {
          setTyped([start, end]);
          setWrong(undefined);
        }}
      />
      <Button type="submit" size="xs" leftSection={<IconSearch size={17} stroke={1.8} aria-hidden />}>
        Search
      </Button>
    </form>
  );
};
