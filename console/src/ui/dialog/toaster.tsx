import { Notification } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { informCarried } from "./carried-message.ts";
import look from "./message.module.css";
import { currentMessages, type Message, onMessages, withdraw } from "./messages.ts";
import classes from "./toaster.module.css";

/** Display time of a message in milliseconds; paused while the pointer or the focus is on the messages. */
const shownFor = 6000;

/** Maximum messages on screen; further ones are queued. */
const most = 3;

/** When each message expires, from `performance.now()`. */
const ends = new WeakMap<Message, number>();

/** Removes each message when its display time is over. */
const useEnds = (shown: readonly Message[], isHeld: boolean): void =>
  useEffect(() => {
    if (isHeld) {
      for (const message of shown) ends.delete(message);
      return;
    }
    const timers = shown.map((message) => {
      const end = ends.get(message) ?? performance.now() + shownFor;
      ends.set(message, end);
      return setTimeout(() => withdraw(message.sentence), end - performance.now());
    });
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [shown, isHeld]);

/** Sets the messages' height on the page, which ends above them. */
const useRoom = (place: RefObject<HTMLElement | null>): void =>
  useEffect(() => {
    const root = document.documentElement;
    const observer = new ResizeObserver(() => {
      const height = place.current?.offsetHeight ?? 0;
      root.style.setProperty("--messages-h", `${height}px`);
      root.toggleAttribute("data-messages", height > 0);
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);

const closeButtons = (place: RefObject<HTMLElement | null>) =>
  place.current?.querySelectorAll<HTMLElement>("button") ?? [];

/** F8 moves the focus to the messages, also out of a dialog, and back; so does Escape, which closes a message. */
const useFocusByKey = (place: RefObject<HTMLElement | null>) => {
  const before = useRef<HTMLElement | null>(null);
  const goBack = () => before.current?.focus();
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const [first] = closeButtons(place);
    if (event.key !== "F8" || !first) return;
    event.preventDefault();
    if (place.current?.contains(document.activeElement)) return goBack();
    const { activeElement } = document;
    before.current = activeElement instanceof HTMLElement ? activeElement : null;
    first.focus();
  });
  useEffect(() => {
    const gone = new AbortController();
    window.addEventListener("keydown", (event) => onKey(event), { signal: gone.signal });
    return () => gone.abort();
  }, []);
  return (sentence: string) => {
    const hadFocus = place.current?.contains(document.activeElement);
    withdraw(sentence);
    if (!hadFocus) return;
    requestAnimationFrame(() => {
      const [next] = closeButtons(place);
      if (next) next.focus();
      else goBack();
    });
  };
};

/**
 * Messages are placed in lines of their own at the bottom edge, above the phone's tabs. The page, its sticky bars and its dialogs end above
 * them, so that no control is covered.
 */
export const Toaster = () => {
  const place = useRef<HTMLElement>(null);
  const [isHeld, setHeld] = useState(false);
  const all = useSyncExternalStore(onMessages, currentMessages);
  const shown = useMemo(() => all.slice(0, most), [all]);
  // No pointerleave event is fired for a removed element.
  if (isHeld && shown.length === 0) setHeld(false);
  useEffect(informCarried, []);
  useEnds(shown, isHeld);
  useRoom(place);
  const close = useFocusByKey(place);
  const closeByKey = (event: KeyboardEvent, sentence: string) => {
    if (event.key === "Escape") close(sentence);
  };
  return (
    <section
      ref={place}
      className={classes.place}
      aria-label="Messages (F8)"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {shown.map(({ sentence, kind }) => (
        <Notification
          key={sentence}
          icon={kind === "warning" ? <IconAlertTriangle size={18} aria-hidden /> : <IconCheck size={18} aria-hidden />}
          role={kind === "warning" ? "alert" : "status"}
          classNames={{ root: look[kind] ?? "", icon: look.icon ?? "", description: look.text ?? "" }}
          onClose={() => close(sentence)}
          // Stops a dialog from handling this Escape.
          closeButtonProps={{ "aria-label": "Close", "data-mantine-stop-propagation": true }}
          onKeyDown={(event) => closeByKey(event, sentence)}
        >
          {sentence}
        </Notification>
      ))}
    </section>
  );
};
