import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import classes from "./notify.module.css";

type Message = Parameters<typeof notifications.show>[0] & { id: string };

let isThere = false;
const waiting = new Map<string, Message>();

/** A message that is already on screen is announced again and its display time restarts. */
const show = (message: Message): void => {
  notifications.hide(message.id);
  notifications.show(message);
};

/** Shows messages queued before the toaster was mounted, which happens after the first screen. The toaster calls it on mount. */
export const showQueued = (): void => {
  isThere = true;
  for (const message of waiting.values()) show(message);
  waiting.clear();
};

const showOrQueue = (message: Message): void => {
  if (isThere) show(message);
  else waiting.set(message.id, message);
};

/** Removes a message that is no longer true. */
export const withdraw = (sentence: string): void => {
  waiting.delete(sentence);
  notifications.hide(sentence);
};

/** Shows a warning: an error of the server, or a missing input. Identical messages are shown once. */
export const warn = (sentence: string): void =>
  showOrQueue({
    id: sentence,
    message: sentence,
    icon: <IconAlertTriangle size={18} aria-hidden />,
    classNames: { root: classes.warning, icon: classes.icon, description: classes.text },
    role: "alert",
  });

/** Shows a success message. */
export const inform = (sentence: string): void =>
  showOrQueue({
    id: sentence,
    message: sentence,
    icon: <IconCheck size={18} aria-hidden />,
    classNames: { root: classes.notice, icon: classes.icon, description: classes.text },
    role: "status",
  });
