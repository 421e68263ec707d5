import { Select } from "@mantine/core";
import { type OnCall, type Roster, rosters } from "@telltale/contract/domains/alerting/escalation";
import { Role } from "@telltale/contract/permissions";
import { type Zone, zoneOf } from "@telltale/contract/text/wall-clock";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { FormMessage } from "../../../form/form-message.tsx";
import { fieldClasses, validationError } from "../../../form/text-field.tsx";
import { useSession } from "../../../session/session.ts";
import { useAction, useCall } from "../../../session/use-call.ts";
import { TextInput } from "../../../ui/control/text-input.tsx";
import { SubmitDialog } from "../../../ui/dialog/submit-dialog.tsx";
import { changedByRoster } from "../changed-calls.ts";
import type { OnCallPerson } from "./shift-fields.tsx";
import classes from "./swap-dialog.module.css";
import { dateClock, endText } from "./week.ts";

/** Days ahead in which shifts are offered. */
const ahead = 14;
const day = 86_400_000;

/** A moment as an input of date and time shows it, in the roster's time zone. */
const typed = (zone: Zone, moment: Date): string => zone.stamp(moment).slice(0, 16).replace(" ", "T");

const shiftText = (zone: Zone, { from, to, accountId, name }: OnCall): string =>
  `${dateClock(zone, from)} to ${endText(zone, to)}, ${accountId === null ? "nobody" : name}`;

interface SwapDialogProps {
  roster: Roster;
  people: readonly OnCallPerson[];
  /** The time to begin with, such as a gap. */
  initial: { from: Date; to: Date } | undefined;
  /** Epoch milliseconds, at a whole minute. */
  now: number;
  isOpen: boolean;
  onClose: () => void;
}

/** The shifts and gaps that begin in the next two weeks; of an installer their own. */
const useShifts = ({ rosterId }: Roster, now: number, isOpen: boolean): OnCall[] => {
  const { account } = useSession();
  const times = { from: new Date(now), to: new Date(now + ahead * day) };
  const { data = [] } = useCall(rosters.onCall, { rosterId, ...times }, { enabled: isOpen });
  const isOwn = account.roleType === Role.installer;
  return data.filter(({ accountId }) => !isOwn || accountId === account.accountId);
};

/** Has somebody take the roster for a time. Give it a new key at each opening. */
export const SwapDialog = ({ roster, people, initial, now, isOpen, onClose }: SwapDialogProps): ReactNode => {
  const formId = useId();
  const zone = zoneOf(roster.timeZoneId);
  const [begun] = useState(now);
  const shifts = useShifts(roster, begun, isOpen);
  const [from, setFrom] = useState(initial ? typed(zone, initial.from) : "");
  const [to, setTo] = useState(initial ? typed(zone, initial.to) : "");
  const [accountId, setAccountId] = useState<number>();
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending, error } = useAction(rosters.swap, {
    ...{ success: "Shift swapped", invalidates: changedByRoster, onDone: onClose, isQuiet: true },
  });
  const [begin, end] = [zone.moment(from), zone.moment(to)];
  const chosen = shifts.findIndex((shift) => typed(zone, shift.from) === from && typed(zone, shift.to) === to);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (begin && end && accountId !== undefined) mutate({ rosterId: roster.rosterId, accountId, from: begin, to: end });
  };
  const choose = (at: string | null) => {
    const shift = shifts[Number(at)];
    if (!shift) return;
    setFrom(typed(zone, shift.from));
    setTo(typed(zone, shift.to));
  };
  const missing = (value: unknown, sentence: string) =>
    isAsked && value === undefined ? validationError(sentence) : undefined;
  return (
    <SubmitDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Swap a shift"
      formId={formId}
      action="Swap"
      isBusy={isPending}
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Select
          label="Shift"
          description={shifts.length === 0 ? "None in the next 14 days" : "Or enter the times below"}
          data={shifts.map((shift, at) => ({ value: String(at), label: shiftText(zone, shift) }))}
          value={chosen === -1 ? null : String(chosen)}
          onChange={choose}
          disabled={shifts.length === 0}
          allowDeselect={false}
          classNames={fieldClasses}
        />
        <div className={classes.times}>
          <TextInput
            type="datetime-local"
            label="From"
            value={from}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
            error={missing(begin, "Enter when it begins")}
            classNames={fieldClasses}
          />
          <TextInput
            type="datetime-local"
            label="To"
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
            error={missing(end, "Enter when it ends")}
            classNames={fieldClasses}
          />
        </div>
        <p className={classes.zone}>Times of {roster.timeZoneId}.</p>
        <Select
          label="Who takes it"
          placeholder="User"
          data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={accountId === undefined ? null : String(accountId)}
          onChange={(id) => setAccountId(id === null ? undefined : Number(id))}
          searchable
          allowDeselect={false}
          error={missing(accountId, "Choose who takes the shift")}
          classNames={fieldClasses}
        />
        <FormMessage>{error?.message}</FormMessage>
      </form>
    </SubmitDialog>
  );
};
