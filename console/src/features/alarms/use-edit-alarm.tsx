import { Button, Loader } from "@mantine/core";
import { type AlarmRow, alarms } from "@telltale/contract/alarms";
import type { Input } from "@telltale/contract/call";
import { type ReactNode, useCallback, useId, useState } from "react";
import { useAction } from "../../session/use-call.ts";
import { useNewerVersion, useOpened } from "../../session/use-opened.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/message.tsx";
import { AlarmForm } from "./alarm-form.tsx";
import { changedCalls } from "./changed-calls.ts";

type Fields = Input<typeof alarms.add>;

/** Saves; when somebody else was faster, what was typed stays. `onDone` hears of which class it is now. */
const useSave = (loaded: AlarmRow | undefined, onDone: (alarmClass: number) => void) => {
  const newer = useNewerVersion({
    call: alarms.info,
    input: loaded && { alarmId: loaded.alarmId },
    version: loaded?.version,
    invalidates: [alarms.list, alarms.systemList],
  });
  const add = useAction(alarms.add, { success: "Add success", invalidates: changedCalls });
  const update = useAction(alarms.update, { success: "Modify successful", invalidates: changedCalls });
  const save = (fields: Fields) => {
    const onSuccess = () => onDone(fields.alarmClass);
    if (!loaded) return add.mutate(fields, { onSuccess });
    const { version, onError } = newer;
    return update.mutate({ ...fields, alarmId: loaded.alarmId, version }, { onSuccess, onError });
  };
  return { save, isBusy: add.isPending || update.isPending };
};

interface AlarmDialogProps {
  /** Undefined makes a new one. */
  alarmId: number | undefined;
  /** The type that a new one begins with; that of one to edit is its own. */
  alarmClass: number | undefined;
  isOpen: boolean;
  onClose: () => void;
  onSaved: (alarmClass: number) => void;
}

/** Adds an alert or changes one. */
const AlarmDialog = ({ alarmId, alarmClass, isOpen, onClose, onSaved }: AlarmDialogProps): ReactNode => {
  const formId = useId();
  const { loaded, isReady, error, retry } = useOpened(alarms.info, alarmId === undefined ? undefined : { alarmId });
  const { save, isBusy } = useSave(loaded, (saved) => {
    onClose();
    onSaved(saved);
  });
  const footer = (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} loading={isBusy} disabled={!isReady}>
        Save
      </Button>
    </>
  );
  const title = alarmId === undefined ? "Add alert" : "Edit alert";
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} footer={footer}>
      {isReady && <AlarmForm initial={loaded} alarmClass={alarmClass} formId={formId} onSave={save} />}
      {!isReady && error && <ErrorState error={error} onRetry={retry} />}
      {!isReady && !error && <Loader size={20} aria-label="Loading" />}
    </Dialog>
  );
};

interface EditAlarm {
  /** Opens an empty form of this class. */
  add: (alarmClass: number) => void;
  edit: (alarm: AlarmRow) => void;
  dialog: ReactNode;
}

/** Opens the form for a new alert, or for one that is there: empty at each opening. */
export const useEditAlarm = (onSaved: (alarmClass: number) => void): EditAlarm => {
  const [opening, setOpening] = useState<{ key: number; alarmId?: number; alarmClass?: number | undefined }>();
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((subject: { alarmId?: number; alarmClass?: number | undefined }) => {
    setOpening((before) => ({ key: (before?.key ?? 0) + 1, ...subject }));
    setOpen(true);
  }, []);
  return {
    add: useCallback((alarmClass) => open({ alarmClass }), [open]),
    edit: useCallback(({ alarmId }) => open({ alarmId }), [open]),
    dialog: opening && (
      <AlarmDialog
        key={opening.key}
        alarmId={opening.alarmId}
        alarmClass={opening.alarmClass}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onSaved={onSaved}
      />
    ),
  };
};
