import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { lazyWithRetry } from "../load-with-retry.ts";
import { currentMessages, onMessages } from "./messages.ts";

const Toaster = lazyWithRetry(() => import("./toaster.tsx"), "Toaster");

/** Delay after which the first screen is assumed to have its script, in milliseconds. */
const soon = 800;

/** Where messages are shown. Its code comes after the first screen's, or with the first message. */
export const MessagesPlace = (): ReactNode => {
  const [isDue, setDue] = useState(false);
  const messages = useSyncExternalStore(onMessages, currentMessages);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), soon);
    return () => clearTimeout(timer);
  }, []);
  if (!isDue && messages.length === 0) return null;
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
};
