import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import classes from "./notify.module.css";

type Said = Parameters<typeof notifications.show>[0] & { id: string };

let isThere = false;
const waiting = new Map<string, Said>();

/** A message that is already on screen is announced again and its display time restarts. */
const show = (said: Said): void => {
  notifications.hide(said.id);
  notifications.show(said);
};

/** Shows messages queued before the toaster was mounted, which happens after the first screen. The toaster calls it on mount. */
export const showQueued = (): void => {
  isThere = true;
  for (const said of waiting.values()) show(said);
  waiting.clear();
};

const say = (said: Said): void => {
  if (isThere) show(said);
  else waiting.set(said.id, said);
};

/** Removes a message that is no longer true. */
export const withdraw = (sentence: string): void => {
  waiting.delete(sentence);
  notifications.hide(sentence);
};

/** Shows a warning: an error of the server, or a missing input. Identical messages are shown once. */
export const warn = (sentence: string): void =>
  say({
    id: sentence,
    message: sentence,
    icon: <IconAlertTriangle size={18} aria-hidden />,
    classNames: { root: classes.warning, icon: classes.icon, description: classes.text },
    role: "alert",
  });

/** Shows a success message. */
export const inform = (sentence: string): void =>
  say({
    id: sentence,
    message: sentence,
    icon: <IconCheck size={18} aria-hidden />,
    classNames: { root: classes.notice, icon: classes.icon, description: classes.text },
    role: "status",
  });
