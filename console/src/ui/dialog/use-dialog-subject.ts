import { useCallback, useState } from "react";

interface Opening<Subject> {
  count: number;
  isOpen: boolean;
  subject?: Subject;
}

/**
 * What a dialog is about and whether it is open. The subject is kept after closing, so that a dialog keeps its text while it fades out. `count` says how
 * often it was opened: the React key of a form that starts anew each time. `close` closes the opening of which it is: the late answer of an action that
 * was given up would close the next one.
 */
export const useDialogSubject = <Subject = void>() => {
  const [opening, setOpening] = useState<Opening<Subject>>({ count: 0, isOpen: false });
  const { count } = opening;
  const open = useCallback(
    (subject: Subject) => setOpening((before) => ({ count: before.count + 1, isOpen: true, subject })),
    [],
  );
  const close = useCallback(
    () => setOpening((now) => (now.count === count ? { ...now, isOpen: false } : now)),
    [count],
  );
  return { ...opening, open, close };
};
