import { Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type Roster, rosterBounds, rosters } from "@telltale/contract/domains/alerting/escalation";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { MergeGroup } from "../../../form/merge.ts";
import { fieldClasses, TextField, validationError } from "../../../form/text-field.tsx";
import { useMergedSave } from "../../../form/use-merged-save.tsx";
import { useAction, useRead } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { SubmitDialog } from "../../../ui/dialog/submit-dialog.tsx";
import { changedByRoster } from "../changed-calls.ts";
import classes from "./roster-dialog.module.css";
import {
  fieldsOfRoster,
  newShift,
  type RosterDraft,
  type RosterFields,
  rosterDraftOf,
  rosterErrors,
} from "./roster-draft.ts";
import { type OnCallPerson, ShiftFields } from "./shift-fields.tsx";

const groups: MergeGroup<RosterFields, Roster>[] = [
  { label: "Name of the roster", keys: ["rosterName"], text: ({ rosterName }) => rosterName },
  { label: "Time zone", keys: ["timeZoneId"], text: ({ timeZoneId }) => timeZoneId },
  {
    label: "Shifts",
    keys: ["shifts"],
    isOrdered: true,
    text: ({ shifts }, row) => `${shifts.length} shifts${row ? "" : ", as in the form"}`,
  },
];

const fieldsOf = (roster: Roster): RosterFields => fieldsOfRoster(rosterDraftOf(roster));

/** Saves; on a conflict the other user's changes are shown beside the form's. */
const useSave = (roster: Roster | undefined, onSaved: (rosterId: number | undefined) => void) => {
  const add = useAction(rosters.add, { success: "Add success", invalidates: changedByRoster });
  const update = useAction(rosters.update, { success: "Modify successful", invalidates: changedByRoster });
  const read = useRead(rosters.list);
  const isBusy = add.isPending || update.isPending;
  const { save, dialog } = useMergedSave<RosterFields, Roster>({
    opened: roster,
    fieldsOf,
    groups,
    read: async () => (await read({})).find(({ rosterId }) => rosterId === roster?.rosterId),
    invalidates: changedByRoster,
    send: (fields, version, onError) => {
      if (!roster) return add.mutate(fields, { onSuccess: ({ rosterId }) => onSaved(rosterId) });
      const { rosterId } = roster;
      update.mutate(
        { ...fields, rosterId, ...(version !== undefined && { version }) },
        { onSuccess: () => onSaved(rosterId), onError },
      );
    },
    isBusy,
    onGone: () => onSaved(undefined),
  });
  return { save, review: dialog, isBusy };
};

interface ShiftsProps {
  draft: RosterDraft;
  people: readonly OnCallPerson[];
  errors: Readonly<Record<string, string>>;
  onChange: (draft: RosterDraft) => void;
}

const Shifts = ({ draft, people, errors, onChange }: ShiftsProps) => {
  const set = (shifts: RosterDraft["shifts"]) => onChange({ ...draft, shifts });
  const next = Math.max(-1, ...draft.shifts.map(({ key }) => key)) + 1;
  return (
    <>
      {draft.shifts.map((shift, index) => (
        <ShiftFields
          key={shift.key}
          shift={shift}
          number={index + 1}
          people={people}
          errors={errors}
          onChange={(changed) => set(draft.shifts.map((each) => (each.key === shift.key ? changed : each)))}
          onRemove={() => set(draft.shifts.filter(({ key }) => key !== shift.key))}
        />
      ))}
      {draft.shifts.length < rosterBounds.shifts && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => set([...draft.shifts, newShift(next)])}
        >
          Add shift
        </Button>
      )}
    </>
  );
};

interface RosterDialogProps {
  /** Undefined creates a new one. */
  roster: Roster | undefined;
  people: readonly OnCallPerson[];
  isOpen: boolean;
  onClose: () => void;
  /** Undefined: it has been deleted. */
  onSaved: (rosterId: number | undefined) => void;
}

/** Adds or edits a roster. Give it a new key at each opening. */
export const RosterDialog = ({ roster, people, isOpen, onClose, onSaved }: RosterDialogProps): ReactNode => {
  const formId = useId();
  const [draft, setDraft] = useState(() => rosterDraftOf(roster));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const { save, review, isBusy } = useSave(roster, (rosterId) => {
    onClose();
    onSaved(rosterId);
  });
  const change = (next: RosterDraft) => {
    setDraft(next);
    setErrors({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = rosterErrors(draft, people);
    setErrors(found);
    if (Object.keys(found).length === 0) save(fieldsOfRoster(draft));
  };
  return (
    <SubmitDialog
      isOpen={isOpen}
      onClose={onClose}
      title={roster ? "Edit roster" : "Add roster"}
      formId={formId}
      action="Save"
      isBusy={isBusy}
    >
      <form id={formId} noValidate onSubmit={submit}>
        <TextField
          label="Name of the roster"
          value={draft.rosterName}
          onChange={({ currentTarget }) => change({ ...draft, rosterName: currentTarget.value })}
          error={errors.rosterName}
          maxLength={64}
          autoComplete="off"
          data-autofocus
        />
        <Select
          label="Time zone"
          data={[...new Set([draft.timeZoneId, "UTC", ...Intl.supportedValuesOf("timeZone")])]}
          value={draft.timeZoneId}
          onChange={(timeZoneId) => change({ ...draft, timeZoneId: timeZoneId ?? "" })}
          searchable
          allowDeselect={false}
          limit={50}
          error={validationError(errors.timeZoneId)}
          classNames={fieldClasses}
        />
        <p className={classes.note}>
          Shifts repeat every week. One that ends at or before its beginning ends on the next day.
        </p>
        <Shifts draft={draft} people={people} errors={errors} onChange={change} />
      </form>
      {review}
    </SubmitDialog>
  );
};
