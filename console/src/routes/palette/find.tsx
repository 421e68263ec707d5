import { IconSearch } from "@tabler/icons-react";
import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { isFindKey } from "./find-key.ts";

const Palette = lazyWithRetry(() => import("./palette.tsx"), "Palette");

/** A form in a dialog would lose what was typed. */
const isFormOpen = (): boolean => document.querySelector('[aria-modal="true"]:not([data-palette])') !== null;

interface FindProps {
  className: string | undefined;
  /** Its key was pressed before it was loaded. */
  isOpenAtFirst: boolean;
  /** It listens for its key now. */
  onThere: () => void;
}

/** The palette and its button, a field in looks, since typing is what follows. Ctrl K opens and closes it, Command K on a Mac. */
export const Find = ({ className, isOpenAtFirst, onThere }: FindProps) => {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  // It stays mounted: what it asks is answered after it has closed.
  const [openings, setOpenings] = useState(isOpenAtFirst ? 1 : 0);
  const opener = useRef<Element | null>(null);
  const open = () => {
    setOpen(true);
    setOpenings(openings + 1);
    opener.current = document.activeElement;
  };
  // Not the modal's to do: opened again while it fades out, it would remember its own field.
  const returnFocus = () => {
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  const close = () => {
    setOpen(false);
    returnFocus();
  };
  /** While it faded out, the modal may have taken the focus to its field, which goes with it. */
  const onClosed = () => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.closest("[data-palette]")) returnFocus();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isFindKey(event)) return;
    event.preventDefault();
    if (isOpen) close();
    else if (!isFormOpen()) open();
  });
  useEffect(() => {
    const gone = new AbortController();
    addEventListener("keydown", (event) => onKey(event), { signal: gone.signal });
    onThere();
    return () => gone.abort();
  }, [onThere]);
  return (
    <>
      <button type="button" className={className} aria-keyshortcuts="Control+K" onClick={() => open()}>
        <IconSearch size={17} stroke={1.7} aria-hidden />
        <span>Find</span>
        <kbd>Ctrl K</kbd>
      </button>
      {openings > 0 && (
        <Suspense>
          <Palette isOpen={isOpen} opening={openings} onClose={close} onClosed={onClosed} />
        </Suspense>
      )}
    </>
  );
};
