import { useCallback, useState } from "react";

/**
 * What a dialog is about and whether it is open. The subject is kept after closing, so that a dialog keeps its text while it fades out. `count` says how
 * often it was opened: the React key of a form that starts anew each time.
 */
export const useDialogSubject = <Subject = void>() => {
  const [opening, setOpening] = useState<{ count: number; subject?: Subject }>({ count: 0 });
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((subject: Subject) => {
    setOpening(({ count }) => ({ count: count + 1, subject }));
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { ...opening, isOpen, open, close };
};
