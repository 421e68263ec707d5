import { useCallback, useState } from "react";

/**
 * The subject of a question and whether the question is open. The subject is kept after closing, so that a dialog keeps its text while it fades out.
 */
export const useDialogSubject = <Subject>() => {
  const [current, setCurrent] = useState<Subject>();
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback((subject: Subject) => {
    setCurrent(subject);
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { subject: current, isOpen, ask, close };
};
