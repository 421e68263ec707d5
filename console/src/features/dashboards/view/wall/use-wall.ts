import { type RefObject, useEffect, useEffectEvent, useState } from "react";

const stayAwake = async (): Promise<WakeLockSentinel | undefined> => {
  // Absent on pages without TLS, and refused at low battery.
  if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return undefined;
  return navigator.wakeLock.request("screen").catch(() => undefined);
};

/** Keeps the screen on while the component is mounted; the browser gives the lock up whenever the page is hidden. */
const useWakeLock = (): void => {
  useEffect(() => {
    let held = stayAwake();
    const again = () => {
      if (document.visibilityState === "visible") held = stayAwake();
    };
    document.addEventListener("visibilitychange", again);
    return () => {
      document.removeEventListener("visibilitychange", again);
      void held.then((lock) => lock?.release());
    };
  }, []);
};

/**
 * Opens the dialog above everything and, where the browser lets it, on the whole screen: it does after a key or click, not for an address. Escape leaves
 * both, in one press.
 */
export const useWall = (dialog: RefObject<HTMLDialogElement | null>, onLeave: () => void): void => {
  const leave = useEffectEvent(onLeave);
  useWakeLock();
  useEffect(() => {
    const element = dialog.current;
    const left = new AbortController();
    const { signal } = left;
    element?.showModal();
    // It would give the focus, and its ring, to the first tile, although nobody is at a keyboard.
    element?.focus();
    document.documentElement.requestFullscreen?.().catch(() => undefined);
    let wasFull = false;
    const onChange = () => {
      const isFull = document.fullscreenElement !== null;
      if (wasFull && !isFull) leave();
      wasFull = isFull;
    };
    document.addEventListener("fullscreenchange", onChange, { signal });
    element?.addEventListener(
      "cancel",
      (event) => {
        event.preventDefault();
        leave();
      },
      { signal },
    );
    element?.addEventListener(
      "keydown",
      ({ key, ctrlKey, metaKey, altKey }) => {
        if (key === "f" && !ctrlKey && !metaKey && !altKey) leave();
      },
      { signal },
    );
    return () => {
      left.abort();
      element?.close();
      if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined);
    };
  }, [dialog]);
};

const sizeNow = () => ({ width: innerWidth, height: innerHeight });

/** The window's size. */
export const useWindowSize = (): { width: number; height: number } => {
  const [size, setSize] = useState(sizeNow);
  useEffect(() => {
    const onResize = () => setSize(sizeNow());
    addEventListener("resize", onResize);
    return () => removeEventListener("resize", onResize);
  }, []);
  return size;
};
