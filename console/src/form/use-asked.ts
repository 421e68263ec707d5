import { useCallback, useState } from "react";

/** What a question is about, and whether it is being asked. What it was about stays, so that a closing dialog keeps its words. */
export const useAsked = <Subject>() => {
  const [asked, setAsked] = useState<Subject>();
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback((subject: Subject) => {
    setAsked(subject);
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { asked, isOpen, ask, close };
};
